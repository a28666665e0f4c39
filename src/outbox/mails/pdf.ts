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

/** A PDF takes a tenth of a second. Without it the mail leads to the page, which is enough. */
const waitMsMax = 4_000;
const tooLong = `it took longer than ${waitMsMax / 1000} s`;

const pdfType = "application/pdf";
export const isPdf = ({ mediaType }: Attachment) => mediaType === pdfType;

/** What a mail with an invoice brings along: its PDF, and its e-invoice beside or inside it. */
export async function attachmentsOf(deps: MailDeps, invoice: Invoice.Invoice): Promise<Attachment[]> {
  const { pdfOf, eInvoiceOf } = deps;
  const owner: Owner = { kind: "invoice", invoice };
  return await both(deps, owner, InvoiceNumber.fileName(invoice.number), {
    eInvoice: eInvoiceOf && (() => eInvoiceOf(invoice)),
    pdf: pdfOf && (() => pdfOf(invoice)),
  });
}

/** What a mail with a credit note brings along. */
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

/** Each is null when none is wanted. */
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
  // A PDF with an e-invoice in it stands in the place of the other.
  const hasPdf = eInvoice !== null && isPdf(eInvoice);
  const attached = await attach(deps, owner, fileName, hasPdf ? null : pdf);
  return eInvoice === null ? attached : [...attached, eInvoice];
}

/** Null when none can be had: the mail goes out all the same. */
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

/** What a receipt brings along; nothing for a part of the money. */
export function receiptAttachmentsOf(deps: MailDeps, owner: Owner): Promise<Attachment[]> {
  const { receiptPdfOf } = deps;
  const receipt = receiptPdfOf && receiptOf(deps.db, owner);
  return attach(deps, owner, Receipt.fileName(owner), receipt && (() => receiptPdfOf(receipt)));
}

/** A mail goes out also when its PDF cannot be made, or not in time. */
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
