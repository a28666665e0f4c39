import { createFlow, type Row } from "../type/flow.ts";
import type { Fonts } from "../type/fonts.ts";
import { type Item, space } from "../type/typeset.ts";
import { amountDue, type InvoiceDocument } from "./invoice-document.ts";
import * as Style from "./invoice-style.ts";
import { createTable, sumRowsOf, totalRow } from "./invoice-table.ts";
import { columnsOf, fact, factLines, masthead, onPages } from "./letterhead.ts";
import { createPaymentBox } from "./payment-box.ts";
import { createSheet, type Sheet } from "./sheet.ts";
import { stamp } from "./stamp.ts";

function parties(invoice: InvoiceDocument, sheet: Sheet): Row {
  const { main } = columnsOf(sheet);
  const { say, day, figure } = sheet.locale;
  const vendor = [
    ...sheet.set(say("billedTo"), Style.label, main),
    space(2),
    ...sheet.set(invoice.vendorName, Style.strong, main),
    ...(invoice.vendorAddress ? sheet.set(invoice.vendorAddress, Style.muted, main) : []),
    ...sheet.set(invoice.vendorEmail, Style.muted, main),
    ...factLines(sheet, invoice.vendorFacts, main),
  ];
  const facts = [
    ...fact(sheet, say("invoiceNumberLabel"), invoice.number, Style.strong),
    space(3),
    ...fact(sheet, say("issueDate"), day(invoice.issueDate)),
    space(3),
    ...fact(sheet, say("dueDate"), day(invoice.dueDate)),
    space(3),
    ...(invoice.reference === null ? [] : [...fact(sheet, say("reference"), invoice.reference), space(3)]),
    ...invoice.tradeFacts.flatMap(({ label, value }) => [...fact(sheet, label, value), space(3)]),
    ...fact(sheet, say("amountDue"), `${figure(amountDue(invoice) ?? "0.00")} USDC`, Style.strong),
  ];
  return { gap: 30, columns: [vendor, facts] };
}

function prose(label: string, text: string, sheet: Sheet): Row {
  const measure = { x: sheet.page.left, width: sheet.contentWidth };
  const lines = [
    ...sheet.set(label, Style.label, measure),
    ...sheet.set(text, Style.body, { ...measure, isProse: true }),
  ];
  return { gap: 24, columns: [lines] };
}

/** Lays an invoice out from top to bottom: pages of items, none of which overlaps another's text. */
export function layOut(invoice: InvoiceDocument, fonts: Fonts): Item[][] {
  const sheet = createSheet(invoice.look, fonts);
  const flow = createFlow({ top: sheet.page.top, bottom: sheet.page.height - sheet.page.bottom });
  flow.place(masthead(invoice, sheet.locale.say("invoice"), sheet, stamp(invoice, sheet)));
  flow.place(parties(invoice, sheet));

  const table = createTable(invoice.lineItems, sheet);
  flow.place(table.head);
  const sum = totalRow(invoice.total, sheet);
  const sums = sumRowsOf(invoice.sums, sheet);
  for (const [index, row] of table.rows.entries()) {
    flow.place(row, {
      head: table.head,
      ...(index === table.rows.length - 1 ? { next: sums[0] ?? sum } : {}),
    });
  }
  for (const [index, row] of sums.entries()) flow.place(row, { next: sums[index + 1] ?? sum });
  flow.place(sum);

  flow.place({ gap: 26, columns: [[createPaymentBox(invoice, sheet)]] });
  const { say } = sheet.locale;
  if (invoice.paymentTerms?.trim()) flow.place(prose(say("paymentTerms"), invoice.paymentTerms, sheet));
  if (invoice.notes?.trim()) flow.place(prose(say("notes"), invoice.notes, sheet));
  const name = say("invoiceNumber", { number: invoice.number });
  return onPages(flow.pages, invoice.closed?.kind === "void" ? `${name}  ·  ${say("void")}` : name, sheet);
}
