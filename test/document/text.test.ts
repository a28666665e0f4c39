import { describe, expect, test } from "bun:test";
import { assert, constantFrom, property, string } from "fast-check";
import { loadFonts } from "../../src/document/type/fonts.ts";
import * as Text from "../../src/document/type/text.ts";

const faces = loadFonts().regular;

describe("printable", () => {
  test.each([
    ["e\u0301te\u0301", "été"],
    ["a\r\nb\rc\u2028d", "a\nb\nc\nd"],
    ["  a\tb  \n c ", "a b\n c"],
    ["a\n\n\n\n\nb", "a\n\nb"],
    ["a\u0000\u001b[31mb\u202ec\u2067\u200b\ufeff", "a[31mbc"],
    ["日本 👨‍👩‍👧 👍🏽 ❤️ 🇩🇪 1️⃣ \ud800 𒀀", "日本 👨‍👩‍👧 👍🏽 ❤ 🇩🇪 1 \ufffd \ufffd"],
    ["می\u200cخواهم a\u200cb", "می\u200cخواهم ab"],
    ["{7*7} {{x}}", "{7*7} {{x}}"],
  ])("turns %j into %j", (given, printed) => {
    expect(Text.printable(given, faces)).toBe(printed);
  });

  test("leaves nothing that the fonts cannot show, whatever comes in", () => {
    assert(
      property(string({ unit: "binary", maxLength: 60, size: "max" }), (given) => {
        for (const char of Text.printable(given, faces).replace(/[\n\u2066\u2068\u2069]/g, "")) {
          expect(faces.some((face) => face.holds(char.codePointAt(0) ?? 0))).toBe(true);
        }
      }),
      { seed: 1 },
    );
  });
});

describe("runs", () => {
  const shown = (line: string, isRtl = false) => Text.runs(line, faces, isRtl).map((run) => run.text);

  test("are one for a line in one script, and one for each font otherwise", () => {
    expect(shown("Any Ελλάδα line 1, 2.")).toEqual(["Any Ελλάδα line 1, 2."]);
    expect(shown("株式会社 Acme")).toEqual(["株式会社 ", "Acme"]);
  });

  test("stand from left to right where Hebrew or Arabic is read from right to left", () => {
    expect(shown("שלום 12 עולם", true)).toEqual(["עולם", " ", "12", " ", "שלום"]);
    expect(shown("see עברית here")).toEqual(["see ", "עברית", " here"]);
    expect(shown("(שלום)", true)).toEqual(["(", "שלום", ")"]);
    expect(shown("שלום, Acme.", true)).toEqual([".", "Acme", " ", ",", "שלום"]);
    expect(shown("שלום: +49 (30) 123-4", true)).toEqual(["+49 (30) 123-4", " ", ":", "שלום"]);
    expect(shown("سعر · \u20661 USDC = 0.8\u2069", true)).toEqual(["1 USDC = 0.8", " ", "·", " ", "سعر"]);
    expect(shown("سعر: \u2068303 265\u2069", true)).toEqual(["303 265", " ", ":", "سعر"]);
  });

  test("go on from the line before them", () => {
    const paragraph = "شهادة of March 2024, part B";
    const line = "2024, part B";
    const runs = Text.runs(line, faces, true, paragraph, paragraph.indexOf(line));
    expect(runs.map(({ text }) => text)).toEqual([line]);
  });

  test("are as wide together as the line, whatever is in it", () => {
    const letters = string({ unit: constantFrom(..."ab 1(שםمرحب،株"), maxLength: 40, size: "max" });
    assert(
      property(letters, constantFrom(true, false), (given, isRtl) => {
        const line = given.trim();
        const runs = Text.runs(line, faces, isRtl);
        const letter = (text: string) => [...text.replace(/[^\p{L}\p{N}]/gu, "")].sort().join("");
        expect(letter(runs.map((run) => run.text).join(""))).toBe(letter(line));
        for (const run of runs) expect(run.width).toBeGreaterThan(0);
      }),
      { seed: 1 },
    );
  });
});

describe("wrap", () => {
  test("breaks Chinese and Japanese between letters, and not before a mark that closes", () => {
    expect(Text.wrap("咨询服务，（上海）。", 5, faces)).toEqual(["咨询服务，", "（上海）。"]);
  });

  test("breaks after spaces and after hyphens between letters", () => {
    expect(Text.wrap("one two well-known 1-2", Text.widthOf("one two well-", faces) + 0.1, faces)).toEqual([
      "one two well-",
      "known 1-2",
    ]);
  });

  test("keeps the lines of the text, empty ones too", () => {
    expect(["a", "", "b"].flatMap((part) => Text.wrap(part, 10, faces))).toEqual(["a", "", "b"]);
  });

  test("loses no letter and makes no line too wide", () => {
    const texts = string({ unit: constantFrom(..."abcdeÄжW  .,-/\n"), maxLength: 200, size: "max" });
    assert(
      property(texts, constantFrom(2, 5, 12, 40), (text, width) => {
        const lines = Text.wrap(text, width, faces);
        expect(lines.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
        for (const line of lines) expect(Text.widthOf(line, faces)).toBeLessThanOrEqual(width + 1e-9);
      }),
      { seed: 1 },
    );
  });
});
