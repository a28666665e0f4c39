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

test("what goes back in parts comes to the bill, tax by tax, and each part is whole cents near its share", () => {
  fc.assert(
    fc.property(sale, ({ bill, minor, paid, parts }) => {
      let before = 0n;
      let total = 0n;
      const sums = bill.totals.rows.map(() => ({ taxable: 0n, tax: 0n }));
      for (const wanted of [...parts, paid]) {
        const usdc = wanted < paid - before ? wanted : paid - before;
        if (usdc === 0n) continue;
        const shares = { paid, before, usdc };
        const { totals, taxBefore } = Bill.partOf(bill, shares as never, minor);
        expect(taxBefore).toBe(sums.reduce((sum, row) => sum + row.tax, 0n));
        expect(totals.total).toBe(
          (totals.tax + Usdc.sum(totals.rows.map(({ taxable }) => taxable))) as never,
        );
        expect(totals.total % minor).toBe(0n);
        // A cent of rounding at either end.
        const exact = (bill.totals.total * usdc) / paid;
        expect(totals.total - exact).toBeLessThanOrEqual(minor);
        expect(exact - totals.total).toBeLessThanOrEqual(minor);
        totals.rows.forEach((row, at) => {
          const sum = sums[at];
          if (sum) sums[at] = { taxable: sum.taxable + row.taxable, tax: sum.tax + row.tax };
        });
        total += totals.total;
        before += usdc;
      }
      expect(total).toBe(bill.totals.total);
      expect(sums).toEqual(bill.totals.rows.map(({ taxable, tax }) => ({ taxable, tax })));
    }),
    { numRuns: Number(process.env["TEST_RUNS"] ?? 300) },
  );
});
