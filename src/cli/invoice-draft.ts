import * as Invoice from "../domain/invoice.ts";
import * as Quantity from "../domain/quantity.ts";
import * as Usdc from "../domain/usdc.ts";
import { type InvoiceRequest, parseInvoiceRequest } from "../http/invoice-request.ts";
import type { Item } from "./line-item.ts";
import { rulesKnown } from "./request-rules.ts";

/** The request for an invoice while it is being put together. */
export type Draft = Partial<(typeof InvoiceRequest)["static"]> & { line_items: Item[] };

export type TextField = Exclude<keyof Draft, "line_items" | "send_now" | "wallet_type">;

/** What the API would say of one field if the request were sent now; null when it takes it. */
export function faultOf(draft: Draft, field: string): string | null {
  const parsed = parseInvoiceRequest(draft, rulesKnown);
  const fault = parsed.ok ? undefined : parsed.faults.find((found) => found.field === field);
  return fault ? `It ${fault.message}` : null;
}

export function lineTotal({ quantity, unit_price }: Item): Usdc.Usdc {
  const exact = Quantity.fromNumber(quantity);
  const price = Usdc.parse(unit_price);
  return exact === null || price === null ? Usdc.zero : Invoice.lineTotal(exact, price);
}

export function total({ line_items }: Draft): Usdc.Usdc {
  return Usdc.sum(line_items.map(lineTotal));
}

/** `10 × 150.00 = 1500.00  Design` */
export function describeItem(item: Item): string {
  return `${item.quantity} × ${item.unit_price} = ${Usdc.format(lineTotal(item))}  ${item.description}`;
}
