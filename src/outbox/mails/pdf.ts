import * as CreditNote from "../../domain/bill/credit-note.ts";
import type * as Invoice from "../../domain/bill/invoice.ts";
import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import type { MissingField } from "../../domain/einvoice/missing.ts";
import * as Receipt from "../../domain/receipt/receipt.ts";
import { messageOf } from "../../lib/error.ts";
import { within } from "../../lib/loop.ts";
import type { Attachment } from "../../mail/smtp/message.ts";
import { receiptOf } from "../../store/reports/receipt.ts";
import type { MailDeps } from "./mail-kind.ts";
import { nameOf, type Owner } from "./owner.ts";

/** A PDF takes a tenth of a second. Without it the mail links to the page, which is enough. */
const waitMsMax = 4_000;
const tooLong = `it took longer than ${waitMsMax / 1000} s`;

const pdfType = "application/pdf";
export const isPdf = ({ mediaType }: Attachment) => mediaType === pdfType;

/** The attachments of an invoice's mail: its PDF, and its e-invoice beside or inside it. */
export async function attachmentsOf(deps: MailDeps, invoice: Invoice.Invoice): Promise<Attachment[]> {
  const { pdfOf, eInvoiceOf } = deps;
  const owner: Owner = { kind: "invoice", invoice };
  return await both(deps, owner, InvoiceNumber.fileName(invoice.number), {
    eInvoice: eInvoiceOf && (() => eInvoiceOf(invoice)),
    pdf: pdfOf && (() => pdfOf(invoice)),
  });
}

/** The attachments of a credit note's mail. */
export async function creditNoteAttachmentsOf(
  deps: MailDeps,
  owner: Owner,
  note: CreditNote.CreditNote,
): Promise<Attachment[]> {
  const { creditNotePdfOf, creditEInvoiceOf } = deps;
  return await both(deps, owner, CreditNote.fileName(note), {
    eInvoice: creditEInvoiceOf && (() => creditEInvoiceOf(note)),
    pdf: creditNotePdfOf && (() => creditNotePdfOf(note)),
  });
}

/** Each is null when not wanted. */
type Makers = {
  eInvoice: (() => Promise<Attachment | MissingField[]>) | null;
  pdf: (() => Promise<Uint8Array>) | null;
};

async function both(
  deps: MailDeps,
  owner: Owner,
  fileName: string,
  { eInvoice: makeEInvoice, pdf }: Makers,
): Promise<Attachment[]> {
  const eInvoice = makeEInvoice && (await eInvoiceBy(deps, owner, makeEInvoice));
  // A PDF that contains the e-invoice replaces the plain one.
  const hasPdf = eInvoice !== null && isPdf(eInvoice);
  const attached = await attach(deps, owner, fileName, hasPdf ? null : pdf);
  return eInvoice === null ? attached : [...attached, eInvoice];
}

/** Null when there is none: the mail goes out anyway. */
async function eInvoiceBy(
  { log }: MailDeps,
  owner: Owner,
  make: () => Promise<Attachment | MissingField[]>,
): Promise<Attachment | null> {
  const name = nameOf(owner);
  try {
    const pdf = await within(make(), waitMsMax);
    if (!pdf) throw new Error(tooLong);
    if (!Array.isArray(pdf)) return pdf;
    const missing = pdf.map(({ field, term }) => `${field} (${term})`).join(", ");
    log.info("mail.without_e_invoice", "a mail goes out without its e-invoice", { ...name, reason: missing });
  } catch (thrown) {
    log.warn("mail.without_pdf", "a mail goes out without its PDF", { ...name, reason: messageOf(thrown) });
  }
  return null;
}

/** A receipt's attachments; none for a partial payment. */
export function receiptAttachmentsOf(deps: MailDeps, owner: Owner): Promise<Attachment[]> {
  const { receiptPdfOf } = deps;
  const receipt = receiptPdfOf && receiptOf(deps.db, owner);
  return attach(deps, owner, Receipt.fileName(owner), receipt && (() => receiptPdfOf(receipt)));
}

/** The mail goes out even if its PDF fails or is late. */
async function attach(
  { log }: MailDeps,
  owner: Owner,
  name: string,
  pdf: (() => Promise<Uint8Array>) | null,
): Promise<Attachment[]> {
  if (!pdf) return [];
  try {
    const bytes = await within(pdf(), waitMsMax);
    if (!bytes) throw new Error(tooLong);
    return [{ name, mediaType: pdfType, bytes }];
  } catch (thrown) {
    const fields = { reason: messageOf(thrown), ...nameOf(owner) };
    log.warn("mail.without_pdf", "a mail goes out without its PDF", fields);
    return [];
  }
}
