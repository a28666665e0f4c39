import * as Invoice from "../../../domain/bill/invoice.ts";
import * as Quantity from "../../../domain/bill/quantity.ts";
import * as Tax from "../../../domain/bill/tax.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { type InvoiceRequest, parseInvoiceRequest } from "../../../invoicing/request/invoice.ts";
import { amountText } from "../../terminal/output.ts";
import type { ItemDraft } from "./line-item.ts";
import { faultBy, rulesKnown } from "./request-args.ts";

/** An invoice's request in progress. */
export type InvoiceDraft = Partial<(typeof InvoiceRequest)["static"]> & {
  line_items: ItemDraft[];
  /** For all items. */
  tax_rate?: string;
};

/** The request for the API. */
export function bodyOf({ tax_rate, ...draft }: InvoiceDraft): Omit<InvoiceDraft, "tax_rate"> {
  if (tax_rate === undefined) return draft;
  return { ...draft, line_items: draft.line_items.map((item) => ({ ...item, tax_rate })) };
}

/** What the API would say about one field now; null when it accepts it. */
export function faultOf(draft: InvoiceDraft, field: string): string | null {
  if (field !== "tax_rate") return faultBy(parseInvoiceRequest(bodyOf(draft), rulesKnown), field);
  const line_items = [{ description: "?", quantity: 1, unit_price: "1" }];
  const checked = parseInvoiceRequest(bodyOf({ ...draft, line_items }), rulesKnown);
  return faultBy(checked, "line_items[0].tax_rate");
}

function lineTotal({ quantity, unit_price }: ItemDraft): Usdc.Usdc {
  const exact = Quantity.fromNumber(quantity);
  const price = Usdc.parse(unit_price);
  return exact === null || price === null ? Usdc.zero : Invoice.lineTotal(exact, price);
}

/** Including tax. */
export function total(draft: InvoiceDraft): Usdc.Usdc {
  return Usdc.sum([net(draft), tax(draft)]);
}

const net = ({ line_items }: InvoiceDraft) => Usdc.sum(line_items.map(lineTotal));

export function tax(draft: InvoiceDraft): Usdc.Usdc {
  const rate = Tax.parseShare(draft.tax_rate ?? "");
  if (rate === null) return Usdc.zero;
  const of: Tax.Tax = { category: rate === 0 ? "zero" : "standard", rate, reason: null };
  return Tax.totalsOf([{ lineTotal: net(draft), tax: of }], { discount: null, pricesIncludeTax: false }).tax;
}

/** `10 × 150.00 = 1,500.00  Design` */
export function describeItem(item: ItemDraft): string {
  return `${item.quantity} × ${amountText(item.unit_price)} = ${amountText(Usdc.format(lineTotal(item)))}  ${item.description}`;
}
