import { describe, expect, test } from "bun:test";
import { assert, constantFrom, property, string } from "fast-check";
import { loadFonts } from "../../src/document/fonts.ts";
import * as Text from "../../src/document/text.ts";

const faces = (await loadFonts()).regular;

describe("printable", () => {
  test.each([
    ["e\u0301te\u0301", "été"],
    ["a\r\nb\rc\u2028d", "a\nb\nc\nd"],
    ["  a\tb  \n c ", "a b\n c"],
    ["a\n\n\n\n\nb", "a\n\nb"],
    ["a\u0000\u001b[31mb\u202ec\u200b\ufeff", "a[31mbc"],
    ["日本 👨‍👩‍👧 1️⃣ \ud800", "\ufffd\ufffd \ufffd 1 \ufffd"],
    ["{7*7} {{x}}", "{7*7} {{x}}"],
  ])("turns %j into %j", (given, printed) => {
    expect(Text.printable(given, faces)).toBe(printed);
  });

  test("leaves nothing that the fonts cannot show, whatever comes in", () => {
    assert(
      property(string({ unit: "binary", maxLength: 60, size: "max" }), (given) => {
        for (const char of Text.printable(given, faces).replaceAll("\n", "")) {
          expect(faces[0].covers(char.codePointAt(0) ?? 0)).toBe(true);
        }
      }),
    );
  });
});

describe("wrap", () => {
  test("breaks after spaces and after hyphens between letters", () => {
    expect(Text.wrap("one two well-known 1-2", Text.widthOf("one two well-", faces) + 0.1, faces)).toEqual([
      "one two well-",
      "known 1-2",
    ]);
  });

  test("keeps the lines of the text, empty ones too", () => {
    expect(Text.wrap("a\n\nb", 10, faces)).toEqual(["a", "", "b"]);
  });

  test("loses no letter and makes no line too wide", () => {
    const texts = string({ unit: constantFrom(..."abcdeÄжW  .,-/\n"), maxLength: 200, size: "max" });
    assert(
      property(texts, constantFrom(2, 5, 12, 40), (text, width) => {
        const lines = Text.wrap(text, width, faces);
        expect(lines.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
        for (const line of lines) expect(Text.widthOf(line, faces)).toBeLessThanOrEqual(width + 1e-9);
      }),
    );
  });
});
