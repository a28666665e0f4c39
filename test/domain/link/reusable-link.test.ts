import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as Currency from "../../../src/domain/bill/currency.ts";
import * as Reusable from "../../../src/domain/link/reusable-link.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import { languageCodes } from "../../../src/language/languages.ts";
import { notationOf } from "../../../src/language/notation.ts";
import { usdc } from "../../support/usdc.ts";

const cents = fc
  .bigInt({ min: 1n, max: 100_000_000_000n })
  .map((count) => Usdc.fromMicro<Usdc.Billed>(count * 10_000n));
const mark = fc.constantFrom(".", ",");
const typed = (quantity: string, amount: string) => ({ quantity, amount });

describe("choose, at a price for each piece,", () => {
  const fixed = fc.record({ each: cents, quantityMax: fc.integer({ min: 1, max: Reusable.quantityLimit }) });

  test("takes each whole number up to the most, and asks for exactly so many times the price", () => {
    fc.assert(
      fc.property(fixed, fc.integer({ min: 0, max: 9_999 }), mark, (price, quantity, decimalMark) => {
        const chosen = Reusable.choose({ kind: "fixed", ...price }, typed(`${quantity}`, "9"), decimalMark);
        if (quantity < 1 || quantity > price.quantityMax) {
          expect(chosen).toEqual({ ok: false, fault: "quantity" });
        } else {
          const expected = Usdc.sum(Array.from({ length: quantity }, () => price.each));
          expect(chosen).toEqual({ ok: true, choice: { quantity, expected } });
        }
      }),
      { seed: 1 },
    );
  });

  test.each(["", "0", "-1", "+1", "1.0", "1,0", "1e1", "0x1", "2 ", "two", "1 000", "11", "99999", "²"])(
    "of at most 10 pieces reads %j as what it says or not at all",
    (quantity) => {
      const chosen = Reusable.choose(
        { kind: "fixed", each: usdc("5.00"), quantityMax: 10 },
        typed(quantity, ""),
        ".",
      );
      if (quantity === "2 ")
        expect(chosen).toEqual({ ok: true, choice: { quantity: 2, expected: usdc("10.00") } });
      else expect(chosen).toEqual({ ok: false, fault: "quantity" });
    },
  );

  test("reads the digits of an Arabic or a Japanese keyboard", () => {
    const price = { kind: "fixed", each: usdc("5.00"), quantityMax: 99 } as const;
    for (const twelve of ["١٢", "۱۲", "１２"])
      expect(Reusable.choose(price, typed(twelve, ""), ".")).toMatchObject({ choice: { quantity: 12 } });
  });
});

describe("choose, within bounds,", () => {
  test("takes what is within them, both included, as the language writes it", () => {
    const amounts = fc.tuple(cents, cents, cents, fc.constantFrom(...languageCodes));
    fc.assert(
      fc.property(amounts, ([a, b, amount, code]) => {
        const [min, max] = a < b ? [a, b] : [b, a];
        const { decimalMark } = notationOf(code);
        for (const text of [
          Currency.format(amount, "USDC"),
          Currency.format(amount, "USDC").replace(".", decimalMark),
        ]) {
          const chosen = Reusable.choose({ kind: "chosen", min, max }, typed("7", text), decimalMark);
          if (amount < min) expect(chosen).toEqual({ ok: false, fault: "amountTooSmall" });
          else if (amount > max) expect(chosen).toEqual({ ok: false, fault: "amountTooLarge" });
          else expect(chosen).toEqual({ ok: true, choice: { quantity: 1, expected: amount } });
        }
      }),
      { seed: 1 },
    );
  });

  const anything = { kind: "chosen", min: usdc("0.01"), max: Usdc.max } as const;
  const read = (text: string, decimalMark: string) => {
    const chosen = Reusable.choose(anything, typed("", text), decimalMark);
    return chosen.ok ? Currency.format(chosen.choice.expected, "USDC") : chosen.fault;
  };

  test("never misreads an amount as the language groups its thousands", () => {
    fc.assert(
      fc.property(cents, fc.constantFrom(...languageCodes), (amount, code) => {
        const { figure, decimalMark } = notationOf(code);
        const right = Currency.format(amount, "USDC");
        const written = figure(right);
        expect([right, "amountForm"]).toContain(read(written, decimalMark));
        // Nor as another language writes it.
        expect([right, "amountForm"]).toContain(read(written, decimalMark === "." ? "," : "."));
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  test.each([
    ["12,50", ",", "12.50"],
    ["12.50", ",", "12.50"],
    ["12,5", ",", "12.50"],
    [" 12,50 ", ",", "12.50"],
    ["12,50", ".", "12.50"],
    ["18,5", ".", "18.50"],
    ["1.500", ",", "amountForm"],
    ["1.500", ".", "amountForm"],
    ["1,500", ".", "amountForm"],
    ["1,500", ",", "amountForm"],
    ["1.500,00", ",", "1500.00"],
    ["1.500,00", ".", "1500.00"],
    ["1,500.00", ",", "1500.00"],
    ["1,234,567", ",", "1234567.00"],
    ["1,234.567,50", ",", "amountForm"],
    ["12,34.50", ",", "amountForm"],
    ["1,234.5.6", ".", "amountForm"],
    ["0.500", ",", "amountForm"],
    ["1 500,00", ",", "1500.00"],
    ["1\u202f500,00", ",", "1500.00"],
    ["1'500.00", ".", "1500.00"],
    ["1’500", ",", "1500.00"],
    ["10'00", ",", "amountForm"],
    ["12,", ",", "amountForm"],
    [",5", ",", "amountForm"],
    ["1,5,0", ",", "amountForm"],
    ["1e3", ".", "amountForm"],
    ["-5", ".", "amountForm"],
    ["25²", ".", "amountForm"],
    ["½", ".", "amountForm"],
    ["12.50 USDC", ".", "amountForm"],
    ["", ".", "amountForm"],
    ["0", ".", "amountTooSmall"],
    ["10000000000", ".", "amountForm"],
    ["1000000000.01", ".", "amountTooLarge"],
    ["١٢٫٥٠", ".", "12.50"],
    ["１２．５", ".", "12.50"],
    ["١٬٢٣٤", ".", "1234.00"],
    ["١٬٢٣٤٫٥٠", ",", "1234.50"],
  ])("reads %j with the mark %j as %s", (text, decimalMark, result) => {
    expect(read(text, decimalMark)).toBe(result);
  });
});

describe("status", () => {
  test("is closed from the moment on at which it ends, and once it is void", () => {
    const open = { voidedAt: null, expiresAt: null };
    expect(Reusable.status(open, 5)).toBe("open");
    expect(Reusable.status({ ...open, expiresAt: 6 }, 5)).toBe("open");
    expect(Reusable.status({ ...open, expiresAt: 5 }, 5)).toBe("closed");
    expect(Reusable.status({ ...open, voidedAt: 1 }, 5)).toBe("closed");
  });
});
