import type { InvoiceDocument, Look } from "../document/invoice-document.ts";
import * as Invoice from "../domain/invoice.ts";
import type { Network } from "../domain/network.ts";
import { paymentUri } from "../domain/payment-uri.ts";
import * as Quantity from "../domain/quantity.ts";
import * as Usdc from "../domain/usdc.ts";

/** An invoice as its PDF shows it. It does not depend on what was paid, so it is the same document for ever. */
export function documentOf(
  invoice: Invoice.Invoice,
  { baseUrl, network, look }: { baseUrl: string; network: Network; look: Look },
): InvoiceDocument {
  const to = invoice.deposit.address;
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
    depositAddress: to,
    paymentUri: paymentUri({ usdc: network.usdc, chainId: network.chainId, to, amount: invoice.total }),
    invoiceUrl: `${baseUrl}/i/${invoice.slug}`,
    networkName: network.label,
    createdAtMs: invoice.createdAt,
    // Of the whole configuration only this: what is more would go to the worker with every document.
    look: { paper: look.paper, language: look.language, brand: look.brand },
  };
}
