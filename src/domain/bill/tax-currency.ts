import * as Calendar from "../calendar.ts";
import * as Usdc from "../usdc.ts";
import * as Currency from "./currency.ts";
import type { Invoice } from "./invoice.ts";
import * as Invoices from "./invoice.ts";
import * as Reference from "./rate/reference.ts";
import * as Tax from "./tax.ts";

/**
 * An invoice's tax in the currency of the seller's country, which the law requires whatever the invoice's currency:
 * Directive 2006/112/EC, Art. 230, and its equivalents in the United Kingdom and Norway.
 */

const euro = "AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK MC".split(" ");

const others: Record<string, Currency.Code> = {
  CZ: "CZK",
  DK: "DKK",
  GB: "GBP",
  HU: "HUF",
  IM: "GBP",
  NO: "NOK",
  PL: "PLN",
  RO: "RON",
  SE: "SEK",
};

/** The euro replaced Bulgaria's lev. */
const euroInBulgariaFrom = "2026-01-01";

/** Null where no known law requires one. */
export function codeOf(country: string | undefined, issueDate: string): Currency.Code | null {
  if (country === undefined) return null;
  if (country === "BG" && issueDate < euroInBulgariaFrom) return "BGN";
  return euro.includes(country) ? "EUR" : (others[country] ?? null);
}

export type Bill = Pick<Invoice, "merchantDetails" | "issueDate" | "totals"> & {
  currency: Pick<Currency.InvoiceCurrency, "code"> | null;
};

export const hasTax = ({ totals }: Pick<Bill, "totals">): boolean => totals !== null && totals.tax > 0n;

/** The currency in which the tax must also be stated; null when it already is, or there is no tax. */
export function neededBy(bill: Bill): Currency.Code | null {
  const { merchantDetails, issueDate, currency } = bill;
  if (!hasTax(bill)) return null;
  const code = codeOf(merchantDetails?.country, issueDate);
  return code === Currency.codeOf({ currency }) ? null : code;
}

/** The tax at a rate; null when the rate does not fit the bill. */
export const of = (bill: Bill, rate: Currency.TaxRate | null): Currency.TaxInCurrency | null =>
  rate !== null && bill.totals !== null && neededBy(bill) === rate.code
    ? { ...rate, tax: convert(bill.totals.tax, rate, Currency.codeOf(bill)) }
    : null;

/**
 * Converts an amount to the other currency, rounded half up. Uses both sides of the bank's equation if there is one, as
 * a rate has few digits for a currency of low value.
 */
function convert(amount: bigint, { rate, code, source }: Currency.TaxRate, from: string): Usdc.Billed {
  const { equation = "" } = Reference.saidIn(source) ?? {};
  const sideOf = (currency: string) =>
    Currency.scaled(new RegExp(`([\\d.]+) ${currency}(?: |$)`).exec(equation)?.[1] ?? "");
  const own = sideOf(code);
  const base = sideOf(from === "USDC" ? "USD" : from);
  const minor = Currency.minorOf(code);
  if (own !== null && base !== null) return Usdc.round(amount * own, base, minor);
  return Currency.fromUsdc(Usdc.fromMicro(amount), rate, code);
}

/**
 * Countries where the rate of the working day before counts, not that of the day itself. Poland: VAT act, art. 31a (1)
 * and (2), which allows the European Central Bank's rate as well as the Polish central bank's.
 */
const dayBefore: ReadonlySet<string> = new Set(["PL"]);

/**
 * The day whose rate counts: that of the supply, or the issue date if that is earlier (Art. 63 to 66, 91); the day
 * before it where the law of the seller's country says so.
 */
export function dayOf({
  merchantDetails,
  ...days
}: Pick<Invoice, "delivery" | "issueDate" | "merchantDetails">): string {
  const day = Invoices.taxPointOf(days);
  return dayBefore.has(merchantDetails?.country ?? "") ? Calendar.dayOf(Calendar.dayNumber(day) - 1) : day;
}

type Billed = Bill & Pick<Invoice, "taxInCurrency">;

/**
 * The tax of a credit note at its invoice's rate; null when the invoice states none. `before` is the tax of earlier
 * credit notes, so that rounding adds up to the cent.
 */
export function ofNote(invoice: Billed, before: bigint, tax: bigint): Currency.TaxInCurrency | null {
  const { taxInCurrency: whole } = invoice;
  if (whole === null) return null;
  const at = (amount: bigint) => convert(amount, whole, Currency.codeOf(invoice));
  return { ...whole, tax: Usdc.fromMicro(at(before + tax) - at(before)) };
}

/**
 * The taxes of the rows of an invoice or a credit note, in the currency of the seller's country. They add up to
 * `stated` to the cent; null where none is stated. An invoice already in that currency uses its own taxes, without a
 * rate.
 */
export function ofRows(
  bill: Bill,
  stated: Currency.TaxInCurrency | null,
  rows: readonly Pick<Tax.TaxRow, "tax">[],
): StatedRow[] | null {
  const taxes = rows.map(({ tax }) => tax);
  const code = codeOf(bill.merchantDetails?.country, bill.issueDate);
  if (code !== null && code === Currency.codeOf(bill))
    return taxes.map((tax) => ({ code, tax, rate: null, source: null }));
  if (stated === null) return null;
  return Tax.apportion(stated.tax, taxes, Currency.minorOf(stated.code)).map((tax) => ({
    ...stated,
    tax: Usdc.fromMicro(tax),
  }));
}

type StatedRow = Pick<Currency.TaxInCurrency, "code" | "tax"> & {
  rate: Currency.Rate | null;
  source: string | null;
};
