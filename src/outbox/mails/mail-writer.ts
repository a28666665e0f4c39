import { paymentOf } from "../../document/invoice/invoice-document.ts";
import * as Currency from "../../domain/bill/currency.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Reminder from "../../domain/bill/reminder.ts";
import * as Calendar from "../../domain/calendar.ts";
import * as Standing from "../../domain/payment/standing.ts";
import * as Usdc from "../../domain/usdc.ts";
import { type InvoicePurpose, invoiceMessage } from "../../mail/messages/invoice-message.tsx";
import { voidMessage } from "../../mail/messages/void-message.tsx";
import type { Attachment, Message } from "../../mail/smtp/message.ts";
import type { Db } from "../../store/database.ts";
import * as CreditNoteStore from "../../store/tables/invoicing/credit-note.ts";
import type * as MailStore from "../../store/tables/outbox/mail.ts";
import { invoiceOf, type MailDeps, type MailTemplate } from "./mail-kind.ts";
import { type Owner, owedBackTo, shared } from "./owner.ts";
import { isTrue, occasionOf, paidMessage } from "./paid.ts";
import { attachmentsOf, creditNoteAttachmentsOf, isPdf, receiptAttachmentsOf } from "./pdf.ts";

/** Sends an invoice to the customer. */
const invoiceMail: MailTemplate = {
  // The merchant may have voided it since.
  holds: (owner) => shared(owner).voidedAt === null,

  async write(deps, owner, { withPdf }) {
    const invoice = invoiceOf(owner);
    return toCustomer(deps, invoice, "invoice", withPdf ? await attachmentsOf(deps, invoice) : []);
  },
};

/** Asks the customer for the amount left of an invoice. */
const reminderMail: MailTemplate = {
  holds: (owner) => Reminder.refusal(invoiceOf(owner)) === null,

  async write(deps, owner, { withPdf }) {
    const invoice = invoiceOf(owner);
    return toCustomer(deps, invoice, "reminder", withPdf ? await attachmentsOf(deps, invoice) : []);
  },
};

/** A mail to the customer about the amount left of an invoice. Only the first has the merchant's notes. */
function toCustomer(
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

/** Tells the customer that an invoice is no longer owed. */
const voidMail: MailTemplate = {
  // A void invoice stays void.
  holds: () => true,

  async write(deps, owner, { withPdf }) {
    const { baseUrl, brand, language } = deps;
    const invoice = invoiceOf(owner);
    const { merchantName, merchantEmail, vendorName, vendorEmail, number, voidReason } = invoice;
    // With tax there is a credit note for the rest, which this mail includes.
    const note = CreditNoteStore.listByInvoice(deps.db, invoice.sequence).findLast(
      ({ createdAt }) => createdAt === invoice.voidedAt,
    );
    const attachments = withPdf && note ? await creditNoteAttachmentsOf(deps, owner, note) : [];
    const written = voidMessage({
      merchantName,
      merchantEmail,
      vendorName,
      invoiceNumber: number,
      total: Usdc.format(Invoice.billedTotal(invoice)),
      ...(invoice.currency && { currency: invoice.currency.code }),
      reference: invoice.reference,
      reason: voidReason ?? "",
      ...(note && { creditNote: note.number }),
      invoiceUrl: Invoice.pageUrl(baseUrl, invoice),
      hasPdf: attachments.some(isPdf),
      brand,
      language,
    });
    return { ...written, to: vendorEmail, replyTo: merchantEmail, fromName: merchantName, attachments };
  },
};

/** Tells the payer that everything is paid, or what is left. */
const receiptMail: MailTemplate = {
  holds: (owner, occasion, db) => isTrue(owner, occasionOf(occasion), db) && addressOf(owner) !== null,

  async write(deps, owner, { occasion, withPdf }) {
    if (owner.kind === "invoice" && occasionOf(occasion) === "partial")
      return toCustomer(deps, owner.invoice, "part");
    const to = addressOf(owner);
    if (to === null) throw new Error("Nobody wants a receipt of this link");
    const attachments = withPdf ? await receiptAttachmentsOf(deps, owner) : [];
    const hasPdf = attachments.length > 0;
    const written = paidMessage(deps, owner, { kind: "receipt", occasion: "paid", hasPdf });
    // A link does not reveal the merchant's address.
    const sender =
      owner.kind === "invoice"
        ? { replyTo: owner.invoice.merchantEmail, fromName: owner.invoice.merchantName }
        : { replyTo: null, fromName: owner.link.businessName };
    return { ...written, ...sender, to, attachments };
  },
};

/** Tells the merchant what has been paid. */
const noticeMail: MailTemplate = {
  holds: (owner, occasion, db) => isTrue(owner, occasionOf(occasion), db),

  write(deps, owner, { occasion }) {
    const written = paidMessage(deps, owner, { kind: "notice", occasion: occasionOf(occasion) });
    const [to, replyTo] =
      owner.kind === "invoice"
        ? [owner.invoice.merchantEmail, owner.invoice.vendorEmail]
        : [owner.link.merchantEmail, owner.link.payerEmail];
    return { ...written, to, replyTo, fromName: null };
  },
};

const addressOf = (owner: Owner) =>
  owner.kind === "invoice" ? owner.invoice.vendorEmail : owner.link.payerEmail;

/** Sends a credit note to the customer; its number is the occasion. */
const creditMail: MailTemplate = {
  // A credit note never changes.
  holds: () => true,

  async write(deps, owner, { occasion, withPdf }) {
    const { baseUrl, brand, language } = deps;
    const invoice = invoiceOf(owner);
    const { merchantName, merchantEmail, vendorName, vendorEmail, number } = invoice;
    const note = CreditNoteStore.byNumber(deps.db, occasion);
    if (!note) throw new Error(`There is no credit note ${occasion}`);
    const { due } = Standing.of(invoice);
    const attachments = withPdf ? await creditNoteAttachmentsOf(deps, owner, note) : [];
    const written = voidMessage({
      merchantName,
      merchantEmail,
      vendorName,
      invoiceNumber: number,
      total: Usdc.format(note.totals.total),
      currency: Currency.codeOf(invoice),
      reference: invoice.reference,
      reason: note.reason,
      invoiceUrl: Invoice.pageUrl(baseUrl, invoice),
      credit: {
        number: note.number,
        due: due === 0n ? null : Usdc.formatExact(due),
        toReturn: note.toReturn === 0n ? null : Usdc.formatExact(note.toReturn),
      },
      hasPdf: attachments.some(isPdf),
      brand,
      language,
    });
    return { ...written, to: vendorEmail, replyTo: merchantEmail, fromName: merchantName, attachments };
  },
};

const kinds: Record<MailStore.MailKind, MailTemplate> = {
  invoice: invoiceMail,
  reminder: reminderMail,
  receipt: receiptMail,
  notice: noticeMail,
  void: voidMail,
  credit: creditMail,
};

type MailKey = Pick<MailStore.DueMail, "kind" | "occasion">;

/** Whether a mail is still true of its owner. */
export const holds = (mail: MailKey, owner: Owner, db: Db): boolean =>
  kinds[mail.kind].holds(owner, mail.occasion, db);

/** Writes a mail about its owner's current state. */
export async function writeMail(
  deps: MailDeps,
  mail: MailKey,
  owner: Owner,
  { withPdf } = { withPdf: true },
): Promise<Message> {
  return await kinds[mail.kind].write(deps, owner, { occasion: mail.occasion, withPdf });
}
