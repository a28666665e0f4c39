import * as Invoice from "../../../domain/invoice.ts";
import * as Quantity from "../../../domain/quantity.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { type InvoiceRequest, parseInvoiceRequest } from "../../../http/invoices/invoice-request.ts";
import { amountText } from "../../terminal/output.ts";
import type { Item } from "./line-item.ts";
import { faultBy, rulesKnown } from "./request-args.ts";

/** The request for an invoice while it is being put together. */
export type Draft = Partial<(typeof InvoiceRequest)["static"]> & { line_items: Item[] };

/** What the API would say of one field if the request were sent now; null when it takes it. */
export function faultOf(draft: unknown, field: string): string | null {
  return faultBy(parseInvoiceRequest(draft, rulesKnown), field);
}

export function lineTotal({ quantity, unit_price }: Item): Usdc.Usdc {
  const exact = Quantity.fromNumber(quantity);
  const price = Usdc.parse(unit_price);
  return exact === null || price === null ? Usdc.zero : Invoice.lineTotal(exact, price);
}

export function total({ line_items }: Draft): Usdc.Usdc {
  return Usdc.sum(line_items.map(lineTotal));
}

/** `10 × 150.00 = 1,500.00  Design` */
export function describeItem(item: Item): string {
  return `${item.quantity} × ${amountText(item.unit_price)} = ${amountText(Usdc.format(lineTotal(item)))}  ${item.description}`;
}
