import * as Style from "../invoice/invoice-style.ts";
import { placeBill } from "../invoice/invoice-table.ts";
import { addressee, bottomOf, factList, masthead, onPages } from "../invoice/letterhead.ts";
import { createSheet, type Sheet } from "../invoice/sheet.ts";
import { createFlow, type FlowRow } from "../type/flow.ts";
import type { Fonts } from "../type/fonts.ts";
import type { PageItem } from "../type/typeset.ts";
import type { CreditNoteDocument } from "./credit-note-document.ts";

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

function paragraph(label: string, text: string, sheet: Sheet): FlowRow {
  const measure = { x: sheet.page.left, width: sheet.contentWidth };
  const lines = [
    ...sheet.set(label, Style.label, measure),
    ...sheet.set(text, Style.body, { ...measure, isProse: true }),
  ];
  return { gap: 24, columns: [lines] };
}

/** Lays a credit note out as an invoice is, from its parts. */
export function layOutCreditNote(note: CreditNoteDocument, fonts: Fonts): PageItem[][] {
  const sheet = createSheet(note.look, fonts);
  const { say, usdc } = sheet.locale;
  const flow = createFlow({ top: sheet.page.top, bottom: bottomOf(note, sheet) });
  flow.place(masthead(note, note.title, sheet));
  flow.place(parties(note, sheet));
  placeBill(flow, note, sheet);
  flow.place(paragraph(say("reason"), note.reason, sheet));
  const measure = { x: sheet.page.left, width: sheet.contentWidth, isProse: true };
  const consequence =
    note.toReturn === null
      ? say("creditLowers", { number: note.invoiceNumber })
      : say("creditReturn", { amount: usdc(note.toReturn), merchant: note.merchantName });
  flow.place({ gap: 18, columns: [sheet.set(consequence, Style.strong, measure)] });
  return onPages(flow.pages(), say("creditHeading", { number: note.number }), sheet, note);
}
