import { type Built, build } from "../domain/einvoice/build.ts";
import { cii } from "../domain/einvoice/cii.ts";
import type { Format } from "../domain/einvoice/einvoice.ts";
import type { Missing } from "../domain/einvoice/missing.ts";
import { subjectOf } from "../domain/einvoice/subject.ts";
import { ubl } from "../domain/einvoice/ubl.ts";
import type { Invoice } from "../domain/invoice.ts";
import * as InvoiceNumber from "../domain/invoice-number.ts";
import type { Db } from "../store/database.ts";
import * as SavedParty from "../store/tables/invoicing/saved-party.ts";

export type EInvoiceFile = { name: string; mediaType: string; bytes: Uint8Array };

export type EInvoices = {
  /** Everything that an invoice lacks to be an e-invoice; empty when it is one. */
  missing(invoice: Invoice, format: Format): Missing[];
  /** The file, or what is missing for it. Throws a RenderError when a PDF cannot be written. */
  write(invoice: Invoice, format: Format): Promise<EInvoiceFile | Missing[]>;
};

type EInvoiceDeps = {
  db: Db;
  /** The chain as a payer knows it. */
  networkName: string;
  /** The PDF of an invoice as it was issued, with this XML in it. */
  hybridOf: (invoice: Invoice, xml: string) => Promise<Uint8Array>;
};

/** E-invoices of invoices as they were issued: what became of them since changes no byte. */
export function createEInvoices({ db, networkName, hybridOf }: EInvoiceDeps): EInvoices {
  function built(invoice: Invoice, format: Format): Built {
    const isParity = SavedParty.find(db, "merchant", invoice.merchantEmail)?.usdParity ?? false;
    return build(subjectOf(invoice, networkName), format, isParity);
  }

  return {
    missing(invoice, format) {
      const made = built(invoice, format);
      return made.ok ? [] : made.missing;
    },

    async write(invoice, format) {
      const made = built(invoice, format);
      if (!made.ok) return made.missing;
      const pdfName = InvoiceNumber.fileName(invoice.number);
      if (format === "factur-x") {
        const bytes = await hybridOf(invoice, cii(made.einvoice));
        return { name: pdfName, mediaType: "application/pdf", bytes };
      }
      const xml = format === "ubl" ? ubl(made.einvoice) : cii(made.einvoice);
      const name = pdfName.replace(/\.pdf$/, `-${format}.xml`);
      return { name, mediaType: "application/xml", bytes: new TextEncoder().encode(xml) };
    },
  };
}
