import * as Calendar from "../calendar.ts";
import * as Currency from "./currency.ts";
import { type Invoice, supplyDayOf } from "./invoice.ts";
import * as Tax from "./tax.ts";
import * as TaxCurrency from "./tax-currency.ts";

/** Things that may be sent but are usually wrong. Each names the request field that would resolve it. */

type Bill = Pick<
  Invoice,
  | "merchantDetails"
  | "vendorDetails"
  | "delivery"
  | "issueDate"
  | "dueDate"
  | "lineItems"
  | "totals"
  | "discount"
  | "pricesIncludeTax"
> &
  TaxCurrency.Bill & {
    /** Undefined before the invoice is created. */
    taxInCurrency?: Invoice["taxInCurrency"];
  };

export const codes = [
  "no_tax_id",
  "no_buyer_tax_id",
  "no_delivery_date",
  "delivery_far",
  "earlier_period",
  "issue_back",
  "issue_ahead",
  "due_past",
  "due_far",
  "no_tax_rate_known",
  "tax_by_line",
  "french_rules",
] as const;

type Valued = {
  earlier_period: Through;
  issue_back: Days;
  issue_ahead: Days;
  no_tax_rate_known: InCode;
  tax_by_line: TwoTaxes;
};
type Through = { day: string };
type Days = { days: number };
type InCode = { currency: Currency.Code };
type TwoTaxes = { tax: string; lines: string };

export type Warning = { field: string } & {
  [C in (typeof codes)[number]]: C extends keyof Valued
    ? { code: C; values: Valued[C] }
    : { code: C; values?: undefined };
}[(typeof codes)[number]];

/** Days between issue date and today beyond which the invoice was forgotten or misdated. */
const backMax = 31;
const aheadMax = 7;
/** Nobody bills longer than this before or after delivery, in days. */
const farMax = 366;
/** Likely a mistyped year; leaves room for payment over several years. In days. */
const dueMax = 5 * farMax;

/** Countries whose law requires no tax number of the seller on an invoice. */
const withoutTaxId = ["US"];

/** Countries whose law requires no day of supply. */
const withoutSupplyDay = ["JP", "US"];

/** The first and last day of a delivery. */
function daysOf(delivery: Bill["delivery"]): string[] {
  if (delivery === null) return [];
  return delivery.kind === "day" ? [delivery.day] : [delivery.from, delivery.to];
}

/**
 * `today` is the day of creation or viewing, in the merchant's time zone; `closed` the last closed day of the books, if
 * tax counts on the day of supply, or null.
 */
export function warningsOf(bill: Bill, today: string, closed: string | null): Warning[] {
  const { merchantDetails: seller, vendorDetails: buyer, delivery, issueDate, dueDate, totals } = bill;
  const found: Warning[] = [];
  const after = (day: string, other: string) => Calendar.dayNumber(day) - Calendar.dayNumber(other);
  const rows = totals?.rows ?? [];
  const isOf = (...categories: Tax.Category[]) => rows.some(({ category }) => categories.includes(category));
  const isTaxed = rows.some(({ category }) => category !== "outside_scope");
  const isNumbered = Boolean(seller?.vatId || seller?.taxId) || withoutTaxId.includes(seller?.country ?? "");
  if (isTaxed && !isNumbered) found.push({ field: "merchant_details.vat_id", code: "no_tax_id" });
  const isNamed = Boolean(buyer?.vatId) || (!isOf("intra_community") && Boolean(buyer?.registration));
  if (isOf("reverse_charge", "intra_community") && !isNamed)
    found.push({ field: "vendor_details.vat_id", code: "no_buyer_tax_id" });
  if (isTaxed && delivery === null && !withoutSupplyDay.includes(seller?.country ?? ""))
    found.push({ field: "delivery_date", code: "no_delivery_date" });
  if (daysOf(delivery).some((day) => Math.abs(after(day, issueDate)) > farMax))
    found.push({
      field: delivery?.kind === "day" ? "delivery_date" : "delivery_from",
      code: "delivery_far",
    });
  if (isTaxed && closed !== null && supplyDayOf(bill) <= closed)
    found.push({
      field: delivery?.kind === "period" ? "delivery_to" : "delivery_date",
      code: "earlier_period",
      values: { day: closed },
    });
  const days = after(issueDate, today);
  if (days < -backMax) found.push({ field: "issue_date", code: "issue_back", values: { days: -days } });
  if (days > aheadMax) found.push({ field: "issue_date", code: "issue_ahead", values: { days } });
  if (dueDate < today) found.push({ field: "due_date", code: "due_past" });
  if (after(dueDate, issueDate) > dueMax) found.push({ field: "due_date", code: "due_far" });
  const currency = TaxCurrency.neededBy(bill);
  if (bill.taxInCurrency === null && currency !== null)
    found.push({ field: "tax_exchange_rate", code: "no_tax_rate_known", values: { currency } });
  if (isTaxed && seller?.country === "FR" && buyer?.country === "FR")
    found.push({ field: "vendor_details.country", code: "french_rules" });
  const lines = taxByLine(bill);
  if (totals !== null && lines !== null && lines !== totals.tax) {
    const text = (tax: bigint) => Currency.format(tax, Currency.codeOf(bill));
    const values = { tax: text(totals.tax), lines: text(lines) };
    found.push({ field: "prices_include_tax", code: "tax_by_line", values });
  }
  return found;
}

/**
 * The included tax when each line is rounded on its own, as on many receipts; null unless prices include tax and there
 * is no discount on the whole.
 */
function taxByLine({ lineItems, pricesIncludeTax, discount, ...bill }: Bill): bigint | null {
  if (!pricesIncludeTax || discount !== null) return null;
  const minor = Currency.minorOf(Currency.codeOf(bill));
  return lineItems.reduce(
    (sum, { lineTotal, tax }) => sum + (tax === null ? 0n : Tax.taxOf(lineTotal, tax.rate, true, minor)),
    0n,
  );
}
