import { createFlow, type Row } from "./flow.ts";
import type { Fonts } from "./fonts.ts";
import type { InvoiceDocument } from "./invoice-document.ts";
import * as Style from "./invoice-style.ts";
import { createTable, rule } from "./invoice-table.ts";
import { createPaymentBox } from "./payment-box.ts";
import { beside, type Item, type Line, moved, paragraph, space } from "./typeset.ts";

const { page, rightEdge } = Style;

/** Points. The right-hand column of title, dates and total. */
const asideWidth = 180;
const aside = { x: rightEdge - asideWidth, width: asideWidth };
const main = { x: page.left, width: rightEdge - asideWidth - 36 - page.left };

/** A term at the left of the right-hand column and its value at the right. Both may wrap. */
function fact(fonts: Fonts, term: string, value: string, style = Style.body): Line[] {
  const termWidth = 76;
  const terms = paragraph(fonts, term, Style.muted, { ...aside, width: termWidth });
  const measure = { x: aside.x + termWidth, width: asideWidth - termWidth, align: "right" as const };
  const values = paragraph(fonts, value, style, measure);
  return values.map((line, index) => beside(terms[index], line));
}

function masthead(invoice: InvoiceDocument, fonts: Fonts): Row {
  const merchant = [
    ...paragraph(fonts, invoice.merchantName, Style.name, main),
    space(3),
    ...paragraph(fonts, invoice.merchantAddress, Style.muted, main),
    ...paragraph(fonts, invoice.merchantEmail, Style.muted, main),
  ];
  const heading = paragraph(fonts, "Invoice", Style.title, { ...aside, align: "right" });
  return { gap: 0, columns: [merchant, heading] };
}

function parties(invoice: InvoiceDocument, fonts: Fonts): Row {
  const vendor = [
    ...paragraph(fonts, "Billed to", Style.label, main),
    space(2),
    ...paragraph(fonts, invoice.vendorName, Style.strong, main),
    ...(invoice.vendorAddress ? paragraph(fonts, invoice.vendorAddress, Style.muted, main) : []),
    ...paragraph(fonts, invoice.vendorEmail, Style.muted, main),
  ];
  const facts = [
    ...fact(fonts, "Invoice number", invoice.number, Style.strong),
    space(3),
    ...fact(fonts, "Issue date", invoice.issueDate),
    space(3),
    ...fact(fonts, "Due date", invoice.dueDate),
    space(3),
    ...fact(fonts, "Amount due", `${invoice.total} USDC`, Style.strong),
  ];
  return { gap: 30, columns: [vendor, facts] };
}

function total(invoice: InvoiceDocument, fonts: Fonts): Row {
  const wide = { x: page.left, width: Style.contentWidth, align: "right" as const };
  const [amount = space(0), ...more] = paragraph(fonts, `${invoice.total} USDC`, Style.total, wide);
  const termMeasure = { x: aside.x, width: 40 };
  const [term = space(0)] = paragraph(
    fonts,
    "Total",
    { ...Style.muted, leading: amount.height },
    termMeasure,
  );
  return { gap: 24, rule: rule(0, Style.colors.line, 0.75), columns: [[beside(term, amount), ...more]] };
}

function notes(text: string, fonts: Fonts): Row {
  const measure = { x: page.left, width: Style.contentWidth };
  const lines = [
    ...paragraph(fonts, "Notes", Style.label, measure),
    ...paragraph(fonts, text, Style.body, measure),
  ];
  return { gap: 24, columns: [lines] };
}

function footer(invoice: InvoiceDocument, fonts: Fonts, number: number, count: number): Item[] {
  if (count === 1) return [];
  const measure = { x: page.left, width: Style.contentWidth };
  const left = paragraph(fonts, `Invoice ${invoice.number}`, Style.footer, measure);
  const right = paragraph(fonts, `Page ${number} of ${count}`, Style.footer, { ...measure, align: "right" });
  return moved(beside(left[0], right[0]).items, page.height - 42);
}

/** Lays an invoice out from top to bottom: pages of items, none of which overlaps another's text. */
export function layOut(invoice: InvoiceDocument, fonts: Fonts): Item[][] {
  const flow = createFlow({ top: page.top, bottom: page.height - page.bottom });
  flow.place(masthead(invoice, fonts));
  flow.place(parties(invoice, fonts));

  const table = createTable(invoice.lineItems, fonts);
  flow.place(table.head);
  for (const row of table.rows) flow.place(row, table.head);
  flow.place(total(invoice, fonts));

  flow.place({ gap: 26, columns: [[createPaymentBox(invoice, fonts)]] });
  if (invoice.notes?.trim()) flow.place(notes(invoice.notes, fonts));
  return flow.pages.map((items, index) => [
    ...items,
    ...footer(invoice, fonts, index + 1, flow.pages.length),
  ]);
}
