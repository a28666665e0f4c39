import { createFlow, type FlowRow } from "../type/flow.ts";
import type { Fonts } from "../type/fonts.ts";
import { type Measure, moved, type PageItem, type TextLine, widthOf } from "../type/typeset.ts";
import { amountDue, type InvoiceDocument } from "./invoice-document.ts";
import * as Style from "./invoice-style.ts";
import { placeBill } from "./invoice-table.ts";
import { addressee, bottomOf, columnsOf, factList, masthead, onPages } from "./letterhead.ts";
import { createPaymentBox } from "./payment-box.ts";
import { createSheet, type Sheet } from "./sheet.ts";

function parties(invoice: InvoiceDocument, sheet: Sheet): FlowRow {
  const { say, day, figure } = sheet.locale;
  const facts = factList(sheet, [
    [say("invoiceNumberLabel"), invoice.number, Style.strong],
    [say("issueDate"), day(invoice.issueDate)],
    [say("dueDate"), day(invoice.dueDate)],
    [say("correctedOn"), invoice.correctedDay && day(invoice.correctedDay)],
    [say("reference"), invoice.reference],
    ...invoice.tradeFacts.map(({ label, value }) => [label, value] as const),
    [say("amountDue"), `${figure(amountDue(invoice) ?? "0.00")} USDC`, Style.strong],
  ]);
  return { gap: 30, columns: [addressee(sheet, say("billedTo"), invoice), facts] };
}

/** Characters: terms and notes that are no longer stand beside each other. */
const besideMax = 300;

/** The merchant's own words, below everything else. */
function closing({ notes, paymentTerms }: InvoiceDocument, sheet: Sheet): FlowRow[] {
  const { main, aside } = columnsOf(sheet);
  const say = (label: "notes" | "paymentTerms", text: string | null, measure: Measure) =>
    text?.trim() ? sheet.setBelow(sheet.locale.say(label), text, { ...measure, isProse: true }) : [];
  const isShort = [notes, paymentTerms].every((text) => text?.trim() && text.length <= besideMax);
  const columns = isShort
    ? [[say("notes", notes, main), say("paymentTerms", paymentTerms, aside)]]
    : [[say("paymentTerms", paymentTerms, sheet.wide)], [say("notes", notes, sheet.wide)]];
  return columns.flatMap((row) => (row.some((lines) => lines.length > 0) ? [{ gap: 24, columns: row }] : []));
}

/** Lays an invoice out from top to bottom: pages of items, none of which overlaps another's text. */
export function layOut(invoice: InvoiceDocument, fonts: Fonts): PageItem[][] {
  const sheet = createSheet(invoice.look, fonts);
  const flow = createFlow({ top: sheet.page.top, bottom: bottomOf(invoice, sheet) });
  flow.place(masthead(invoice, invoice.title, sheet, stamp(invoice, sheet)));
  flow.place(parties(invoice, sheet));

  placeBill(flow, invoice, sheet, amountDue(invoice) === null);
  flow.place({ gap: 26, columns: [[createPaymentBox(invoice, sheet)]] });
  const { say } = sheet.locale;
  for (const row of closing(invoice, sheet)) flow.place(row);
  const name = say("invoiceNumber", { number: invoice.number });
  return onPages(
    flow.pages(),
    invoice.closed?.kind === "void" ? `${name}  ·  ${say("void")}` : name,
    sheet,
    invoice,
  );
}

/** Points. */
const paddingX = 9;
const paddingY = 3;
const gapAbove = 6;
const radius = 4;

/** Frames the merchant's statement about the invoice, up to the right margin; nothing while it is open. */
function stamp({ closed }: InvoiceDocument, sheet: Sheet): TextLine[] {
  if (closed === null) return [];
  const { say } = sheet.locale;
  const { colors } = Style;
  const isVoid = closed.kind === "void";
  const style = { ...Style.stamp, color: isVoid ? colors.warm : colors.good };
  const text = say(isVoid ? "void" : "paidInvoice");
  const width = widthOf(sheet.fonts, text, style) + 2 * paddingX;
  const left = sheet.rightEdge - width;
  const [line] = sheet.set(text, style, { x: left + paddingX, width });
  const height = style.leading + 2 * paddingY;
  const frame = { kind: "frame", x: sheet.x(left, width), y: gapAbove, width, height, radius } as const;
  return [
    {
      height: gapAbove + height,
      items: [{ ...frame, color: style.color }, ...moved(line?.items ?? [], gapAbove + paddingY)],
    },
  ];
}
