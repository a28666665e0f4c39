import type { Log } from "../../config/log-events.ts";
import * as CreditNote from "../../domain/bill/credit-note.ts";
import type { Invoice } from "../../domain/bill/invoice.ts";
import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import type { Format } from "../../domain/einvoice/einvoice.ts";
import * as Receipt from "../../domain/receipt/receipt.ts";
import { messageOf } from "../../lib/error.ts";
import type { Db } from "../../store/database.ts";
import { stored } from "../../store/group-commit.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as OriginalStore from "../../store/tables/invoicing/original.ts";
import * as EventStore from "../../store/tables/outbox/event.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";
import type { EInvoiceFile, EInvoices } from "./e-invoice.ts";

export type Documents = {
  pdfOf(invoice: Invoice): Promise<Uint8Array>;
  creditNotePdfOf(note: CreditNote.CreditNote): Promise<Uint8Array>;
  receiptPdfOf(receipt: Receipt.Receipt): Promise<Uint8Array>;
  eInvoices: EInvoices;
};

type OriginalsDeps = { db: Db; log: Log; now: () => number; documents: Documents };

/** Returns whether the customer may have seen an invoice, or money came for it. */
const mayBeKnown = (db: Db, { sentAt, deposit: { index, received } }: Invoice) =>
  sentAt !== null ||
  received > 0n ||
  MailStore.mayHaveArrived(db, index) ||
  EventStore.count(db, index, "invoice.opened") > 0;

/**
 * Keeps documents as they leave Till: each is stored byte for byte the first time, whatever language, logo or settings
 * are later. A document that left before the customer could know the invoice, or in a mail that did not arrive, is
 * replaced by the next. If storing fails the document leaves anyway, with a log entry, as a customer is waiting for it.
 */
export function createOriginals({ db, log, now, documents }: OriginalsDeps): Documents {
  async function keep(
    of: OriginalStore.OriginalOf,
    file: Omit<EInvoiceFile, "name"> & { name: string },
    mayBeKnown = true,
  ): Promise<void> {
    try {
      const kept = OriginalStore.find(db, of);
      if (kept?.isKnown && mayBeKnown) return;
      const sha256 = new Bun.CryptoHasher("sha256").update(file.bytes).digest("hex");
      const isKnown = mayBeKnown || MailStore.mayArrive(db, of.depositIndex);
      if (kept?.sha256 === sha256 && kept.isKnown === isKnown) return;
      const { name: fileName, mediaType, bytes } = file;
      await stored(db, () =>
        OriginalStore.put(db, { ...of, sha256, fileName, mediaType, isKnown, keptAt: now() }, bytes),
      );
    } catch (thrown) {
      log.error("original.unkept", "a document left without being kept", {
        reason: messageOf(thrown),
        file: file.name,
      });
    }
  }
  const pdf = (name: string, bytes: Uint8Array) => ({ name, mediaType: "application/pdf", bytes });
  const ofInvoice = ({ deposit, correctedAt }: Invoice, form: OriginalStore.OriginalOf["form"]) =>
    ({
      depositIndex: deposit.index,
      kind: "invoice",
      occasion: "",
      form,
      version: correctedAt ?? 0,
    }) as const;
  const ofNote = (note: CreditNote.CreditNote, form: OriginalStore.OriginalOf["form"]) => {
    const { deposit } = InvoiceStore.ofCreditNote(db, note);
    return { depositIndex: deposit.index, kind: "credit", occasion: note.number, form, version: 0 } as const;
  };
  const { eInvoices } = documents;

  return {
    async pdfOf(invoice) {
      const bytes = await documents.pdfOf(invoice);
      const file = pdf(InvoiceNumber.fileName(invoice.number), bytes);
      await keep(ofInvoice(invoice, "pdf"), file, mayBeKnown(db, invoice));
      return bytes;
    },
    async creditNotePdfOf(note) {
      const bytes = await documents.creditNotePdfOf(note);
      await keep(ofNote(note, "pdf"), pdf(CreditNote.fileName(note), bytes));
      return bytes;
    },
    async receiptPdfOf(receipt) {
      const bytes = await documents.receiptPdfOf(receipt);
      const of = {
        depositIndex: receipt.of.deposit.index,
        kind: "receipt",
        occasion: "",
        form: "pdf",
        version: receipt.issued?.taxInCurrency ? 1 : 0,
      } as const;
      await keep(of, pdf(Receipt.fileName(receipt.of), bytes));
      return bytes;
    },
    eInvoices: {
      ...eInvoices,
      async write(invoice: Invoice, format: Format) {
        const file = await eInvoices.write(invoice, format);
        if (!Array.isArray(file)) await keep(ofInvoice(invoice, format), file, mayBeKnown(db, invoice));
        return file;
      },
      async writeCredit(note, format) {
        const file = await eInvoices.writeCredit(note, format);
        if (!Array.isArray(file)) await keep(ofNote(note, format), file);
        return file;
      },
    },
  };
}
