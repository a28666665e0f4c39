import { paymentOf } from "../../document/invoice/invoice-document.ts";
import * as Calendar from "../../domain/calendar.ts";
import * as Invoice from "../../domain/invoice.ts";
import * as Usdc from "../../domain/usdc.ts";
import { invoiceMessage } from "../../mail/messages/invoice-message.ts";
import { invoiceOf, type MailKind } from "./mail-kind.ts";
import { attachmentsOf } from "./pdf.ts";

/** Brings an invoice to the customer. */
export const invoiceMail: MailKind = {
  // The merchant asked for it.
  holds: () => true,

  async write(deps, owner, { withPdf }) {
    const invoice = invoiceOf(owner);
    const { merchantName, merchantEmail, vendorName, vendorEmail, dueDate, notes } = invoice;
    const attachments = withPdf ? await attachmentsOf(deps, invoice) : [];
    const written = invoiceMessage({
      merchantName,
      merchantEmail,
      vendorName,
      invoiceNumber: invoice.number,
      total: Usdc.format(invoice.total),
      dueDate,
      overdue: Invoice.isOverdue(invoice, Calendar.dayAt(deps.now(), deps.timeZone)),
      invoiceUrl: Invoice.pageUrl(deps.baseUrl, invoice),
      pdfUrl: Invoice.pdfUrl(deps.baseUrl, invoice),
      notes,
      payment: paymentOf(invoice),
      network: deps.network,
      hasPdf: attachments.length > 0,
      brand: deps.brand,
      language: deps.language,
    });
    return { ...written, to: vendorEmail, replyTo: merchantEmail, fromName: merchantName, attachments };
  },
};
