import type { Config } from "../config/config.ts";
import { creditNoteDocumentOf } from "../document/credit-note.ts";
import { documentKey, documentOf, hybridOf } from "../document/invoice/invoice-document.ts";
import {
  documentOf as receiptDocumentOf,
  documentKey as receiptKey,
} from "../document/receipt/receipt-document.ts";
import { refundDocumentOf } from "../document/receipt/refund-receipt.ts";
import { createPdfStore } from "../document/worker/pdf-store.ts";
import type { Renderer } from "../document/worker/renderer.ts";
import type { CreditNote } from "../domain/bill/credit-note.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import type { Refund } from "../domain/payment/refund.ts";
import type { Receipt } from "../domain/receipt/receipt.ts";
import { createEInvoices } from "../invoicing/documents/e-invoice.ts";
import { eInvoiceWords } from "../language/e-invoice.ts";
import { speak } from "../language/locale.ts";
import type { Db } from "../store/database.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";

type DocumentsDeps = {
  db: Db;
  config: Config;
  /** Without a trailing slash. */
  baseUrl: string;
  renderer: Renderer;
};

/** A key of the settings that affect the look of all PDFs. */
const lookOf = ({ brand, language, paper, timeZone }: Config) =>
  Bun.hash(JSON.stringify([brand, language, paper, timeZone])).toString(36);

/** The PDFs and e-invoices of one Till. Recent ones are cached in memory. */
export function createDocuments({ db, config, baseUrl, renderer }: DocumentsDeps) {
  const { network } = config;
  const place = {
    baseUrl,
    network,
    look: config,
    get timeZone() {
      return config.timeZone;
    },
  };
  const store = createPdfStore(renderer);
  // The look may have changed since.
  const pdfs: typeof store = {
    get: (key, makeDocument) => store.get(`${key} ${lookOf(config)}`, makeDocument),
  };

  /** The PDF of a credit note, which says what was corrected in its invoice. */
  function creditPdfOf(note: CreditNote, { key, ...more }: { key: string; xml?: string }) {
    const invoice = InvoiceStore.ofCreditNote(db, note);
    const makeDocument = () => ({ ...creditNoteDocumentOf(note, invoice, config), ...more });
    return pdfs.get(`credit ${note.id} ${invoice.correctedAt} ${key}`, makeDocument);
  }

  return {
    pdfOf: (invoice: Invoice) => pdfs.get(documentKey(invoice), () => documentOf(invoice, place)),
    creditNotePdfOf: (note: CreditNote) => creditPdfOf(note, { key: "" }),
    receiptPdfOf(receipt: Receipt) {
      const document = receiptDocumentOf(receipt, place);
      return pdfs.get(receiptKey(document), () => document);
    },
    refundPdfOf(refund: Refund, receipt: Receipt) {
      const document = refundDocumentOf(refund, receipt, place);
      return pdfs.get(receiptKey(document), () => document);
    },
    eInvoices: createEInvoices({
      db,
      words: () => eInvoiceWords(speak(config.language), network.label),
      hybridOf: (invoice, xml) =>
        pdfs.get(`${invoice.id} ${invoice.correctedAt} ${Bun.hash(xml)}`, () =>
          hybridOf(invoice, xml, place),
        ),
      creditHybridOf: (note, xml) => creditPdfOf(note, { key: `${Bun.hash(xml)}`, xml }),
    }),
  };
}
