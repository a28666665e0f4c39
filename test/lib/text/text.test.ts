import { describe, expect, test } from "bun:test";
import { randomName } from "../../../src/lib/crypto.ts";
import { isLoopbackHost } from "../../../src/lib/net/host.ts";
import * as Text from "../../../src/lib/text/text.ts";

describe("fault", () => {
  test("takes the text of all people", () => {
    for (const text of ["Ünï", "日本語", "שלום", "👩‍👩‍👧", "a\u0301", "Line one\r\nLine two\tend"]) {
      expect(Text.fault(text, { lineBreaks: true })).toBeNull();
    }
  });

  test.each([
    "\u0000",
    "\u001b[0m",
    "\u007f",
    "\u0085",
    "\ud800",
    "a\udc00",
    "\ufffe",
    "\uffff",
    "\u{1fffe}",
    "\ufdd0",
  ])("refuses %j", (text) => {
    expect(Text.fault(`x${text}`, { lineBreaks: true })).not.toBeNull();
  });

  test.each(["\u202e", "\u2066", "\u202a"])(
    "refuses the reordering %j in a name, not in a longer text",
    (text) => {
      expect(Text.fault(`a${text}b`, { lineBreaks: false })).toBe("reversing");
      expect(Text.fault(`a${text}b`, { lineBreaks: true })).toBeNull();
      expect(Text.fault("\u200fשלום", { lineBreaks: false })).toBeNull();
    },
  );

  test("refuses blank text everywhere and line breaks in a single line", () => {
    for (const text of [" \n ", "\u200b", "\u3164", "\ufeff "]) {
      expect(Text.fault(text, { lineBreaks: true })).toBe("blank");
    }
    for (const text of ["a\nb", "a\rb", "a\tb", "a\u2028b"]) {
      expect(Text.fault(text, { lineBreaks: false })).toBe("several_lines");
    }
  });
});

describe("printable", () => {
  test("leaves the text of all people as it is", () => {
    for (const text of ["Ünï 1,50 €", "日本語", "שלום", "👩‍👩‍👧", "a\u0301", "C:\\new"]) {
      expect(Text.printable(text)).toBe(text);
    }
  });

  test("shows what a terminal would act on", () => {
    expect(Text.printable("\u001b[31mred\u0007\r\n\u009b2J")).toBe(
      "\\u001b[31mred\\u0007\\u000d\\u000a\\u009b2J",
    );
    expect(Text.printable("a\u202eb\u2066c\u2028d\ud800e")).toBe("a\\u202eb\\u2066c\\u2028d\\ud800e");
    expect(Text.printableLines("a\nb\u001b")).toBe("a\nb\\u001b");
  });
});

describe("isLoopbackHost", () => {
  test("knows this machine's own names and nothing else", () => {
    const own = ["localhost", "LOCALHOST", "shop.localhost", "127.0.0.1", "127.8.9.10", "::1", "[::1]"];
    const others = [
      "127.0.0.1.example.com",
      "localhost.example.com",
      "0.0.0.0",
      "10.0.0.1",
      "",
      "1270.0.0.1",
      "::",
    ];
    expect(own.filter(isLoopbackHost)).toEqual(own);
    expect(others.filter(isLoopbackHost)).toEqual([]);
  });
});

describe("randomName", () => {
  test("has no letters that are mistaken for one another, and does not repeat", () => {
    const names = Array.from({ length: 1000 }, () => randomName(16));
    expect(names.every((name) => /^[2-9a-km-np-z]{16}$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(1000);
  });
});
