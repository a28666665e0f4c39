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
  /** Makes the PDF that mails with an invoice bring along; null: they bring none. */
  pdfOf: ((invoice: Invoice.Invoice) => Promise<Uint8Array>) | null;
  /** Makes the e-invoice that mails with an invoice bring along, or says what is missing for it; null: they bring none. */
  eInvoiceOf: ((invoice: Invoice.Invoice) => Promise<Attachment | MissingField[]>) | null;
  /** The same of a credit note. */
  creditEInvoiceOf: ((note: CreditNote) => Promise<Attachment | MissingField[]>) | null;
  /** Makes the PDF of a credit note; null: mails bring none. */
  creditNotePdfOf: ((note: CreditNote) => Promise<Uint8Array>) | null;
  /** Makes the PDF that receipts bring along; null: they bring none. */
  receiptPdfOf: ((receipt: Receipt) => Promise<Uint8Array>) | null;
  now: () => number;
  log: Log;
};

/** One kind of mail: when it is true, who gets it, and what is in it. */
export type MailTemplate = {
  /** Whether what it says is true of its owner as that is now: a mail that waited is not sent otherwise. */
  holds(owner: Owner, occasion: string, db: Db): boolean;
  /** Throws when this kind is not for such an owner. */
  write(
    deps: MailDeps,
    owner: Owner,
    options: { occasion: string; withPdf: boolean },
  ): Message | Promise<Message>;
};

/** The invoice that a mail is about. Throws for a link, of which there is no such mail. */
export function invoiceOf(owner: Owner): Invoice.Invoice {
  if (owner.kind !== "invoice") throw new Error(`A link has no such mail: ${owner.link.slug}`);
  return owner.invoice;
}
