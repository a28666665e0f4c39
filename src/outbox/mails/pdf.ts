import type * as Invoice from "../../domain/invoice.ts";
import * as InvoiceNumber from "../../domain/invoice-number.ts";
import { messageOf } from "../../lib/error.ts";
import { within } from "../../lib/loop.ts";
import type { Attachment } from "../../mail/smtp/message.ts";
import type { MailDeps } from "./mail-kind.ts";

/** A PDF takes a tenth of a second. Without it the mail leads to the page, which is enough. */
const waitMsMax = 4_000;

/** What a mail with an invoice brings along. It goes out also when its PDF cannot be made, or not in time. */
export async function attachmentsOf(
  { pdfOf, log }: MailDeps,
  invoice: Invoice.Invoice,
): Promise<Attachment[]> {
  if (!pdfOf) return [];
  const { number } = invoice;
  try {
    const bytes = await within(pdfOf(invoice), waitMsMax);
    if (!bytes) throw new Error(`it took longer than ${waitMsMax / 1000} s`);
    return [{ name: InvoiceNumber.fileName(number), mediaType: "application/pdf", bytes }];
  } catch (thrown) {
    const fields = { reason: messageOf(thrown), invoice: number };
    log.warn("mail.without_pdf", "a mail goes out without its PDF", fields);
    return [];
  }
}
