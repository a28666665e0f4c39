import type { CreditNote } from "../../domain/bill/credit-note.ts";
import type { Invoice } from "../../domain/bill/invoice.ts";
import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import { type BuildResult, build } from "../../domain/einvoice/build.ts";
import { cii } from "../../domain/einvoice/cii.ts";
import type { Format, Words } from "../../domain/einvoice/einvoice.ts";
import { creditSubjectOf, type EInvoiceSource, subjectOf } from "../../domain/einvoice/einvoice.ts";
import type { EInvoiceFault } from "../../domain/einvoice/missing.ts";
import { ubl } from "../../domain/einvoice/ubl.ts";
import type { Db } from "../../store/database.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as PartyStore from "../../store/tables/invoicing/party.ts";

export type EInvoiceFile = { name: string; mediaType: string; bytes: Uint8Array };

export type EInvoices = {
  /** Everything an invoice lacks as an e-invoice; empty when it is one. */
  missing(invoice: Invoice, format: Format): EInvoiceFault[];
  /** Returns the file, or what it lacks. Throws a RenderError if its PDF cannot be rendered. */
  write(invoice: Invoice, format: Format): Promise<EInvoiceFile | EInvoiceFault[]>;
  /** The same for a credit note: whatever is missing is missing in its invoice. */
  missingForCredit(note: CreditNote, format: Format): EInvoiceFault[];
  writeCredit(note: CreditNote, format: Format): Promise<EInvoiceFile | EInvoiceFault[]>;
};

type EInvoiceDeps = {
  db: Db;
  /** In the language of the PDFs. */
  words: () => Words;
  /** An invoice's PDF as issued, with this XML embedded. */
  hybridOf: (invoice: Invoice, xml: string) => Promise<Uint8Array>;
  /** A credit note's PDF, with this XML embedded. */
  creditHybridOf: (note: CreditNote, xml: string) => Promise<Uint8Array>;
};

/** E-invoices of invoices and credit notes as issued: later events change no byte. */
export function createEInvoices({ db, words, hybridOf, creditHybridOf }: EInvoiceDeps): EInvoices {
  function built(subject: EInvoiceSource, format: Format): BuildResult {
    return build(subject, format, {
      words: words(),
      usdParity: PartyStore.hasParity(db, subject.merchantEmail),
    });
  }

  function missing(subject: EInvoiceSource, format: Format): EInvoiceFault[] {
    const result = built(subject, format);
    return result.ok ? [] : result.faults;
  }

  function creditSubject(note: CreditNote): EInvoiceSource {
    const invoice = InvoiceStore.ofCreditNote(db, note);
    return creditSubjectOf(note, invoice);
  }

  async function file(
    subject: EInvoiceSource,
    format: Format,
    hybrid: (xml: string) => Promise<Uint8Array>,
  ): Promise<EInvoiceFile | EInvoiceFault[]> {
    const result = built(subject, format);
    if (!result.ok) return result.faults;
    const pdfName = InvoiceNumber.fileName(subject.number);
    if (format === "factur-x") {
      const bytes = await hybrid(cii(result.einvoice));
      return { name: pdfName, mediaType: "application/pdf", bytes };
    }
    const xml = format === "ubl" ? ubl(result.einvoice) : cii(result.einvoice);
    const name = pdfName.replace(/\.pdf$/, `-${format}.xml`);
    return { name, mediaType: "application/xml", bytes: new TextEncoder().encode(xml) };
  }

  return {
    missing: (invoice, format) => missing(subjectOf(invoice, words()), format),

    missingForCredit: (note, format) => missing(creditSubject(note), format),

    write: (invoice, format) => file(subjectOf(invoice, words()), format, (xml) => hybridOf(invoice, xml)),

    writeCredit: async (note, format) =>
      await file(creditSubject(note), format, (xml) => creditHybridOf(note, xml)),
  };
}
