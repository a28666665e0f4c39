import type { Log } from "../config/log-events.ts";
import { paymentOf } from "../document/invoice/invoice-document.ts";
import type { Brand } from "../domain/brand.ts";
import * as Calendar from "../domain/calendar.ts";
import * as Invoice from "../domain/invoice.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Network } from "../domain/wallet/network.ts";
import { transactionUrl } from "../domain/wallet/network.ts";
import type { LanguageCode } from "../language/languages.ts";
import { messageOf } from "../lib/error.ts";
import { within } from "../lib/loop.ts";
import { invoiceMessage } from "../mail/messages/invoice-message.ts";
import { type Payment, paymentMessage } from "../mail/messages/payment-message.ts";
import type { Attachment, Message } from "../mail/smtp/message.ts";
import type { Db } from "../store/database.ts";
import type { MailKind } from "../store/tables/outbox/mail.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";

/** A PDF takes a tenth of a second. Without it the mail leads to the page, which is enough. */
const pdfWaitMsMax = 4_000;

/** So many payments are listed in a mail; of the others it says how many there are. */
const paymentsMax = 20;

export type MailWriterDeps = {
  db: Db;
  baseUrl: string;
  timeZone: string;
  network: Network;
  brand: Brand;
  language: LanguageCode;
  /** Makes the PDF that the invoice's mail brings along; null: it brings none. */
  pdfOf: ((invoice: Invoice.Invoice) => Promise<Uint8Array>) | null;
  now: () => number;
  log: Log;
};

/** Writes a mail about an invoice, as it is at that moment: who gets what, and what is in it. */
export type MailWriter = (
  kind: MailKind,
  invoice: Invoice.Invoice,
  options?: { withPdf: boolean },
) => Promise<Message>;

export function createMailWriter(deps: MailWriterDeps): MailWriter {
  async function invoiceMail(invoice: Invoice.Invoice, withPdf: boolean): Promise<Message> {
    const { vendorEmail, merchantEmail, merchantName } = invoice;
    const today = Calendar.dayAt(deps.now(), deps.timeZone);
    const attachments = withPdf ? await attachmentsOf(invoice) : [];
    const written = invoiceMessage({
      merchantName,
      merchantEmail,
      vendorName: invoice.vendorName,
      invoiceNumber: Invoice.number(invoice.sequence),
      total: Usdc.format(invoice.total),
      dueDate: invoice.dueDate,
      overdue: Invoice.isOverdue(invoice, today),
      invoiceUrl: Invoice.pageUrl(deps.baseUrl, invoice),
      pdfUrl: Invoice.pdfUrl(deps.baseUrl, invoice),
      notes: invoice.notes,
      payment: paymentOf(invoice),
      network: deps.network,
      hasPdf: attachments.length > 0,
      brand: deps.brand,
      language: deps.language,
    });
    return { ...written, to: vendorEmail, replyTo: merchantEmail, fromName: merchantName, attachments };
  }

  /** The mail goes out also when its PDF cannot be made, or not in time. */
  async function attachmentsOf(invoice: Invoice.Invoice): Promise<Attachment[]> {
    if (!deps.pdfOf) return [];
    const number = Invoice.number(invoice.sequence);
    try {
      const bytes = await within(deps.pdfOf(invoice), pdfWaitMsMax);
      if (!bytes) throw new Error(`it took longer than ${pdfWaitMsMax / 1000} s`);
      return [{ name: `${number}.pdf`, mediaType: "application/pdf", bytes }];
    } catch (thrown) {
      deps.log.warn("mail.without_pdf", "a mail goes out without its PDF", {
        reason: messageOf(thrown),
        invoice: number,
      });
      return [];
    }
  }

  function paymentMail(kind: "receipt" | "notice", invoice: Invoice.Invoice): Message {
    const { merchantName, merchantEmail, vendorName, vendorEmail, total, deposit } = invoice;
    const isReceipt = kind === "receipt";
    const excess = Usdc.remaining(deposit.received, total);
    const written = paymentMessage({
      kind,
      merchantName,
      merchantEmail,
      vendorName,
      vendorEmail,
      invoiceNumber: Invoice.number(invoice.sequence),
      total: Usdc.format(total),
      received: Usdc.formatExact(deposit.received),
      excess: excess === 0n ? null : Usdc.formatExact(excess),
      ...paymentsOf(deposit.index),
      network: deps.network,
      invoiceUrl: Invoice.pageUrl(deps.baseUrl, invoice),
      brand: deps.brand,
      language: deps.language,
    });
    return isReceipt
      ? { ...written, to: vendorEmail, replyTo: merchantEmail, fromName: merchantName }
      : { ...written, to: merchantEmail, replyTo: vendorEmail, fromName: null };
  }

  function paymentsOf(depositIndex: number): { payments: Payment[]; otherPayments: number } {
    const shown = { limit: paymentsMax, confirmedOnly: true };
    const { transfers, others } = TransferStore.listLargest(deps.db, depositIndex, shown);
    const payments = transfers.map(({ amount, seenAt, txHash }) => ({
      amount: Usdc.formatExact(amount),
      seenAt,
      txHash,
      url: transactionUrl(deps.network.explorer, txHash),
    }));
    return { payments, otherPayments: others };
  }

  return async (kind, invoice, { withPdf } = { withPdf: true }) =>
    kind === "receipt" || kind === "notice" ? paymentMail(kind, invoice) : invoiceMail(invoice, withPdf);
}
