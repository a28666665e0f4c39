import type { CreditNote } from "../domain/bill/credit-note.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import * as InvoiceNumber from "../domain/bill/invoice-number.ts";
import { type Built, build } from "../domain/einvoice/build.ts";
import { cii } from "../domain/einvoice/cii.ts";
import type { Format } from "../domain/einvoice/einvoice.ts";
import type { Missing } from "../domain/einvoice/missing.ts";
import { creditSubjectOf, type Subject, subjectOf } from "../domain/einvoice/subject.ts";
import { ubl } from "../domain/einvoice/ubl.ts";
import type { Db } from "../store/database.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as SavedParty from "../store/tables/invoicing/saved-party.ts";

export type EInvoiceFile = { name: string; mediaType: string; bytes: Uint8Array };

export type EInvoices = {
  /** Everything that an invoice lacks to be an e-invoice; empty when it is one. */
  missing(invoice: Invoice, format: Format): Missing[];
  /** The file, or what is missing for it. Throws a RenderError when a PDF cannot be written. */
  write(invoice: Invoice, format: Format): Promise<EInvoiceFile | Missing[]>;
  /** The same of a credit note: what is missing is missing in its invoice. */
  missingForCredit(note: CreditNote, format: Format): Missing[];
  writeCredit(note: CreditNote, format: Format): Promise<EInvoiceFile | Missing[]>;
};

type EInvoiceDeps = {
  db: Db;
  /** The chain as a payer knows it. */
  networkName: string;
  /** The PDF of an invoice as it was issued, with this XML in it. */
  hybridOf: (invoice: Invoice, xml: string) => Promise<Uint8Array>;
  /** The PDF of a credit note, with this XML in it. */
  creditHybridOf: (note: CreditNote, xml: string) => Promise<Uint8Array>;
};

/** E-invoices of invoices as they were issued, and of credit notes: what became of them since changes no byte. */
export function createEInvoices({ db, networkName, hybridOf, creditHybridOf }: EInvoiceDeps): EInvoices {
  function built(subject: Subject, format: Format): Built {
    return build(subject, format, SavedParty.hasParity(db, subject.merchantEmail));
  }

  function missing(subject: Subject, format: Format): Missing[] {
    const made = built(subject, format);
    return made.ok ? [] : made.missing;
  }

  function creditSubject(note: CreditNote): Subject {
    const invoice = InvoiceStore.ofCreditNote(db, note);
    return creditSubjectOf(note, invoice);
  }

  async function file(
    subject: Subject,
    format: Format,
    hybrid: (xml: string) => Promise<Uint8Array>,
  ): Promise<EInvoiceFile | Missing[]> {
    const made = built(subject, format);
    if (!made.ok) return made.missing;
    const pdfName = InvoiceNumber.fileName(subject.number);
    if (format === "factur-x") {
      const bytes = await hybrid(cii(made.einvoice));
      return { name: pdfName, mediaType: "application/pdf", bytes };
    }
    const xml = format === "ubl" ? ubl(made.einvoice) : cii(made.einvoice);
    const name = pdfName.replace(/\.pdf$/, `-${format}.xml`);
    return { name, mediaType: "application/xml", bytes: new TextEncoder().encode(xml) };
  }

  return {
    missing: (invoice, format) => missing(subjectOf(invoice, networkName), format),

    missingForCredit: (note, format) => missing(creditSubject(note), format),

    write: (invoice, format) =>
      file(subjectOf(invoice, networkName), format, (xml) => hybridOf(invoice, xml)),

    writeCredit: async (note, format) =>
      await file(creditSubject(note), format, (xml) => creditHybridOf(note, xml)),
  };
}
