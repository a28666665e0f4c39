import type { Log } from "../../config/log-events.ts";
import type { CreditNote } from "../../domain/bill/credit-note.ts";
import type * as Invoice from "../../domain/bill/invoice.ts";
import type { Brand } from "../../domain/brand.ts";
import type { MissingField } from "../../domain/einvoice/missing.ts";
import type { Receipt } from "../../domain/receipt/receipt.ts";
import type { Network } from "../../domain/wallet/network.ts";
import type { LanguageCode } from "../../language/languages.ts";
import type { Attachment, Message } from "../../mail/smtp/message.ts";
import type { Db } from "../../store/database.ts";
import type { Owner } from "./owner.ts";

export type MailDeps = {
  db: Db;
  baseUrl: string;
  timeZone: string;
  network: Network;
  brand: Brand;
  language: LanguageCode;
  /** Renders the PDF attached to invoice mails; null: none is attached. */
  pdfOf: ((invoice: Invoice.Invoice) => Promise<Uint8Array>) | null;
  /** Writes the e-invoice attached to invoice mails, or says what it lacks; null: none is attached. */
  eInvoiceOf: ((invoice: Invoice.Invoice) => Promise<Attachment | MissingField[]>) | null;
  /** The same for a credit note. */
  creditEInvoiceOf: ((note: CreditNote) => Promise<Attachment | MissingField[]>) | null;
  /** Renders a credit note's PDF; null: none is attached. */
  creditNotePdfOf: ((note: CreditNote) => Promise<Uint8Array>) | null;
  /** Renders the PDF attached to receipts; null: none is attached. */
  receiptPdfOf: ((receipt: Receipt) => Promise<Uint8Array>) | null;
  now: () => number;
  log: Log;
};

/** One kind of mail: when it holds, who gets it, and what it says. */
export type MailTemplate = {
  /** Whether the mail is still true of its owner: otherwise a queued mail is not sent. */
  holds(owner: Owner, occasion: string, db: Db): boolean;
  /** Throws for an owner this kind is not for. */
  write(
    deps: MailDeps,
    owner: Owner,
    options: { occasion: string; withPdf: boolean },
  ): Message | Promise<Message>;
};

/** The invoice of a mail. Throws for a link, which has no such mail. */
export function invoiceOf(owner: Owner): Invoice.Invoice {
  if (owner.kind !== "invoice") throw new Error(`A link has no such mail: ${owner.link.slug}`);
  return owner.invoice;
}
