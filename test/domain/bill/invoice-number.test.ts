import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as InvoiceNumber from "../../../src/domain/bill/invoice-number.ts";

function pattern(text: string): InvoiceNumber.Pattern {
  const parsed = InvoiceNumber.parse(text);
  if (parsed === null) throw new Error(`${text} is no pattern`);
  return parsed;
}

describe("parse", () => {
  test.each(["INV-{0000}", "2026-{0000}", "2026/{000}", "{0}", "{000000000000}", "ACME_{00}.a/b"])(
    "takes %j",
    (text) => expect(InvoiceNumber.parse(text)).not.toBeNull(),
  );

  test.each([
    ["no counter", "INV-0000"],
    ["two counters", "{00}-{00}"],
    ["something else in the braces", "INV-{0001}"],
    ["no zero", "INV-{}"],
    ["13 zeros", "{0000000000000}"],
    ["a space", "INV {0000}"],
    ["a letter that is not ASCII", "RÉ-{0000}"],
    ["what begins like an option of a command", "-{0000}"],
    ["what begins like a hidden file", ".{0000}"],
    ["what ends like a folder", "INV/{0000}/"],
    ["the end of a header", "INV-{0000}\r\nX"],
    ["a quote", 'INV"{0000}'],
    ["31 characters", `${"A".repeat(25)}{0000}`],
    ["nothing", ""],
  ])("error: %s", (_, text) => expect(InvoiceNumber.parse(text)).toBeNull());
});

describe("of", () => {
  test("has as many digits as the pattern, and grows beyond them", () => {
    expect(InvoiceNumber.of(pattern("INV-{0000}"), 1)).toBe("INV-0001");
    expect(InvoiceNumber.of(pattern("INV-{0000}"), 10_000)).toBe("INV-10000");
    expect(InvoiceNumber.of(pattern("A/{00}/26"), 7)).toBe("A/07/26");
  });
});

describe("meant", () => {
  test.each([
    ["INV-{0000}", "6", "INV-0006"],
    ["INV-{0000}", "inv 6", "INV-0006"],
    ["INV-{0000}", "Inv0006", "INV-0006"],
    ["INV-{0000}", "#12345", "INV-12345"],
    ["2026/{000}", "6", "2026/006"],
    ["2026/{000}", "2026 / 6", "2026/006"],
    ["A/{00}/b", "a7B", "A/07/b"],
    ["INV-{0000}", "inv", null],
    ["INV-{0000}", "6 x", null],
    ["INV-{0000}", "1500.00 USDC", null],
    ["INV-{0000}", "", null],
  ])("of %s, %j is %j", (form, typed, number) =>
    expect(InvoiceNumber.complete(pattern(form), typed)).toBe(number),
  );
});

describe("sequenceOf", () => {
  test("reads a number in any case and with any count of zeros", () => {
    for (const text of ["INV-0042", "inv-42", "Inv-00042"])
      expect(InvoiceNumber.sequenceOf(pattern("INV-{0000}"), text)).toBe(42);
    expect(InvoiceNumber.sequenceOf(pattern("a/{00}/b"), "A/7/B")).toBe(7);
  });

  test("is null for everything else", () => {
    const others = [
      "INV-",
      "INV-4 2",
      "INV--42",
      "INV-4x",
      "42",
      "XINV-42",
      "INV-42X",
      "INV-1234567890123456",
    ];
    for (const text of others) expect(InvoiceNumber.sequenceOf(pattern("INV-{0000}"), text)).toBeNull();
    // What stands before and after the counter may not be the same characters.
    expect(InvoiceNumber.sequenceOf(pattern("1-1{0}1-1"), "1-1-1")).toBeNull();
  });

  test("gives back what any pattern made of any sequence, and no two have the same number", () => {
    const before = fc.stringMatching(/^([A-Za-z0-9]{1,6}[-/._]{0,2})?$/);
    const after = fc.stringMatching(/^([-/._]{0,2}[A-Za-z0-9]{1,6})?$/);
    const patterns = fc
      .tuple(before, fc.integer({ min: 1, max: 12 }), after)
      .map(([before, digits, after]) => `${before}{${"0".repeat(digits)}}${after}`)
      .filter((text) => text.length <= 30);
    const sequences = fc.integer({ min: 1, max: 999_999_999 });
    fc.assert(
      fc.property(patterns, sequences, sequences, (text, one, other) => {
        const made = InvoiceNumber.of(pattern(text), one);
        expect(InvoiceNumber.sequenceOf(pattern(text), made)).toBe(one);
        expect(InvoiceNumber.sequenceOf(pattern(text), made.toLowerCase())).toBe(one);
        if (one !== other) expect(InvoiceNumber.of(pattern(text), other)).not.toBe(made);
        expect(InvoiceNumber.fileName(made)).toMatch(/^[A-Za-z0-9][\w.-]*\.pdf$/);
      }),
      { seed: 1 },
    );
  });
});
