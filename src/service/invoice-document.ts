import type { InvoiceDocument, Look } from "../document/invoice-document.ts";
import * as Invoice from "../domain/invoice.ts";
import { isTestNetwork, type Network } from "../domain/network.ts";
import * as Outcome from "../domain/outcome.ts";
import { paymentUri } from "../domain/payment-uri.ts";
import * as Quantity from "../domain/quantity.ts";
import { invoiceUrl } from "../domain/urls.ts";
import * as Usdc from "../domain/usdc.ts";

/** Names the document that an invoice has just now: another one when more has arrived. */
export function documentKey({ id, deposit }: Invoice.Invoice): string {
  return `${id} ${deposit.received}`;
}

/** What has arrived so far, for whoever looks at an invoice again; null while nothing has. */
export function paymentOf({ deposit }: Invoice.Invoice): InvoiceDocument["payment"] {
  const { received } = deposit;
  if (received === 0n) return null;
  const remaining = Outcome.remaining(deposit);
  return {
    received: Usdc.formatExact(received),
    remaining: remaining === 0n ? null : Usdc.formatExact(remaining),
  };
}

/** An invoice as its PDF shows it: what it was issued with never changes, what is left to pay does. */
export function documentOf(
  invoice: Invoice.Invoice,
  { baseUrl, network, look }: { baseUrl: string; network: Network; look: Look },
): InvoiceDocument {
  const { address: to } = invoice.deposit;
  const amount = Outcome.remaining(invoice.deposit);
  return {
    number: Invoice.number(invoice.sequence),
    issueDate: invoice.issueDate,
    dueDate: invoice.dueDate,
    merchantName: invoice.merchantName,
    merchantAddress: invoice.merchantAddress,
    merchantEmail: invoice.merchantEmail,
    vendorName: invoice.vendorName,
    vendorEmail: invoice.vendorEmail,
    vendorAddress: invoice.vendorAddress,
    lineItems: invoice.lineItems.map((item) => ({
      description: item.description,
      quantity: Quantity.format(item.quantity),
      unitPrice: Usdc.format(item.unitPrice),
      lineTotal: Usdc.format(item.lineTotal),
    })),
    total: Usdc.format(invoice.total),
    notes: invoice.notes,
    payment: paymentOf(invoice),
    depositAddress: to,
    paymentUri: paymentUri({ usdc: network.usdc, chainId: network.chainId, to, amount }),
    invoiceUrl: invoiceUrl(baseUrl, invoice.slug),
    networkName: network.label,
    isTestNetwork: isTestNetwork(network),
    createdAtMs: invoice.createdAt,
    // Of the whole configuration only this: what is more would go to the worker with every document.
    look: { paper: look.paper, language: look.language, brand: look.brand },
  };
}
