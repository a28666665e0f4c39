import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as Usdc from "../../src/domain/usdc.ts";
import { type LanguageCode, languages } from "../../src/language/languages.ts";
import { notationOf } from "../../src/language/notation.ts";

const amounts = fc.bigInt({ min: 0n, max: Usdc.max }).map(Usdc.fromMicro);

describe("parse", () => {
  test.each([
    ["0", 0n],
    ["1500", 1_500_000_000n],
    ["1500.5", 1_500_500_000n],
    ["1500.00", 1_500_000_000n],
    ["0.01", 10_000n],
    ["9999999999.99", 9_999_999_999_990_000n],
  ])("reads %s", (text, micro) => {
    expect(Usdc.parse(text)).toBe(Usdc.fromMicro<Usdc.AnyAmount>(micro));
  });

  test.each([
    "",
    ".",
    "1.",
    ".5",
    "1.001",
    "1.000",
    "-1",
    "+1",
    "1e3",
    "0x10",
    "1,5",
    "1 000",
    " 1",
    "1 ",
    "1\n",
    "NaN",
    "Infinity",
    "١٢",
    "12345678901",
  ])("refuses %j instead of guessing", (text) => {
    expect(Usdc.parse(text)).toBeNull();
  });

  test("takes back what format wrote, for every whole number of cents", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }), (cents) => {
        const amount = Usdc.fromMicro<Usdc.AnyAmount>(cents * 10_000n);
        expect(Usdc.parse(Usdc.format(amount))).toBe(amount);
      }),
      { seed: 1 },
    );
  });
});

describe("format", () => {
  test("shows two decimals and rounds fractions of a cent down", () => {
    expect(Usdc.format(Usdc.fromMicro(1_499_999_999n))).toBe("1499.99");
    expect(Usdc.format(Usdc.zero)).toBe("0.00");
    expect(Usdc.format(Usdc.fromMicro(9_999n))).toBe("0.00");
  });

  test("agrees with decimal digits moved by hand", () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const digits = amount.toString().padStart(7, "0");
        expect(Usdc.format(amount)).toBe(`${digits.slice(0, -6)}.${digits.slice(-6, -4)}`);
      }),
      { seed: 1 },
    );
  });
});

describe("formatExact", () => {
  test("shows all six decimals only when there is a fraction of a cent", () => {
    expect(Usdc.formatExact(Usdc.fromMicro(1_499_999_999n))).toBe("1499.999999");
    expect(Usdc.formatExact(Usdc.fromMicro(1_500_000_000n))).toBe("1500.00");
    expect(Usdc.formatExact(Usdc.fromMicro(1n))).toBe("0.000001");
  });
});

describe("remaining", () => {
  test("is never negative and completes what was received", () => {
    fc.assert(
      fc.property(amounts, amounts, (expected, received) => {
        const rest = Usdc.remaining(expected, received);
        expect(rest >= 0n).toBe(true);
        expect(received + rest).toBe(received > expected ? received : expected);
      }),
      { seed: 1 },
    );
  });
});

describe("fromMicro", () => {
  test("error: a negative amount", () => {
    expect(() => Usdc.fromMicro(-1n)).toThrow(RangeError);
  });
});

describe("parseTypedExact", () => {
  const marks = Object.keys(languages).map((code) => notationOf(code as LanguageCode));

  test("reads what the desk fills in itself, as each language writes it", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), fc.constantFrom(...marks), (micro, locale) => {
        const amount = Usdc.fromMicro(micro);
        for (const written of [Usdc.formatExact(amount), locale.figure(Usdc.formatExact(amount))])
          expect([written, Usdc.parseTypedExact(written, locale.decimalMark)]).toEqual([written, amount]);
      }),
      { seed: 1 },
    );
  });

  test("refuses what could mean thousands, and other decimals", () => {
    for (const text of ["1.500", "1,2345", "6.1234567", ""])
      expect(Usdc.parseTypedExact(text, ",")).toBeNull();
  });
});

describe("parseExact", () => {
  test("reads what formatExact writes, and nothing else", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), (micro) => {
        const amount = Usdc.fromMicro(micro);
        expect(Usdc.parseExact(Usdc.formatExact(amount))).toBe(amount);
      }),
      { seed: 1 },
    );
    for (const text of [
      "",
      "1",
      "1.5",
      "1.500",
      "-1.00",
      "+1.00",
      "1e3",
      " 1.00",
      "1,000.00",
      "0x1.00",
      "1.0000001",
    ])
      expect(Usdc.parseExact(text)).toBeNull();
  });
});
