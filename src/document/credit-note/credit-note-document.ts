import type { CreditNote } from "../../domain/bill/credit-note.ts";
import * as Currency from "../../domain/bill/currency.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Usdc from "../../domain/usdc.ts";
import { type BillLine, billLines, creditedBill, type SumRow, sumRows } from "../../language/bill.ts";
import { speak } from "../../language/locale.ts";
import { type Parties, partiesOf } from "../../language/parties.ts";
import { creditNoteTitle, taxTitle } from "../../language/tax-words.ts";
import { type Look, lookOf } from "../invoice/invoice-document.ts";

/** Everything that the PDF of a credit note shows. It asks for nothing and names no deposit address. */
export type CreditNoteDocument = Invoice.IssuedFields &
  Parties & {
    title: string;
    /** `CN-0001` */
    number: string;
    /** What the tax is called, above the column of its rates. */
    tax: string;
    invoiceNumber: string;
    creditedOn: string;
    reason: string;
    lineItems: readonly BillLine[];
    sums: readonly SumRow[];
    /** With two decimals, in the currency. */
    total: string;
    currency: string;
    /** USDC that the merchant is to return; null when nothing was paid. */
    toReturn: string | null;
    /** Unix time in milliseconds; the file's creation date. */
    createdAtMs: number;
    look: Look;
    /** Its e-invoice, which makes the file one that is kept, PDF/A-3. */
    xml?: string;
  };

export function creditNoteDocumentOf(
  note: CreditNote,
  invoice: Invoice.Invoice,
  look: Look,
): CreditNoteDocument {
  const locale = speak(look.language);
  const { totals, lines } = note;
  return {
    ...Invoice.issued(invoice),
    ...partiesOf(invoice, locale),
    title: creditNoteTitle(invoice, locale),
    number: note.number,
    tax: taxTitle(invoice, locale),
    invoiceNumber: invoice.number,
    creditedOn: note.issueDate,
    reason: note.reason,
    lineItems: billLines({ ...invoice, lineItems: lines }, locale),
    sums: sumRows(creditedBill(note, invoice), locale),
    total: Usdc.format(totals.total),
    currency: Currency.codeOf(invoice),
    toReturn: note.toReturn === 0n ? null : Usdc.formatExact(note.toReturn),
    createdAtMs: note.createdAt,
    look: lookOf(look),
  };
}
