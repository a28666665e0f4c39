import * as Style from "../invoice/invoice-style.ts";
import { rule, underline } from "../invoice/invoice-table.ts";
import { slack } from "../invoice/letterhead.ts";
import type { Sheet } from "../invoice/sheet.ts";
import type { FlowRow } from "../type/flow.ts";
import { type Measure, type TextLine, widthOf } from "../type/typeset.ts";
import type { DocumentPayment, ReceiptDocument } from "./receipt-document.ts";

/** Points. A time is within this in every language; the amounts have what they take, and a hash has the rest. */
const whenWidth = 112;
const amountWidthMax = 84;
const gutter = 12;
const when = { ...Style.muted, size: 8, leading: 12 };
const amountStyle = { ...Style.strong, leading: when.leading };

/**
 * What arrived: a head, to be repeated on each page, and each payment with its time, its sender, its transaction and its
 * amount. No rows when there are no payments.
 */
export function createPayments(receipt: ReceiptDocument, sheet: Sheet): { head: FlowRow; rows: FlowRow[] } {
  const { page, contentWidth } = sheet;
  const { say } = sheet.locale;
  const { payments, otherPayments } = receipt;
  const wide = { x: page.left, width: contentWidth };
  const measures = measuresOf(receipt, sheet);
  const { first, middle, last } = measures;
  const title = say(payments.length + otherPayments === 1 ? "payment" : "payments");
  const head = [
    [...sheet.set(title, Style.label, first), underline(sheet)],
    sheet.set(say("transaction"), Style.label, middle),
    sheet.set(say("amountInUsdc"), Style.label, last),
  ];
  const rows = payments.map((payment, index): FlowRow => {
    const columns = columnsFor(payment, measures, sheet);
    if (index === 0) return { gap: 0, columns };
    return { gap: 13, rule: rule(sheet, 0, Style.colors.hairline, 0.5), columns };
  });
  if (otherPayments > 0) {
    const others = sheet.set(say("smallerPayments", { count: otherPayments }), Style.muted, wide);
    rows.push({ gap: 12, columns: [others] });
  }
  return { head: { gap: 28, columns: head }, rows };
}

type Measures = Readonly<Record<"first" | "middle" | "last", Measure>>;

function measuresOf({ payments }: ReceiptDocument, sheet: Sheet): Measures {
  const { page, rightEdge, contentWidth, fonts, locale } = sheet;
  const figures = payments.map(({ amount }) => widthOf(fonts, locale.figure(amount), amountStyle));
  const widest = Math.max(widthOf(fonts, locale.say("amountInUsdc"), Style.label), ...figures);
  const amountWidth = Math.min(amountWidthMax, widest + slack);
  return {
    first: { x: page.left, width: whenWidth },
    middle: { x: page.left + whenWidth + gutter, width: contentWidth - whenWidth - amountWidth - 2 * gutter },
    last: { x: rightEdge - amountWidth, width: amountWidth, align: "right" },
  };
}

function columnsFor(
  { amount, madeAt, from, txHash, url }: DocumentPayment,
  { first, middle, last }: Measures,
  sheet: Sheet,
): TextLine[][] {
  const { say, minute, figure, labelled } = sheet.locale;
  const hash = { ...Style.label, color: url === null ? Style.colors.ink : sheet.accent };
  // On one line, so that it can be compared and copied as one.
  const fitting = (hash.size * (middle.width - slack)) / widthOf(sheet.fonts, txHash, hash);
  const link = url === null ? {} : { link: url };
  return [
    sheet.set(minute(madeAt), when, first),
    [
      ...sheet.set(labelled(say("sentFrom"), from), Style.label, middle),
      ...sheet.set(txHash, { ...hash, size: Math.min(hash.size, fitting) }, { ...middle, ...link }),
    ],
    sheet.setFigure(figure(amount), amountStyle, last),
  ];
}
