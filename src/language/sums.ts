import type { CreditNote } from "../domain/bill/credit-note.ts";
import type { TaxInCurrency } from "../domain/bill/currency.ts";
import * as Currency from "../domain/bill/currency.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import { saidIn } from "../domain/bill/rate/reference.ts";
import type { RowRemainder } from "../domain/bill/remainder.ts";
import type * as Tax from "../domain/bill/tax.ts";
import type * as Usdc from "../domain/usdc.ts";
import { inOrder, originOf } from "./bill-currency.ts";
import { fromTheLeft, type Locale, type TextKey } from "./locale.ts";
import { shareText, taxName, taxTitle } from "./tax-words.ts";

/** The currency of a bill's amounts. */
export type Billing = { currency: { code: Currency.Code } | null };

/**
 * A row that leads to a total. The amount is as people read it, with a minus where it is subtracted. `isAside` rows are
 * in another currency, which they name, and are not part of the total.
 */
export type SumRow = { label: string; amount: string; isAside?: boolean };

const untaxed = {
  exempt: "taxExempt",
  reverse_charge: "taxReverse",
  export: "taxExport",
  intra_community: "taxIntra",
  outside_scope: "taxOutside",
} as const satisfies Record<Exclude<Tax.Category, "standard" | "zero">, TextKey>;

/** Returns the rows between an invoice's lines and its total, for people; none if the total is just the lines. */
export function sumRows(
  bill: Pick<Invoice, "discount" | "pricesIncludeTax" | "totals" | "merchantDetails"> &
    Billing &
    Partial<Pick<Invoice, "taxInCurrency">>,
  locale: Locale,
): SumRow[] {
  const { discount, totals, taxInCurrency: stated = null } = bill;
  if (totals === null) return [];
  const figure = (amount: Usdc.Billed) => locale.figure(Currency.formatOf(bill, amount));
  const less = { label: discountLabel(discount, locale), amount: `−${figure(totals.discount)}` };
  return [
    { label: locale.say("subtotal"), amount: figure(totals.subtotal) },
    ...(discount === null ? [] : [less]),
    ...totals.rows.map((row) => ({
      label: taxLabel(row, bill, locale),
      amount: figure(row.tax),
    })),
    ...(stated === null ? [] : [statedRow(stated, bill, locale)]),
  ];
}

/** The tax in the currency of the seller's country, and how it was converted. */
function statedRow(stated: TaxInCurrency, bill: Taxing, locale: Locale): SumRow {
  const { code, tax, rate, source, fetchedAt } = stated;
  const bank = saidIn(source);
  const equation = bank?.equation ?? `1 ${Currency.codeOf(bill)} = ${rate} ${code}`;
  const origin = bank
    ? [locale.say("centralBank"), locale.day(bank.day)]
    : originOf({ source, fetchedAt }, locale);
  const label = locale.say("taxIn", { tax: taxTitle(bill, locale), currency: code });
  return {
    label: `${label}${locale.bracketed(inOrder([equation.replace(/[\d.]+/g, locale.figure), ...origin], locale))}`,
    amount: fromTheLeft(`${locale.figure(Currency.format(tax, code))} ${code}`, locale),
    isAside: true,
  };
}

/** Returns a credit note as a bill. */
export const creditedBill = (
  {
    lines,
    totals,
    taxInCurrency = null,
  }: Pick<CreditNote, "lines" | "totals"> & Partial<Pick<CreditNote, "taxInCurrency">>,
  invoice: Taxing & Pick<Invoice, "totals"> & Billing,
) => ({
  lineItems: lines,
  totals: invoice.totals && totals,
  discount: totals.discount > 0n ? ({ kind: "amount", amount: totals.discount } as const) : null,
  pricesIncludeTax: invoice.pricesIncludeTax,
  merchantDetails: invoice.merchantDetails,
  currency: invoice.currency,
  taxInCurrency,
});

/** Returns the row for what credit notes took off an invoice, below its total; empty if there are none. */
export function creditRows(invoice: Pick<Invoice, "credited" | "currency">, locale: Locale): SumRow[] {
  return invoice.credited === 0n
    ? []
    : [creditRow(locale.say("creditedAmount"), invoice.credited, invoice, locale)];
}

/** Returns the row of a credit. Its label names the currency if it is not USDC, because the total above is in USDC. */
export function creditRow(
  label: string,
  credited: Usdc.Billed,
  { currency }: Pick<Invoice, "currency">,
  locale: Locale,
): SumRow {
  const unit = currency === null ? "" : locale.bracketed(currency.code);
  return { label: `${label}${unit}`, amount: `−${locale.figure(Currency.formatOf({ currency }, credited))}` };
}

function discountLabel(discount: Tax.Discount | null, locale: Locale): string {
  return discount?.kind === "percent"
    ? locale.say("discountShare", { percent: shareText(discount.percent, locale) })
    : locale.say("discount");
}

/** Labels one rate of an invoice with what is left to credit; null for an invoice without taxes. */
export function rowLabel({ of, ...row }: RowRemainder, invoice: Taxing, locale: Locale): string | null {
  return of && taxLabel({ ...of, ...row }, invoice, locale);
}

type Taxing = Pick<Invoice, "pricesIncludeTax" | "merchantDetails"> & Billing;

function taxLabel(row: Tax.TaxRow, bill: Taxing, locale: Locale): string {
  const amount = locale.figure(Currency.formatOf(bill, row.taxable));
  if (row.category === "standard" || row.category === "zero") {
    const values = { rate: shareText(row.rate, locale), amount };
    return bill.pricesIncludeTax && row.category === "standard"
      ? locale.say("taxIncluded", { tax: taxName(bill, locale), ...values })
      : locale.say("taxOn", { tax: taxTitle(bill, locale), ...values });
  }
  const label = locale.say(untaxed[row.category], { amount });
  return row.reason === null ? label : `${label}${locale.bracketed(row.reason)}`;
}
