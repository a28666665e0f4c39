import { type Static, Type } from "@sinclair/typebox";
import * as Currency from "../../domain/bill/currency.ts";
import type { LineItem } from "../../domain/bill/invoice.ts";
import * as Tax from "../../domain/bill/tax.ts";
import type * as Usdc from "../../domain/usdc.ts";
import { why } from "../../language/faults.ts";
import * as Field from "./fields.ts";
import { called, type FieldReader, oneOf, type Reading, reading } from "./validation.ts";

/** Request fields for discounts and taxes. */

export const share = Type.String({
  wants: 'a percentage as a string with up to four decimals, such as "19.00"',
});

export const discountFields = {
  discount_percent: Type.Optional(Field.meaning("taken off before tax", share)),
  discount_amount: Type.Optional(Field.meaning("the same as an amount; one of the two", Field.amount)),
};

const categoryNames = Tax.categories.map((name) => `"${name}"`).join(", ");
export const category = called("TaxCategory", oneOf(Tax.categories, `one of ${categoryNames}`));

export const lineTaxFields = {
  unit: Type.Optional(Field.meaning("what is counted, such as h or kg", Field.text(1, 20))),
  ...discountFields,
  tax_rate: Type.Optional(Field.meaning("in percent; on all lines or on none", share)),
  tax_category: Type.Optional(
    Field.meaning("standard with a tax_rate above 0, zero with 0, unless told", category),
  ),
  tax_reason: Type.Optional(
    Field.meaning("why no tax is charged; required with exempt and outside_scope", Field.text(1, 200)),
  ),
};

export const pricesIncludeTax = Type.Optional(
  Type.Boolean({ wants: "true or false", means: "whether unit prices have the tax in them already" }),
);

const ofDiscount = Type.Object(discountFields);
const ofLine = Type.Object(lineTaxFields);

/** A discount, if there is one; `field` prefixes its names in the request. */
export function readDiscount(
  reader: FieldReader,
  field: string,
  { discount_percent, discount_amount }: Static<typeof ofDiscount>,
  code: Currency.Code,
): Tax.Discount | null {
  if (discount_percent !== undefined && discount_amount !== undefined) {
    reader.add(`${field}discount_amount`, why("left_out_with", { other: "discount_percent" }));
    return null;
  }
  const percent = reader.read(`${field}discount_percent`, discount_percent, positiveShare);
  if (percent !== undefined) return { kind: "percent", percent };
  const amount = reader.read(`${field}discount_amount`, discount_amount, Field.price(code));
  return amount === undefined || amount === 0n ? null : { kind: "amount", amount };
}

/** Reports a discount that exceeds the price. */
export function checkDiscount(
  reader: FieldReader,
  field: string,
  discount: Tax.Discount | null,
  of: Usdc.Billed,
  code: Currency.Code,
): void {
  const most = Tax.sizeOf(of);
  if (discount?.kind === "amount" && discount.amount > most)
    reader.add(`${field}discount_amount`, why("at_most", { max: Currency.format(most, code) }));
}

/** Parses a line's tax; null without one, or after a fault. */
export function readTax(reader: FieldReader, field: string, line: Static<typeof ofLine>): Tax.Tax | null {
  const rate = reader.read(`${field}tax_rate`, line.tax_rate, anyShare);
  const reason = reader.read(`${field}tax_reason`, line.tax_reason, Field.plainLine) ?? null;
  const named = line.tax_category;
  if (named === undefined && rate === undefined) {
    if (line.tax_reason !== undefined)
      reader.add(`${field}tax_category`, why("required_with", { other: "tax_reason" }));
    return null;
  }
  const category = named ?? (rate === 0 ? "zero" : "standard");
  if (category === "standard" && !rate) {
    reader.add(`${field}tax_rate`, why("tax_rate_zero"));
    return null;
  }
  if (category !== "standard" && rate) {
    reader.add(`${field}tax_rate`, why("tax_rate_above", { category }));
    return null;
  }
  const other = `the tax_category ${category}`;
  if (Tax.needsReason(category) && line.tax_reason === undefined)
    reader.add(`${field}tax_reason`, why("required_with", { other }));
  if (!Tax.mayHaveReason(category) && line.tax_reason !== undefined)
    reader.add(`${field}tax_reason`, why("left_out_with", { other }));
  return { category, rate: rate ?? 0, reason };
}

/** Checks what a set of lines must share, as EN 16931 (BR-CO-4) and their common table require. */
export function checkTaxes(reader: FieldReader, lines: readonly Pick<LineItem, "tax">[]): void {
  const reasons = new Map<Tax.Category, string | null>();
  for (const [i, { tax }] of lines.entries()) {
    const field = `line_items[${i}].`;
    if (tax === null) {
      if (lines.some((other) => other.tax !== null)) reader.add(`${field}tax_rate`, why("tax_rate_missing"));
      continue;
    }
    const first = reasons.get(tax.category);
    if (first !== undefined && first !== tax.reason)
      reader.add(`${field}tax_reason`, why("tax_reason_mixed", { category: tax.category }));
    reasons.set(tax.category, first ?? tax.reason);
  }
}

export const anyShare = (text: string) => reading(Tax.parseShare(text), why("share"));

function positiveShare(text: string): Reading<Tax.Share> {
  const share = anyShare(text);
  return share.ok && share.value === 0 ? { ok: false, why: why("above_zero") } : share;
}
