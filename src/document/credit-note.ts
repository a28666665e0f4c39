import type { CreditNote } from "../domain/bill/credit-note.ts";
import * as Currency from "../domain/bill/currency.ts";
import * as Invoice from "../domain/bill/invoice.ts";
import * as Usdc from "../domain/usdc.ts";
import { type BillText, billLines } from "../language/bill.ts";
import { speak } from "../language/locale.ts";
import { type Parties, partiesOf } from "../language/parties.ts";
import { creditedBill, sumRows } from "../language/sums.ts";
import { creditNoteTitle, taxTitle } from "../language/tax-words.ts";
import { type Look, lookOf } from "./invoice/invoice-document.ts";
import * as Style from "./invoice/invoice-style.ts";
import { placeBill } from "./invoice/invoice-table.ts";
import { addressee, bottomOf, factList, masthead, onPages } from "./invoice/letterhead.ts";
import { createSheet, type Sheet } from "./invoice/sheet.ts";
import { createFlow, type FlowRow } from "./type/flow.ts";
import type { Fonts } from "./type/fonts.ts";
import type { PageItem } from "./type/typeset.ts";

/** Everything that the PDF of a credit note shows. It asks for nothing and names no deposit address. */
export type CreditNoteDocument = Invoice.IssuedFields &
  Parties &
  Pick<BillText, "tax" | "lineItems" | "sums" | "total"> & {
    kind: "creditNote";
    title: string;
    /** `CN-0001` */
    number: string;
    invoiceNumber: string;
    creditedOn: string;
    reason: string;
    /** The currency of the amounts. */
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
  shown: Look,
): CreditNoteDocument {
  const look = lookOf(shown, invoice.language);
  const locale = speak(look.language);
  const { totals, lines } = note;
  return {
    kind: "creditNote",
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
    total: Currency.formatOf(invoice, totals.total),
    currency: Currency.codeOf(invoice),
    toReturn: note.toReturn === 0n ? null : Usdc.formatExact(note.toReturn),
    createdAtMs: note.createdAt,
    look,
  };
}

function parties(note: CreditNoteDocument, sheet: Sheet): FlowRow {
  const { say, day } = sheet.locale;
  const facts = factList(sheet, [
    [say("creditNoteNumberLabel"), note.number, Style.strong],
    [say("creditIssueDate"), day(note.creditedOn)],
    [say("ofInvoice"), `${note.invoiceNumber}\n${day(note.issueDate)}`],
    [say("reference"), note.reference],
  ]);
  return { gap: 30, columns: [addressee(sheet, say("billedTo"), note), facts] };
}

/** Lays a credit note out as an invoice is, from its parts. */
export function layOutCreditNote(note: CreditNoteDocument, fonts: Fonts): PageItem[][] {
  const sheet = createSheet(note.look, fonts);
  const { say, usdc } = sheet.locale;
  const flow = createFlow({ top: sheet.page.top, bottom: bottomOf(note, sheet) });
  flow.place(masthead(note, note.title, sheet));
  flow.place(parties(note, sheet));
  placeBill(flow, note, sheet);
  const measure = { ...sheet.wide, isProse: true };
  flow.place({ gap: 24, columns: [sheet.setBelow(say("reason"), note.reason, measure)] });
  const consequence =
    note.toReturn === null
      ? say("creditLowers", { number: note.invoiceNumber })
      : say("creditReturn", { amount: usdc(note.toReturn), merchant: note.merchantName });
  flow.place({ gap: 18, columns: [sheet.set(consequence, Style.strong, measure)] });
  return onPages(flow.pages(), say("creditHeading", { number: note.number }), sheet, note);
}
