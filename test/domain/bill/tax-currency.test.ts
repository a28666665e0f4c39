import { expect, test } from "bun:test";
import * as Currency from "../../../src/domain/bill/currency.ts";
import type { Invoice } from "../../../src/domain/bill/invoice.ts";
import * as TaxCurrency from "../../../src/domain/bill/tax-currency.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import { createRandom } from "../../support/random.ts";
import { line, seller, subject } from "../einvoice/samples.ts";

type Bill = Pick<Invoice, "merchantDetails" | "issueDate" | "totals" | "currency" | "taxInCurrency">;
const micro = (text: string, code: string) => Currency.parse(text, code) ?? Usdc.zero;

/** A bill of a German seller with so much tax. */
function billOf(tax: string, code: string, equation: string): Bill {
  const { totals, ...bill } = subject([line()], {
    currency: { code, rate: "1", source: "caller", fetchedAt: 0, total: Usdc.zero },
  });
  const stated = { code: "EUR", rate: "0.0000526316", source: `ECB 2026-11-20: ${equation}`, fetchedAt: 0 };
  const of = { ...bill, merchantDetails: seller, totals: totals && { ...totals, tax: micro(tax, code) } };
  return { ...of, taxInCurrency: TaxCurrency.of(of, stated) };
}
const text = (bill: Bill) => Currency.format(bill.taxInCurrency?.tax ?? -1n, "EUR");

test("is what the equation beside it gives, also of a currency of little worth", () => {
  expect(text(billOf("149999927.00", "IDR", "1 EUR = 19000 IDR"))).toBe("7894.73");
  expect(text(billOf("19.00", "USD", "1 EUR = 1.1500 USD"))).toBe("16.52");
  expect(text(billOf("19", "JPY", "1 EUR = 170.55 JPY"))).toBe("0.11");
});

test("comes to the whole, cent by cent, whatever it is credited in and split into", () => {
  const random = createRandom(3);
  for (let round = 0; round < 500; round += 1) {
    const cents = random.between(1, 100_000);
    const bill = billOf(
      (cents / 100).toFixed(2),
      "USD",
      `1 EUR = ${random.between(5_000, 20_000) / 10_000} USD`,
    );
    const whole = bill.taxInCurrency?.tax ?? 0n;
    let left = cents;
    let before = 0n;
    let sum = 0n;
    while (left > 0) {
      const part = BigInt(random.between(1, left)) * 10_000n;
      const note = TaxCurrency.ofNote(bill, before, part);
      const half = (part / 20_000n) * 10_000n;
      const rows = TaxCurrency.ofRows(
        bill,
        note,
        [half, part - half].map((tax) => ({ tax: tax as Usdc.Billed })),
      );
      expect((rows ?? []).reduce((all, { tax }) => all + tax, 0n)).toBe(note?.tax ?? -1n);
      sum += note?.tax ?? 0n;
      before += part;
      left -= Number(part / 10_000n);
    }
    expect(sum).toBe(whole);
  }
});

test("counts the rate of the day of supply, or of issue if that is earlier; in Poland of the day before", () => {
  const dayOf = (country: string, issueDate: string, supplied: string | null) =>
    TaxCurrency.dayOf({
      merchantDetails: { ...seller, country },
      issueDate,
      delivery: supplied === null ? null : { kind: "day", day: supplied },
    });
  // Friday, 20 November 2026: the last working day before is Thursday. Before a Monday it is found from Sunday on.
  expect(dayOf("PL", "2026-11-25", "2026-11-20")).toBe("2026-11-19");
  expect(dayOf("PL", "2026-11-18", "2026-11-20")).toBe("2026-11-17");
  expect(dayOf("PL", "2026-11-23", null)).toBe("2026-11-22");
  expect(dayOf("CZ", "2026-11-25", "2026-11-20")).toBe("2026-11-20");
  expect(dayOf("DE", "2026-11-18", "2026-11-20")).toBe("2026-11-18");
});
