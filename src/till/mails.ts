import type { Config } from "../config/config.ts";
import type { CreditNote } from "../domain/bill/credit-note.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import type { Documents } from "../invoicing/documents/originals.ts";
import { createMailer, type Mailer, type MailerDeps } from "../outbox/mailer.ts";
import type { Work } from "./work.ts";

type MailsDeps = Pick<
  MailerDeps,
  "db" | "baseUrl" | "transport" | "vault" | "creationWaitMs" | "now" | "log"
> & {
  config: Config;
  documents: Documents;
  refundPdfOf: NonNullable<MailerDeps["refundPdfOf"]>;
  /** Read late, as the work needs the mailer. */
  work: () => Pick<Work, "stateTax" | "mailQueued" | "isChainCurrent">;
};

/** Creates the mailer of one Till. Each mail uses the settings at the time it is written. */
export function createMails({ config, documents, refundPdfOf, work, ...deps }: MailsDeps): Mailer {
  const { pdfOf, creditNotePdfOf, receiptPdfOf, eInvoices } = documents;
  const ifAttached = <T>(make: T): T | null => (config.mailAttachPdf ? make : null);
  return createMailer({
    ...deps,
    network: config.network,
    get timeZone() {
      return config.timeZone;
    },
    get brand() {
      return config.brand;
    },
    get language() {
      return config.language;
    },
    get pdfOf() {
      return ifAttached(pdfOf);
    },
    get creditNotePdfOf() {
      return ifAttached(creditNotePdfOf);
    },
    get receiptPdfOf() {
      return ifAttached(receiptPdfOf);
    },
    get refundPdfOf() {
      return ifAttached(refundPdfOf);
    },
    get eInvoiceOf() {
      const { eInvoice } = config;
      return eInvoice === "off" ? null : (invoice: Invoice) => eInvoices.write(invoice, eInvoice);
    },
    get creditEInvoiceOf() {
      const { eInvoice } = config;
      return eInvoice === "off" ? null : (note: CreditNote) => eInvoices.writeCredit(note, eInvoice);
    },
    stateTax: (depositIndex) => work().stateTax(depositIndex),
    onQueued: () => work().mailQueued(),
    isChainCurrent: () => work().isChainCurrent(),
  });
}
