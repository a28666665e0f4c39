import * as CreditNote from "../../../domain/bill/credit-note.ts";
import * as Currency from "../../../domain/bill/currency.ts";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import type { NoteRow } from "../../../pages/desk/credit/notes.tsx";
import * as CreditNoteStore from "../../../store/tables/invoicing/credit-note.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import type { HttpDeps } from "../../deps.ts";

/** Whether an invoice has anything left to credit. */
export const canCredit = ({ db }: Pick<HttpDeps, "db">, invoice: Invoice): boolean =>
  invoice.voidedAt === null &&
  CreditNote.totalLeft(CreditNote.left(invoice, CreditNoteStore.listByInvoice(db, invoice.sequence))) > 0n;

/** A credit note as the desk shows it. */
export function noteRow({ db }: Pick<HttpDeps, "db">, note: CreditNote.CreditNote): NoteRow {
  const invoice = InvoiceStore.ofCreditNote(db, note);
  return {
    number: note.number,
    issueDate: note.issueDate,
    reason: note.reason,
    total: note.totals.total,
    code: Currency.codeOf(invoice),
    invoice,
  };
}
