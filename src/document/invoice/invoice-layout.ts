import { createFlow, type Row } from "../type/flow.ts";
import type { Fonts } from "../type/fonts.ts";
import { beside, type Item, type Line, moved, space } from "../type/typeset.ts";
import { amountDue, type InvoiceDocument } from "./invoice-document.ts";
import * as Style from "./invoice-style.ts";
import { createTable, rule } from "./invoice-table.ts";
import { logoOf } from "./logo.ts";
import { createPaymentBox } from "./payment-box.ts";
import { createSheet, type Sheet } from "./sheet.ts";

/** Points. The right-hand column of title, dates and total. */
const asideWidth = 200;
const termWidth = 92;
/** Points. At the top edge of the first page, in the operator's colour. */
const bandHeight = 6;
const logoHeightMax = 16;
const logoWidthMax = 110;

function columnsOf({ page, rightEdge }: Sheet) {
  return {
    aside: { x: rightEdge - asideWidth, width: asideWidth },
    main: { x: page.left, width: rightEdge - asideWidth - 36 - page.left },
  };
}

/** A term at the left of the right-hand column and its value at the right. Both may wrap. */
function fact(sheet: Sheet, term: string, value: string, style = Style.body): Line[] {
  const { aside } = columnsOf(sheet);
  const terms = sheet.set(term, Style.muted, { ...aside, width: termWidth });
  const measure = { x: aside.x + termWidth, width: asideWidth - termWidth, align: "right" as const };
  const values = sheet.set(value, style, measure);
  return Array.from({ length: Math.max(terms.length, values.length) }, (_, index) =>
    beside(terms[index], values[index]),
  );
}

function masthead(invoice: InvoiceDocument, sheet: Sheet): Row {
  const { main, aside } = columnsOf(sheet);
  const merchant = [
    ...sheet.set(invoice.merchantName, Style.name, main),
    space(3),
    ...sheet.set(invoice.merchantAddress, Style.muted, main),
    ...sheet.set(invoice.merchantEmail, Style.muted, main),
  ];
  const title = invoice.look.brand.palette ? { ...Style.title, color: sheet.accent } : Style.title;
  const heading = sheet.set(sheet.locale.say("invoice"), title, { ...aside, align: "right" });
  return { gap: 0, columns: [merchant, heading] };
}

function parties(invoice: InvoiceDocument, sheet: Sheet): Row {
  const { main } = columnsOf(sheet);
  const { say, day, figure } = sheet.locale;
  const vendor = [
    ...sheet.set(say("billedTo"), Style.label, main),
    space(2),
    ...sheet.set(invoice.vendorName, Style.strong, main),
    ...(invoice.vendorAddress ? sheet.set(invoice.vendorAddress, Style.muted, main) : []),
    ...sheet.set(invoice.vendorEmail, Style.muted, main),
  ];
  const facts = [
    ...fact(sheet, say("invoiceNumberLabel"), invoice.number, Style.strong),
    space(3),
    ...fact(sheet, say("issueDate"), day(invoice.issueDate)),
    space(3),
    ...fact(sheet, say("dueDate"), day(invoice.dueDate)),
    space(3),
    ...(invoice.reference === null ? [] : [...fact(sheet, say("reference"), invoice.reference), space(3)]),
    ...fact(sheet, say("amountDue"), `${figure(amountDue(invoice) ?? "0.00")} USDC`, Style.strong),
  ];
  return { gap: 30, columns: [vendor, facts] };
}

function total(invoice: InvoiceDocument, sheet: Sheet): Row {
  const wide = { x: sheet.page.left, width: sheet.contentWidth, align: "right" as const };
  const [amount = space(0), ...more] = sheet.set(
    `${sheet.locale.figure(invoice.total)} USDC`,
    Style.total,
    wide,
  );
  const style = { ...Style.muted, leading: amount.height };
  const [term = space(0)] = sheet.set(sheet.locale.say("total"), style, {
    ...columnsOf(sheet).aside,
    width: termWidth,
  });
  const line = rule(sheet, 0, Style.colors.line, 0.75);
  return { gap: 24, rule: line, columns: [[beside(term, amount), ...more]] };
}

function notes(text: string, sheet: Sheet): Row {
  const measure = { x: sheet.page.left, width: sheet.contentWidth };
  const lines = [
    ...sheet.set(sheet.locale.say("notes"), Style.label, measure),
    ...sheet.set(text, Style.body, { ...measure, isProse: true }),
  ];
  return { gap: 24, columns: [lines] };
}

/** Whose Till this is, and where one is among several pages. */
function footer(invoice: InvoiceDocument, sheet: Sheet, number: number, count: number): Item[] {
  const { say } = sheet.locale;
  const { page, contentWidth } = sheet;
  const { brand } = invoice.look;
  const top = page.height - 42;
  const logo = logoOf(brand, { widthMax: logoWidthMax, heightMax: logoHeightMax });
  const indent = logo ? logo.width + 8 : 0;
  const third = contentWidth / 3;
  const host =
    brand.name === null
      ? []
      : sheet.set(say("hostedBy", { brand: brand.name }), Style.footer, {
          x: page.left + indent,
          width: third * (count === 1 ? 3 : 1.5) - indent,
        });
  const place = [
    say("invoiceNumber", { number: invoice.number }),
    say("pageOfCount", { page: number, count }),
  ].join("  ·  ");
  const pages =
    count === 1
      ? []
      : sheet.set(place, Style.footer, {
          x: page.left + third * 1.5,
          width: third * 1.5,
          align: "right",
        });
  return [
    ...moved(beside(host[0], pages[0]).items, top),
    ...(logo
      ? moved([{ kind: "image", x: sheet.x(page.left, logo.width), y: 5 - logo.height / 2, ...logo }], top)
      : []),
  ];
}

function band({ page }: Sheet, color: string): Item {
  return { kind: "rule", x: 0, y: 0, width: page.width, thickness: bandHeight, color };
}

/** Lays an invoice out from top to bottom: pages of items, none of which overlaps another's text. */
export function layOut(invoice: InvoiceDocument, fonts: Fonts): Item[][] {
  const sheet = createSheet(invoice, fonts);
  const { palette } = invoice.look.brand;
  const flow = createFlow({ top: sheet.page.top, bottom: sheet.page.height - sheet.page.bottom });
  flow.place(masthead(invoice, sheet));
  flow.place(parties(invoice, sheet));

  const table = createTable(invoice.lineItems, sheet);
  flow.place(table.head);
  const sum = total(invoice, sheet);
  for (const [index, row] of table.rows.entries()) {
    flow.place(row, { head: table.head, ...(index === table.rows.length - 1 ? { next: sum } : {}) });
  }
  flow.place(sum);

  flow.place({ gap: 26, columns: [[createPaymentBox(invoice, sheet)]] });
  if (invoice.notes?.trim()) flow.place(notes(invoice.notes, sheet));
  return flow.pages.map((items, index) => [
    ...(palette && index === 0 ? [band(sheet, palette.accent)] : []),
    ...items,
    ...footer(invoice, sheet, index + 1, flow.pages.length),
  ]);
}
