import * as Invoice from "../domain/invoice.ts";
import * as Quantity from "../domain/quantity.ts";
import { pdfUrl } from "../domain/urls.ts";
import * as Usdc from "../domain/usdc.ts";
import type { InvoicePageProps } from "../pages/invoice-page.tsx";
import type { Reader } from "../pages/language/reader.ts";
import type { HttpDeps } from "./deps.ts";
import { invoicePaymentProps } from "./payment-props.ts";

/** What the hosted invoice page shows. */
export function invoicePageProps(deps: HttpDeps, invoice: Invoice.Invoice, reader: Reader): InvoicePageProps {
  return {
    number: Invoice.number(invoice.sequence),
    merchantName: invoice.merchantName,
    merchantAddress: invoice.merchantAddress,
    merchantEmail: invoice.merchantEmail,
    vendorName: invoice.vendorName,
    vendorAddress: invoice.vendorAddress,
    issueDate: invoice.issueDate,
    dueDate: invoice.dueDate,
    timeZone: deps.config.timeZone,
    notes: invoice.notes,
    lineItems: invoice.lineItems.map((item) => ({
      description: item.description,
      quantity: Quantity.format(item.quantity),
      unitPrice: Usdc.format(item.unitPrice),
      lineTotal: Usdc.format(item.lineTotal),
    })),
    total: Usdc.format(invoice.total),
    pdfUrl: pdfUrl(deps.baseUrl, invoice.id),
    paymentUrl: `/i/${invoice.slug}/payment?lang=${reader.code}`,
    brand: deps.config.brand,
    payment: invoicePaymentProps(deps, invoice, reader),
  };
}
