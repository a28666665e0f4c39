import type { Log } from "../../config/log-events.ts";
import type { CreditNote } from "../../domain/bill/credit-note.ts";
import type { Invoice } from "../../domain/bill/invoice.ts";
import type { EInvoiceFault } from "../../domain/einvoice/missing.ts";
import type { Refund } from "../../domain/payment/refund.ts";
import type { Receipt } from "../../domain/receipt/receipt.ts";
import { faceOf, type Receivable } from "../../domain/receivable/receivable.ts";
import type { Vault } from "../../lib/crypto.ts";
import type { MailSettings } from "../../mail/messages/mail-layout.tsx";
import type { Attachment } from "../../mail/smtp/message.ts";
import type { Db } from "../../store/database.ts";
import * as ReceivableStore from "../../store/tables/invoicing/receivable.ts";

export type MailDeps = MailSettings & {
  db: Db;
  timeZone: string;
  /** Renders the PDF attached to invoice mails; null to attach none. */
  pdfOf: ((invoice: Invoice) => Promise<Uint8Array>) | null;
  /** Writes the e-invoice attached to invoice mails, or returns what it lacks; null to attach none. */
  eInvoiceOf: ((invoice: Invoice) => Promise<Attachment | EInvoiceFault[]>) | null;
  /** The same for a credit note. */
  creditEInvoiceOf: ((note: CreditNote) => Promise<Attachment | EInvoiceFault[]>) | null;
  /** Renders a credit note's PDF; null to attach none. */
  creditNotePdfOf: ((note: CreditNote) => Promise<Uint8Array>) | null;
  /** Renders the PDF attached to receipts; null to attach none. */
  receiptPdfOf: ((receipt: Receipt) => Promise<Uint8Array>) | null;
  /** Waits until a receipt's tax is stated in the legally required currency, if its rate is known. */
  stateTax: (depositIndex: number) => Promise<void>;
  /** Renders the PDF attached to a refund's mail; null to attach none. */
  refundPdfOf: ((refund: Refund, receipt: Receipt) => Promise<Uint8Array>) | null;
  /** Opens the links where customers name an address. */
  vault: () => Promise<Vault>;
  now: () => number;
  log: Log;
};

/** The invoice of a mail. Throws for a link, which has no such mail. */
export function invoiceOf(owner: Receivable): Invoice {
  if (owner.kind !== "invoice") throw new Error(`A link has no such mail: ${owner.slug}`);
  return owner;
}

/** Its name in the log. */
export const nameOf = (owner: Receivable): ReceivableStore.DepositName =>
  ReceivableStore.namedAs({ kind: owner.kind, name: faceOf(owner).name });
