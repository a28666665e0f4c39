import * as CreditNote from "../../domain/bill/credit-note.ts";
import type * as Invoice from "../../domain/bill/invoice.ts";
import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import type { EInvoiceFault } from "../../domain/einvoice/missing.ts";
import type * as Refund from "../../domain/payment/refund.ts";
import * as Receipt from "../../domain/receipt/receipt.ts";
import { ofInvoice, type Receivable } from "../../domain/receivable/receivable.ts";
import { messageOf } from "../../lib/error.ts";
import { within } from "../../lib/loop.ts";
import type { Attachment } from "../../mail/smtp/message.ts";
import { receiptOf, soldOf } from "../../store/reports/receipt.ts";
import { type MailDeps, nameOf } from "./owner.ts";

/** A PDF takes a tenth of a second. Without it the mail links to the page, which is enough. */
export const waitMsMax = 4_000;

const pdfType = "application/pdf";
export const isPdf = ({ mediaType }: Attachment) => mediaType === pdfType;

/** The attachments of an invoice's mail: its PDF, with its e-invoice as a separate file or embedded. */
export function attachmentsOf(deps: MailDeps, invoice: Invoice.Invoice): Promise<Attachment[]> {
  const { pdfOf, eInvoiceOf } = deps;
  return both(deps, invoice, InvoiceNumber.fileName(invoice.number), {
    eInvoice: eInvoiceOf && (() => eInvoiceOf(invoice)),
    pdf: pdfOf && (() => pdfOf(invoice)),
  });
}

/** The attachments of the mail with a credit note of an invoice. */
export function creditNoteAttachmentsOf(
  deps: MailDeps,
  invoice: Invoice.Invoice,
  note: CreditNote.CreditNote,
): Promise<Attachment[]> {
  const { creditNotePdfOf, creditEInvoiceOf } = deps;
  return both(deps, invoice, CreditNote.fileName(note), {
    eInvoice: creditEInvoiceOf && (() => creditEInvoiceOf(note)),
    pdf: creditNotePdfOf && (() => creditNotePdfOf(note)),
  });
}

/** A receipt's attachments; none for a partial payment. */
export function receiptAttachmentsOf(deps: MailDeps, owner: Receivable): Promise<Attachment[]> {
  const { receiptPdfOf } = deps;
  const receipt = receiptPdfOf && receiptOf(deps.db, owner);
  return attached(deps, owner, Receipt.fileName(owner), receipt && (() => receiptPdfOf(receipt)));
}

/** The receipt of a completed refund. */
export function refundAttachmentsOf(deps: MailDeps, refund: Refund.Refund, owner: Receivable) {
  const { db, refundPdfOf } = deps;
  const pdf = refundPdfOf && (() => refundPdfOf(refund, soldOf(db, owner)));
  return attached(deps, owner, Receipt.fileName(owner, "refund"), pdf);
}

/** Each is null when not wanted. */
type Makers = {
  eInvoice: (() => Promise<Attachment | EInvoiceFault[]>) | null;
  pdf: (() => Promise<Uint8Array>) | null;
};

async function both(
  deps: MailDeps,
  invoice: Invoice.Invoice,
  fileName: string,
  { eInvoice: make, pdf }: Makers,
): Promise<Attachment[]> {
  const owner = ofInvoice(invoice);
  const eInvoice = await inTime(deps, owner, make);
  if (eInvoice === null) return attached(deps, owner, fileName, pdf);
  if (Array.isArray(eInvoice)) {
    const reason = eInvoice.map(({ field, values }) => `${field} (${values.term})`).join(", ");
    const fields = { ...nameOf(owner), reason };
    deps.log.info("mail.without_e_invoice", "a mail goes out without its e-invoice", fields);
    return attached(deps, owner, fileName, pdf);
  }
  // A PDF that contains the e-invoice replaces the plain one.
  return [...(await attached(deps, owner, fileName, isPdf(eInvoice) ? null : pdf)), eInvoice];
}

async function attached(
  deps: MailDeps,
  owner: Receivable,
  name: string,
  pdf: (() => Promise<Uint8Array>) | null,
): Promise<Attachment[]> {
  const bytes = await inTime(deps, owner, pdf);
  return bytes === null ? [] : [{ name, mediaType: pdfType, bytes }];
}

/** Null if it fails or is late: the mail is sent anyway. */
async function inTime<T>(
  { log }: MailDeps,
  owner: Receivable,
  make: (() => Promise<T>) | null,
): Promise<T | null> {
  if (make === null) return null;
  try {
    const made = await within(make(), waitMsMax);
    if (!made) throw new Error(`it took longer than ${waitMsMax / 1000} s`);
    return made;
  } catch (thrown) {
    const fields = { reason: messageOf(thrown), ...nameOf(owner) };
    log.warn("mail.without_pdf", "a mail goes out without its PDF", fields);
    return null;
  }
}
