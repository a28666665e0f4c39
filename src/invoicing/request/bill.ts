import { type Static, Type } from "@sinclair/typebox";
import * as Currency from "../../domain/bill/currency.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Quantity from "../../domain/bill/quantity.ts";
import * as Tax from "../../domain/bill/tax.ts";
import * as Usdc from "../../domain/usdc.ts";
import { why } from "../../language/faults.ts";
import type { NewInvoice } from "../create-invoice.ts";
import * as Field from "./fields.ts";
import {
  checkDiscount,
  checkTaxes,
  discountFields,
  lineTaxFields,
  pricesIncludeTax,
  readDiscount,
  readTax,
} from "./tax.ts";
import type { FieldReader } from "./validation.ts";

/** The lines of a request, with their total. */

const LineItemRequest = Type.Object(
  {
    description: Field.text(1, 500),
    quantity: Type.Number({
      wants: "a number (not a string)",
      means: "with up to six decimals; below 0 for what is taken back",
    }),
    unit_price: Field.meaning("with up to six decimals; the line is rounded to whole cents", Field.amount),
    ...lineTaxFields,
  },
  {
    additionalProperties: false,
    wants: "an object with description, quantity and unit_price",
    noun: "LineItemRequest",
  },
);

export const lineItems = Type.Array(LineItemRequest, {
  minItems: 1,
  maxItems: Invoice.lineItemsMax,
  wants: `a list of 1 to ${Invoice.lineItemsMax} line items`,
});

type LineItems = NewInvoice["lineItems"];
type Bill = Pick<NewInvoice, "lineItems" | "discount" | "pricesIncludeTax" | "totals" | "billed">;

const ofBill = Type.Object({ ...discountFields, prices_include_tax: pricesIncludeTax });
type BillFields = Static<typeof ofBill> & { line_items?: unknown };

/** Reads the lines and computes the total; `includesTax` applies to prices if the request does not say. */
export function readBill(
  reader: FieldReader,
  fields: BillFields,
  { currency, includesTax: byDefault }: Pick<NewInvoice, "currency"> & { includesTax: boolean },
): Bill {
  const code = Currency.codeOf({ currency });
  const minor = Currency.minorOf(code);
  const lineItems = readLineItems(reader, fields.line_items, code);
  const discount = readDiscount(reader, "", fields, code);
  const isComplete = Array.isArray(fields.line_items) && lineItems.length === fields.line_items.length;
  if (isComplete) checkTaxes(reader, lineItems);
  const isTaxed = lineItems.some(({ tax }) => tax !== null);
  const includesTax = fields.prices_include_tax ?? (byDefault && isTaxed);
  if (isComplete && includesTax && !isTaxed) reader.add("prices_include_tax", why("untaxed"));
  const totals = Tax.totalsOf(lineItems, { discount, pricesIncludeTax: includesTax, minor });
  if (isComplete) {
    checkDiscount(reader, "", discount, totals.subtotal, code);
    const below = totals.rows.find(({ taxable }) => taxable < 0n);
    if (below !== undefined && totals.total > 0n)
      reader.add("line_items", why("row_below", { rate: Tax.formatShare(below.rate) }));
    // When a discount is too high, report only that.
    const isOverdone = reader.faults.some(({ field }) => field.endsWith("discount_amount"));
    if (totals.total <= 0n && !isOverdone) reader.add("line_items", why("sum_zero", { unit: code }));
    // Before the discount too: all amounts must fit into 64 bits.
    if (totals.total > Usdc.max || totals.subtotal > Usdc.max)
      reader.add("line_items", why("sum_high", { max: Currency.format(Usdc.max, code), unit: code }));
    else if (totals.total > 0n && currency !== null && currency.rate !== null) {
      const fault = Currency.rateFault(totals.total, currency.rate);
      if (fault !== null) reader.add("rate", fault);
    }
  }
  const isPlain = discount === null && !isTaxed;
  return {
    lineItems,
    discount,
    pricesIncludeTax: includesTax,
    totals: isPlain ? null : totals,
    billed: totals.total,
  };
}

function readLineItems(reader: FieldReader, list: unknown, code: Currency.Code): LineItems {
  if (!Array.isArray(list)) return [];
  return list.slice(0, Invoice.lineItemsMax).flatMap((item: Static<typeof LineItemRequest>, i) => {
    const field = `line_items[${i}]`;
    const description = reader.read(`${field}.description`, item?.description, Field.plainLines);
    const quantity = reader.read(`${field}.quantity`, item?.quantity, Field.lineQuantity);
    const unitPrice = reader.read(`${field}.unit_price`, item?.unit_price, Field.unitPrice(code));
    const unit = reader.read(`${field}.unit`, item?.unit, Field.plainLine) ?? null;
    const discount = readDiscount(reader, `${field}.`, item ?? {}, code);
    const tax = readTax(reader, `${field}.`, item ?? {});
    if (description === undefined || quantity === undefined || unitPrice === undefined) return [];
    const minor = Currency.minorOf(code);
    const gross = Invoice.lineTotal(quantity, unitPrice, minor);
    if (Tax.sizeOf(gross) > Usdc.max) {
      const [each, max] = [Currency.formatPrice(unitPrice, code), Currency.format(Usdc.max, code)];
      const pieces = Quantity.format(Tax.sizeOf(quantity));
      reader.add(`${field}.unit_price`, why("pieces", { quantity: pieces, each, max, unit: code }));
      return [];
    }
    checkDiscount(reader, `${field}.`, discount, gross, code);
    const lineTotal = Tax.lessDiscount(gross, discount, minor);
    return [{ description, quantity, unitPrice, unit, discount, tax, lineTotal }];
  });
}
