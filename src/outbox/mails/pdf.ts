import type * as Invoice from "../../domain/invoice.ts";
import * as InvoiceNumber from "../../domain/invoice-number.ts";
import * as Receipt from "../../domain/receipt/receipt.ts";
import { messageOf } from "../../lib/error.ts";
import { within } from "../../lib/loop.ts";
import type { Attachment } from "../../mail/smtp/message.ts";
import { receiptOf } from "../../store/reports/receipt.ts";
import type { MailDeps } from "./mail-kind.ts";
import { nameOf, type Owner } from "./owner.ts";

/** A PDF takes a tenth of a second. Without it the mail leads to the page, which is enough. */
const waitMsMax = 4_000;

/** What a mail with an invoice brings along. */
export function attachmentsOf(deps: MailDeps, invoice: Invoice.Invoice): Promise<Attachment[]> {
  const { pdfOf } = deps;
  const pdf = pdfOf && (() => pdfOf(invoice));
  return attach(deps, { kind: "invoice", invoice }, InvoiceNumber.fileName(invoice.number), pdf);
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
    if (!bytes) throw new Error(`it took longer than ${waitMsMax / 1000} s`);
    return [{ name, mediaType: "application/pdf", bytes }];
  } catch (thrown) {
    const fields = { reason: messageOf(thrown), ...nameOf(owner) };
    log.warn("mail.without_pdf", "a mail goes out without its PDF", fields);
    return [];
  }
}
