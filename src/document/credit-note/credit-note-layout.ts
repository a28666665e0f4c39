import * as Style from "../invoice/invoice-style.ts";
import { placeBill } from "../invoice/invoice-table.ts";
import {
  bottomOf,
  columnsOf,
  contactLines,
  fact,
  factLines,
  masthead,
  onPages,
} from "../invoice/letterhead.ts";
import { createSheet, type Sheet } from "../invoice/sheet.ts";
import { createFlow, type FlowRow } from "../type/flow.ts";
import type { Fonts } from "../type/fonts.ts";
import { type PageItem, space } from "../type/typeset.ts";
import type { CreditNoteDocument } from "./credit-note-document.ts";

function parties(note: CreditNoteDocument, sheet: Sheet): FlowRow {
  const { main } = columnsOf(sheet);
  const { say, day } = sheet.locale;
  const vendor = [
    ...sheet.set(say("billedTo"), Style.label, main),
    space(2),
    ...sheet.set(note.vendorName, Style.strong, main),
    ...(note.vendorAddress ? sheet.set(note.vendorAddress, Style.muted, main) : []),
    ...sheet.set(note.vendorEmail, Style.muted, main),
    ...factLines(sheet, note.vendorNumbers, main),
    ...contactLines(sheet, note.vendorContact, main),
  ];
  const facts = [
    ...fact(sheet, say("creditNoteNumberLabel"), note.number, Style.strong),
    space(3),
    ...fact(sheet, say("creditIssueDate"), day(note.creditedOn)),
    space(3),
    ...fact(sheet, say("ofInvoice"), `${note.invoiceNumber}\n${day(note.issueDate)}`),
    ...(note.reference === null ? [] : [space(3), ...fact(sheet, say("reference"), note.reference)]),
  ];
  return { gap: 30, columns: [vendor, facts] };
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
  flow.place(masthead(note, say("creditNote"), sheet));
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
