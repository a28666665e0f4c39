import * as Calendar from "../calendar.ts";
import * as Currency from "./currency.ts";
import type { Invoice } from "./invoice.ts";
import * as Tax from "./tax.ts";
import * as TaxCurrency from "./tax-currency.ts";

/** What may be sent and is usually wrong. Each names the field of a request that would end it. */

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
    /** Undefined before it is made. */
    taxInCurrency?: Invoice["taxInCurrency"];
  };

export const codes = [
  "no_tax_id",
  "no_buyer_tax_id",
  "no_delivery_date",
  "delivery_far",
  "issue_back",
  "issue_ahead",
  "due_past",
  "due_far",
  "no_tax_rate_known",
  "tax_by_line",
  "french_rules",
] as const;

type Valued = { issue_back: Days; issue_ahead: Days; no_tax_rate_known: InCode; tax_by_line: Both };
type Days = { days: number };
type InCode = { currency: Currency.Code };
type Both = { tax: string; lines: string };

export type Warning = { field: string } & {
  [C in (typeof codes)[number]]: C extends keyof Valued
    ? { code: C; values: Valued[C] }
    : { code: C; values?: undefined };
}[(typeof codes)[number]];

/** An invoice of another day than today was forgotten, or is dated by mistake: in days. */
const backMax = 31;
const aheadMax = 7;
/** Nobody is billed longer before or after it is delivered. */
const farMax = 366;
/** A year mistyped: who means it bills what is paid over years. */
const dueMax = 5 * farMax;

/** Where the law wants no number of the seller's on an invoice. */
const withoutTaxId = ["US"];

/** Where the law asks for no day of supply. */
const withoutSupplyDay = ["JP", "US"];

/** The first and the last day of a delivery. */
function daysOf(delivery: Bill["delivery"]): string[] {
  if (delivery === null) return [];
  return delivery.kind === "day" ? [delivery.day] : [delivery.from, delivery.to];
}

/** `today` is the merchant's day on which it was made, or is looked at. */
export function warningsOf(bill: Bill, today: string): Warning[] {
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

/** What the taxes within the prices come to when each line is rounded, as on many receipts; null where that is no question. */
function taxByLine({ lineItems, pricesIncludeTax, discount, ...bill }: Bill): bigint | null {
  if (!pricesIncludeTax || discount !== null) return null;
  const minor = Currency.minorOf(Currency.codeOf(bill));
  return lineItems.reduce(
    (sum, { lineTotal, tax }) => sum + (tax === null ? 0n : Tax.taxOf(lineTotal, tax.rate, true, minor)),
    0n,
  );
}
