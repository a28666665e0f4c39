import type { Static } from "@sinclair/typebox";
import * as Currency from "../../../domain/bill/currency.ts";
import * as Tax from "../../../domain/bill/tax.ts";
import { type Bill, ofOne } from "../../../domain/link/bill.ts";
import type { Price } from "../../../domain/link/reusable-link.ts";
import * as Reusable from "../../../domain/link/reusable-link.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { why } from "../../../language/faults.ts";
import type { NewLink } from "../../links/create-link.ts";
import { readBill } from "../bill.ts";
import { readCurrency } from "../currency.ts";
import * as Field from "../fields.ts";
import { readTax } from "../tax.ts";
import type { FieldReader, Reading } from "../validation.ts";
import type { LinkRequest } from "./link-schema.ts";

/** The amount of a one-time link, or the price of each payment of a reusable one. */
type LinkPrice = { currency: NewLink["currency"] } & (
  | { kind: "once"; billed: Usdc.Billed; bill: Bill | null }
  | { kind: "again"; price: Price; tax: Tax.Tax | null }
);

type PriceFields = Partial<Static<typeof LinkRequest>>;

const ofOnePrice = ["expected_amount", "amount", "tax_rate", "tax_category", "tax_reason"] as const;

const ofReusable = ["amount_min", "amount_max", "quantity_max"] as const;

/** Returns whether its price is in a currency, or a part of the request implies it. */
export function isInCurrency(body: unknown): boolean {
  const fields: { currency?: unknown; amount?: unknown } = typeof body === "object" && body ? body : {};
  return (fields.currency ?? fields.amount ?? null) !== null;
}

/** Parses a link's price; null after a fault. */
export function readLinkPrice(reader: FieldReader, fields: PriceFields): LinkPrice | null {
  const currency = readCurrency(reader, fields);
  const field = isInCurrency(fields) ? "amount" : "expected_amount";
  // After a fault in the currency, use it as requested.
  const unit =
    currency === null && field === "amount" ? String(fields.currency ?? "") : Currency.codeOf({ currency });
  const billed = reader.read(field, fields[field], positivePrice(unit));
  const isReusable = fields.reusable === true;
  if (fields.line_items !== undefined) return readLines(reader, fields, currency, isReusable);
  const tax = readTax(reader, "", fields);
  if (fields.prices_include_tax !== undefined && tax === null)
    reader.add("prices_include_tax", why("left_out_without", { other: "tax_rate or line_items" }));
  const isChosen = isReusable && (fields.amount_min !== undefined || fields.amount_max !== undefined);
  const isObject = !reader.faults.some(({ field }) => field === "body");
  if (field === "amount") {
    if (fields.currency === undefined) reader.add("currency", why("currency_missing"));
    if (fields.expected_amount !== undefined) reader.add("expected_amount", why("computed_amount"));
  }
  if (isReusable && fields[field] === undefined && !isChosen && isObject)
    reader.add(field, why("required_without", { other: "amount_min and amount_max" }));
  if (!isReusable) {
    for (const field of ofReusable)
      if (fields[field] !== undefined)
        reader.add(field, why("left_out_without", { other: "reusable: true" }));
    if (field === "amount" && fields.amount === undefined)
      reader.add("amount", why("required_with", { other: "currency" }));
    return billed === undefined ? null : onePrice(reader, fields, { field, billed, currency, tax });
  }
  // Whoever begins a payment must see and choose what they pay.
  if (fields.prices_include_tax === false)
    reader.add("prices_include_tax", why("left_out_with", { other: "reusable: true" }));
  const price = isChosen ? readBounds(reader, fields, unit) : readFixed(reader, fields, billed, unit);
  return price && { kind: "again", price, currency, tax };
}

/** One price, with its tax included or added. */
function onePrice(
  reader: FieldReader,
  { business_name = "", product_description, prices_include_tax = true }: PriceFields,
  {
    field,
    billed,
    currency,
    tax,
  }: { field: string; billed: Usdc.Billed; currency: LinkPrice["currency"]; tax: Tax.Tax | null },
): LinkPrice {
  if (tax === null) return { kind: "once", billed, currency, bill: null };
  const description = product_description || business_name;
  const code = Currency.codeOf({ currency });
  const bill = ofOne(
    { description, quantity: 1, total: billed, tax },
    { pricesIncludeTax: prices_include_tax, code },
  );
  const { total } = bill.totals;
  if (total > Usdc.max)
    reader.add(field, why("sum_high", { max: Currency.format(Usdc.max, code), unit: code }));
  return { kind: "once", billed: total, currency, bill };
}

/** The price is the total of the lines. */
function readLines(
  reader: FieldReader,
  fields: PriceFields,
  currency: LinkPrice["currency"],
  isReusable: boolean,
): LinkPrice {
  if (isReusable) reader.add("line_items", why("left_out_with", { other: "reusable: true" }));
  for (const field of ofOnePrice)
    if (fields[field] !== undefined) reader.add(field, why("left_out_with", { other: "line_items" }));
  for (const field of ofReusable)
    if (fields[field] !== undefined) reader.add(field, why("left_out_without", { other: "reusable: true" }));
  const {
    lineItems: lines,
    totals,
    pricesIncludeTax,
    billed,
  } = readBill(reader, fields, {
    currency,
    includesTax: true,
  });
  const minor = Currency.minorOf(Currency.codeOf({ currency }));
  const bill = { lines, pricesIncludeTax, totals: totals ?? Tax.totalsOf(lines, { ...noDiscount, minor }) };
  return { kind: "once", billed, currency, bill };
}

const noDiscount = { discount: null, pricesIncludeTax: false } as const;

function readFixed(
  reader: FieldReader,
  fields: PriceFields,
  each: Usdc.Billed | undefined,
  unit: string,
): Price | null {
  const quantityMax = fields.quantity_max ?? 1;
  if (each === undefined || reader.faults.some(({ field }) => field === "quantity_max")) return null;
  if (Reusable.times(each, quantityMax) > Usdc.max) {
    const price = Currency.format(each, unit);
    const max = Currency.format(Usdc.max, unit);
    reader.add("quantity_max", why("pieces", { quantity: quantityMax, each: price, max, unit }));
    return null;
  }
  return { kind: "fixed", each, quantityMax };
}

function readBounds(reader: FieldReader, fields: PriceFields, unit: string): Price | null {
  const min = reader.read("amount_min", fields.amount_min, positivePrice(unit));
  const max = reader.read("amount_max", fields.amount_max, positivePrice(unit));
  if (fields.amount_min === undefined)
    reader.add("amount_min", why("required_with", { other: "amount_max" }));
  if (fields.amount_max === undefined)
    reader.add("amount_max", why("required_with", { other: "amount_min" }));
  for (const field of ["expected_amount", "amount"] as const)
    if (fields[field] !== undefined) reader.add(field, why("chosen_amount"));
  if (fields.quantity_max !== undefined) reader.add("quantity_max", why("chosen_pieces"));
  if (min === undefined || max === undefined) return null;
  if (max < min) {
    reader.add("amount_max", why("amount_below", { other: "amount_min", min: Currency.format(min, unit) }));
    return null;
  }
  return { kind: "chosen", min, max };
}

const positivePrice =
  (unit: string) =>
  (value: string): Reading<Usdc.Billed> => {
    const price = Field.price(unit)(value);
    return price.ok && price.value === Usdc.zero
      ? { ok: false, why: why("amount_zero", { zero: Currency.format(0n, unit), unit }) }
      : price;
  };
