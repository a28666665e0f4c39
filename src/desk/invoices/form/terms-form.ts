import type * as Invoice from "../../../domain/bill/invoice.ts";
import * as Tax from "../../../domain/bill/tax.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { readDiscount, readTax } from "../../../invoicing/request/tax.ts";
import { createFieldReader } from "../../../invoicing/request/validation.ts";
import type { TypedInvoice, TypedLine, TypedTerms } from "./props.ts";

/** Discounts and taxes in the invoice's form, as typed. */

export const noTerms: TypedTerms = { unit: "", discount: "", tax_rate: "", tax_category: "", tax_reason: "" };

/** Whether any were typed. */
export const hasTerms = ({ lines, discount, prices_include_tax }: TypedInvoice): boolean =>
  discount !== "" ||
  prices_include_tax ||
  lines.some(({ terms }) => Object.values(terms).some((text) => text !== ""));

/** A percentage for the API, from a language's decimal mark; anything else stays as typed. */
function percentOf(text: string, mark: string): string {
  const plain = Usdc.plainDecimal(text, mark);
  return plain === null || Tax.parseShare(plain) === null ? text : plain;
}

const percentSign = /\s*[%٪％]$/;

/** `10 %` is a share of the price, `10` an amount. */
export function discountBody(typed: string, mark: string) {
  if (typed === "") return {};
  if (percentSign.test(typed)) return { discount_percent: percentOf(typed.replace(percentSign, ""), mark) };
  const amount = Usdc.parseTyped(typed, mark);
  return { discount_amount: amount === null ? typed : Usdc.format(amount) };
}

const isCategory = (name: string): name is Tax.Category =>
  (Tax.categories as readonly string[]).includes(name);

/** One line for the API. */
export function termsBody({ unit, discount, tax_rate, tax_category, tax_reason }: TypedTerms, mark: string) {
  return {
    ...(unit === "" ? {} : { unit }),
    ...discountBody(discount, mark),
    ...(tax_rate === "" ? {} : { tax_rate: percentOf(tax_rate.replace(percentSign, ""), mark) }),
    ...(isCategory(tax_category) ? { tax_category } : {}),
    ...(tax_reason === "" ? {} : { tax_reason }),
  };
}

/** The total of the form's readable parts. */
export function billOf(
  { lines, discount: whole, prices_include_tax }: TypedInvoice,
  mark: string,
  grossOf: (line: TypedLine) => Usdc.Billed | null,
): { lineTotals: (Usdc.Billed | null)[]; totals: Tax.Totals; discount: Tax.Discount | null } {
  // The API reports faults when the form is sent.
  const reader = createFieldReader([]);
  const read = lines.map((line) => {
    const gross = grossOf(line);
    const body = termsBody(line.terms, mark);
    if (gross === null) return null;
    const off = Tax.discountOf(gross, readDiscount(reader, "", body));
    return { lineTotal: Usdc.fromMicro<Usdc.Billed>(gross - off), tax: readTax(reader, "", body) };
  });
  const discount = readDiscount(reader, "", discountBody(whole, mark));
  const readable = read.filter((line) => line !== null);
  const totals = Tax.totalsOf(readable, { discount, pricesIncludeTax: prices_include_tax });
  return { lineTotals: read.map((line) => line?.lineTotal ?? null), totals, discount };
}

function discountText(discount: Tax.Discount | null, mark: string): string {
  if (discount === null) return "";
  if (discount.kind === "amount") return Usdc.format(discount.amount).replace(".", mark);
  return `${shareText(discount.percent, mark)} %`;
}

const shareText = (share: Tax.Share, mark: string) =>
  Tax.formatShare(share)
    .replace(/\.?0+$/, "")
    .replace(".", mark);

/** What to type to bill the same again. A category that follows from the rate is left empty. */
export function termsLike({ unit, discount, tax }: Invoice.LineItem, mark: string): TypedTerms {
  const isOfRate = tax === null || tax.category === "standard" || tax.category === "zero";
  return {
    unit: unit ?? "",
    discount: discountText(discount, mark),
    tax_rate: tax === null ? "" : shareText(tax.rate, mark),
    tax_category: isOfRate ? "" : tax.category,
    tax_reason: tax?.reason ?? "",
  };
}

/** Lines usually share the tax of the line before. */
export const taxedLike = ({ tax_rate, tax_category, tax_reason }: TypedTerms = noTerms): TypedTerms => ({
  ...noTerms,
  tax_rate,
  tax_category,
  tax_reason,
});

export const wholeLike = ({ discount, pricesIncludeTax }: Invoice.Invoice, mark: string) => ({
  discount: discountText(discount, mark),
  prices_include_tax: pricesIncludeTax,
});
