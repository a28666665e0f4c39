import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { line, plainText, type Separator } from "../../../src/lib/text/csv.ts";

/** The rows of a CSV text as a spreadsheet takes them: a quote matters at the beginning of a cell and inside quotes. */
function parse(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let inQuotes = false;
  let isStart = true;
  const end = () => {
    rows.at(-1)?.push(cell);
    cell = "";
    isStart = true;
  };
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (inQuotes && character === '"' && text.charAt(i + 1) === '"') cell += text.charAt(i++);
    else if (inQuotes && character === '"') inQuotes = false;
    else if (inQuotes) cell += character;
    else if (character === '"' && isStart) inQuotes = true;
    else if (character === separator) {
      end();
      continue;
    } else if (character === "\n" || character === "\r") {
      end();
      if (character === "\r" && text.charAt(i + 1) === "\n") i++;
      rows.push([]);
      continue;
    } else cell += character;
    isStart = false;
  }
  end();
  return rows;
}

const isFormula = (cell: string) => /^\s*[=+\-@]/.test(cell);
const record = (cells: readonly string[], written: Separator) =>
  line(
    cells.map((text) => plainText(text, written)),
    written,
  );
const separators = { comma: ",", semicolon: ";", tab: "\t" };

const pairs = Object.entries(separators).flatMap(([name, separator]) =>
  ([",", ";"] as const).map((written) => [written, name, separator] as const),
);
describe.each(pairs)("a line with %s that a spreadsheet parts by %s", (written, _, separator) => {
  test.each([
    "=HYPERLINK(1)",
    "x;=HYPERLINK(1)",
    'x;"=HYPERLINK(1)"',
    "x; =HYPERLINK(1)",
    "x\t=HYPERLINK(1)",
    "x\n=HYPERLINK(1)",
    "x\r\n+1",
    "x,=HYPERLINK(1)",
    "x;;-2+3",
    ";@SUM(A1)",
    '";=1',
    "\u00a0=1",
  ])("runs nothing of %j", (text) => {
    for (const cells of [[text], ["INV-0001", text, "z"], [text, text], ["a;", text], ['"', text]]) {
      const rows = parse(record(cells, written), separator);
      expect(rows.flat().filter(isFormula)).toEqual([]);
    }
  });

  test("runs nothing, whatever people write", () => {
    const character = fc.constantFrom(...";,\t\"\r\n=+-@' a");
    const cell = fc.array(character, { maxLength: 8 }).map((characters) => characters.join(""));
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        (rows) => {
          const text = rows.map((cells) => record(cells, written)).join("");
          expect(parse(text, separator).flat().filter(isFormula)).toEqual([]);
        },
      ),
      { seed: 1, numRuns: 800 },
    );
  });
});

test.each([",", ";"] as const)("parted by %s, as it is meant, every cell is what it was", (separator) => {
  const cells = ['a "b"', "c;d", "e\tf", "g,h", "i\r\nj", "", "plain; and + in between = fine"];
  expect(parse(record(cells, separator), separator)[0]).toEqual(cells);
});
