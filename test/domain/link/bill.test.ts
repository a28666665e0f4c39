import { expect, test } from "bun:test";
import fc from "fast-check";
import * as Tax from "../../../src/domain/bill/tax.ts";
import * as Bill from "../../../src/domain/link/bill.ts";
import * as Usdc from "../../../src/domain/usdc.ts";

const minors = [10_000n, 1_000_000n, 1_000n];
const line = fc.record({
  amount: fc.integer({ min: 0, max: 999_999 }),
  rate: fc.constantFrom(0, 70_000, 88_750, 190_000),
});

const sale = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 5 }),
    minor: fc.constantFrom(...minors),
    pricesIncludeTax: fc.boolean(),
    paid: fc.bigInt(1n, 10_000_000_000n),
    parts: fc.array(fc.bigInt(1n, 3_000_000_000n), { minLength: 1, maxLength: 6 }),
  })
  .map(({ lines, minor, pricesIncludeTax, ...given }) => {
    const items = lines.map(({ amount, rate }) => ({
      lineTotal: Usdc.fromMicro<Usdc.Billed>(BigInt(amount) * minor),
      tax: { category: "standard" as const, rate, reason: null },
    }));
    return {
      ...given,
      minor,
      bill: { totals: Tax.totalsOf(items, { discount: null, pricesIncludeTax, minor }), pricesIncludeTax },
    };
  });

test("what goes back in parts comes to the bill, tax by tax, in whole cents, and no part of it is below zero", () => {
  fc.assert(
    fc.property(sale, ({ bill, minor, paid, parts }) => {
      let left = paid;
      const earlier: Tax.Totals[] = [];
      for (const wanted of [...parts, paid]) {
        const usdc = wanted < left ? wanted : left;
        if (usdc === 0n) continue;
        const totals = Bill.partOf(bill, { usdc, left, earlier } as never, minor);
        const gross = Usdc.sum(totals.rows.flatMap(({ taxable, tax }) => [taxable, tax]));
        expect(totals.total).toBe(gross);
        expect(totals.total % minor).toBe(0n);
        for (const { taxable, tax } of totals.rows) expect(taxable >= 0n && tax >= 0n).toBe(true);
        const rest = bill.totals.total - Usdc.sum(earlier.map(({ total }) => total));
        // Near the share of what is left.
        const off = totals.total * left - rest * usdc;
        expect((off < 0n ? -off : off) <= minor * left).toBe(true);
        earlier.push(totals);
        left -= usdc;
      }
      const sums = bill.totals.rows.map((_, at) => ({
        taxable: Usdc.sum(earlier.map(({ rows }) => rows[at]?.taxable ?? Usdc.zero)),
        tax: Usdc.sum(earlier.map(({ rows }) => rows[at]?.tax ?? Usdc.zero)),
      }));
      expect(sums).toEqual(bill.totals.rows.map(({ taxable, tax }) => ({ taxable, tax })));
    }),
    { numRuns: Number(process.env["TEST_RUNS"] ?? 300), seed: 1 },
  );
});
