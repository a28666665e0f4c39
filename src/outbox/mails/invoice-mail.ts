import { paymentOf } from "../../document/invoice/invoice-document.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Reminder from "../../domain/bill/reminder.ts";
import * as Calendar from "../../domain/calendar.ts";
import * as Usdc from "../../domain/usdc.ts";
import { type InvoicePurpose, invoiceMessage } from "../../mail/messages/invoice-message.tsx";
import type { Attachment, Message } from "../../mail/smtp/message.ts";
import { invoiceOf, type MailDeps, type MailTemplate } from "./mail-kind.ts";
import { owedBackTo, shared } from "./owner.ts";
import { attachmentsOf, isPdf } from "./pdf.ts";

/** Sends an invoice to the customer. */
export const invoiceMail: MailTemplate = {
  // The merchant may have voided it since.
  holds: (owner) => shared(owner).voidedAt === null,

  async write(deps, owner, { withPdf }) {
    const invoice = invoiceOf(owner);
    return toCustomer(deps, invoice, "invoice", withPdf ? await attachmentsOf(deps, invoice) : []);
  },
};

/** Asks the customer for the amount left of an invoice. */
export const reminderMail: MailTemplate = {
  holds: (owner) => Reminder.refusal(invoiceOf(owner)) === null,

  async write(deps, owner, { withPdf }) {
    const invoice = invoiceOf(owner);
    return toCustomer(deps, invoice, "reminder", withPdf ? await attachmentsOf(deps, invoice) : []);
  },
};

/** A mail to the customer about the amount left of an invoice. Only the first has the merchant's notes. */
export function toCustomer(
  deps: MailDeps,
  invoice: Invoice.Invoice,
  purpose: InvoicePurpose,
  attachments: Attachment[] = [],
): Message {
  const { merchantName, merchantEmail, vendorName, vendorEmail, dueDate } = invoice;
  const written = invoiceMessage({
    purpose,
    merchantName,
    merchantEmail,
    vendorName,
    invoiceNumber: invoice.number,
    total: Usdc.formatExact(invoice.deposit.net),
    owedBack: owedBackTo(invoice, deps.language),
    bill: invoice.credited === 0n && (invoice.totals || invoice.currency) ? invoice : null,
    dueDate,
    overdue: Invoice.isOverdue(invoice, Calendar.dayAt(deps.now(), deps.timeZone)),
    invoiceUrl: Invoice.pageUrl(deps.baseUrl, invoice),
    pdfUrl: Invoice.pdfUrl(deps.baseUrl, invoice),
    notes: purpose === "invoice" ? invoice.notes : null,
    reference: invoice.reference,
    payment: paymentOf(invoice),
    network: deps.network,
    hasPdf: attachments.some(isPdf),
    brand: deps.brand,
    language: deps.language,
  });
  return { ...written, to: vendorEmail, replyTo: merchantEmail, fromName: merchantName, attachments };
}
