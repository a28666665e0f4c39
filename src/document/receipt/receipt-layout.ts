import { zero } from "../../domain/wallet/address.ts";
import type { Locale } from "../../language/locale.ts";
import * as Style from "../invoice/invoice-style.ts";
import { placeBill, rule, ruled, underline } from "../invoice/invoice-table.ts";
import { addressee, bottomOf, columnsOf, factList, masthead, onPages, slack } from "../invoice/letterhead.ts";
import { createSheet, type Sheet } from "../invoice/sheet.ts";
import { createFlow, type FlowRow } from "../type/flow.ts";
import type { Fonts } from "../type/fonts.ts";
import { type Tag, tableTags, tag } from "../type/tag.ts";
import {
  beside,
  heightOf,
  type Measure,
  type PageItem,
  space,
  stacked,
  type TextLine,
  unmarked,
  widthOf,
} from "../type/typeset.ts";
import type { DocumentPayment, ReceiptDocument } from "./receipt-document.ts";

/** Points. */
const sealSide = 24;
const padding = 14;
const radius = 6;

function parties(receipt: ReceiptDocument, sheet: Sheet): FlowRow {
  const { say, day, bracketed, usdc } = sheet.locale;
  const { customer, number, issued, reference } = receipt;
  const payer = customer === null ? [] : addressee(sheet, say("receivedFrom"), customer);
  const facts = factList(sheet, [
    [say("invoiceNumberLabel"), number, Style.strong],
    [say("receiptNumberLabel"), issued?.number ?? null, Style.strong],
    [say("issueDate"), issued && day(issued.on)],
    [say("reference"), reference],
    [say("datePaid"), `${day(receipt.paidOn)}${bracketed(receipt.timeZone)}`],
    [say("amountPaid"), usdc(receipt.paid), Style.strong],
  ]);
  return { gap: 30, columns: [payer, facts] };
}

/** States that it is paid, and on what evidence, in one unbreakable line. */
function seal(receipt: ReceiptDocument, sheet: Sheet): TextLine {
  const { page, rightEdge, contentWidth, set, fonts } = sheet;
  const { say, day, figure, marks } = sheet.locale;
  const x = page.left + padding + sealSide + 12;
  const measure = { x, width: rightEdge - padding - x };
  const { recordedOn, excess, total, net, owedBack } = receipt;
  const merchant = receipt.merchantName.replace(/\s+/g, " ");
  const sentence =
    recordedOn === null
      ? say("receiptSentence", { name: merchant })
      : say("recordedOn", { day: day(recordedOn) });
  const tooMuch =
    excess === null
      ? null
      : [
          say("tooMuch", { total: figure(net ?? total), excess: figure(excess) }),
          say("askMerchant", { merchant }),
        ];
  const difference = owedBack ?? tooMuch?.join(marks.gap) ?? null;
  const lines: TextLine[] = [
    ...set(say("paid"), { ...Style.name, color: Style.colors.good }, { ...measure, as: "H2" }),
    ...set(sentence, Style.body, measure),
    ...(difference === null ? [] : set(difference, Style.body, measure)),
  ];
  const textHeight = heightOf(lines);
  const height = Math.max(sealSide, textHeight) + 2 * padding;
  const tick = { ...Style.name, leading: sealSide, color: Style.colors.paper };
  const tickWidth = widthOf(fonts, "✓", tick);
  const left = page.left + padding;
  const top = (height - sealSide) / 2;
  const items: PageItem[] = [
    { kind: "panel", x: page.left, y: 0, width: contentWidth, height, radius, color: Style.colors.panel },
    {
      kind: "panel",
      x: sheet.x(left, sealSide),
      y: top,
      width: sealSide,
      height: sealSide,
      radius: sealSide / 2,
      color: Style.colors.good,
    },
    ...stacked(unmarked(set("✓", tick, { x: left + (sealSide - tickWidth) / 2, width: tickWidth + 1 })), top),
    ...stacked(lines, (height - textHeight) / 2),
  ];
  return { height, items };
}

/** The goods without quantities; those of a link are one text. */
function product(receipt: ReceiptDocument, sheet: Sheet): FlowRow[] {
  const { say, figure, amountIn } = sheet.locale;
  const { page, contentWidth } = sheet;
  const { billed } = receipt;
  const amountWidth = 96;
  const text = { x: page.left, width: contentWidth - amountWidth - 16 };
  const amount = { x: page.left + contentWidth - amountWidth, width: amountWidth, align: "right" as const };
  const table = tableTags();
  const heads = { as: "TH", within: table.head } as const;
  const head = [
    [...sheet.set(say("description"), Style.label, { ...text, ...heads }), underline(sheet)],
    sheet.set(amountIn(billed?.code ?? "USDC"), Style.label, { ...amount, ...heads }),
  ];
  const within = table.row();
  const row = [
    sheet.set(receipt.product, Style.body, { ...text, isProse: true, as: "TH", within }),
    sheet.setFigure(figure(billed?.total ?? receipt.total), Style.body, { ...amount, as: "TD", within }),
  ];
  return [
    { gap: 28, columns: head },
    { gap: 0, columns: row },
  ];
}

/** Below the total: what has arrived, and what of it was too much. */
function received({ received, excess, owedBack }: ReceiptDocument, sheet: Sheet): FlowRow {
  const { say, usdc } = sheet.locale;
  const lines = factList(sheet, [
    [say("amountReceived"), usdc(received)],
    [say(owedBack === null ? "overpayment" : "toBeReturned"), excess && usdc(excess)],
  ]);
  return { gap: 8, columns: [lines] };
}

/** The address that got the money, and the page to look again. */
function footnotes(receipt: ReceiptDocument, sheet: Sheet): FlowRow {
  const { say } = sheet.locale;
  const { page, contentWidth, set, setFact, wide } = sheet;
  const { networkName: network } = receipt;
  const half = (contentWidth - 24) / 2;
  const left = { x: page.left, width: half };
  const right = { x: page.left + half + 24, width: half };
  const where = receipt.isTestNetwork ? say("testNetworkName", { network }) : network;
  const list = tag("L");
  const pairs = [
    setFact(list, say("network"), where, left),
    setFact(list, say("depositAddress"), receipt.depositAddress, right),
  ] as const;
  const link = { target: receipt.pageUrl, label: say("seeOnline") };
  const height = Math.max(...pairs.map((lines) => lines.length));
  const rows = Array.from({ length: height }, (_, index) => beside(pairs[0][index], pairs[1][index]));
  const isProved = receipt.payments.length > 0;
  return {
    gap: 24,
    rule: rule(sheet, 0, Style.colors.hairline, 0.5),
    columns: [
      [
        ...(isProved ? [...rows, space(6)] : []),
        ...set(say("seeOnline"), Style.label, wide),
        ...set(receipt.pageUrl, { ...Style.body, color: sheet.accent }, { ...wide, link }),
        ...(isProved ? [space(6), ...set(say("proofAttached"), Style.label, wide)] : []),
      ],
    ],
  };
}

/** Lays a receipt out from top to bottom: pages of items, none of which overlaps another's text. */
export function layOutReceipt(receipt: ReceiptDocument, fonts: Fonts): PageItem[][] {
  const sheet = createSheet(receipt.look, fonts);
  const { say } = sheet.locale;
  const flow = createFlow({ top: sheet.page.top, bottom: bottomOf(receipt, sheet) });
  const { aside } = columnsOf(sheet);
  const law = receipt.issued?.title ?? "";
  const below = law === "" ? [] : sheet.set(law, Style.body, { ...aside, align: "right" });
  flow.place(masthead(receipt, say("receipt"), sheet, below));
  flow.place(parties(receipt, sheet));
  flow.place({ gap: 24, columns: [[seal(receipt, sheet)]] });

  if (receipt.lineItems.length === 0) for (const row of product(receipt, sheet)) flow.place(row);
  placeBill(flow, receipt, sheet, true);
  if (receipt.payments.length > 0) flow.place(received(receipt, sheet));

  const { head, rows } = createPayments(receipt, sheet);
  const [first] = rows;
  if (first) flow.place(head, { next: [first] });
  for (const row of rows) flow.place(row, { head });
  flow.place(footnotes(receipt, sheet));
  return onPages(flow.pages(), titleOf(receipt, sheet.locale), sheet, receipt);
}

/** The title of the file, and of the foot of each page if there are several. */
export function titleOf({ number, issued, merchantName }: ReceiptDocument, { say }: Locale): string {
  return `${say("receipt")} · ${issued?.number ?? number ?? merchantName}`;
}

/** Points. A time is within this in every language; the amounts have what they take, and a hash has the rest. */
const whenWidth = 112;
const amountWidthMax = 84;
const gutter = 12;
const when = { ...Style.muted, size: 8, leading: 12 };
const amountStyle = { ...Style.strong, leading: when.leading };

/**
 * The payments: a head, repeated on each page, and a row for each with its time, sender, transaction and amount. No
 * rows without payments.
 */
function createPayments(receipt: ReceiptDocument, sheet: Sheet): { head: FlowRow; rows: FlowRow[] } {
  const { say } = sheet.locale;
  const { payments, otherPayments } = receipt;
  const measures = measuresOf(receipt, sheet);
  const { first, middle, last } = measures;
  const title = say(payments.length + otherPayments === 1 ? "payment" : "payments");
  const table = tableTags();
  const heads = { as: "TH", within: table.head } as const;
  const head = [
    [...sheet.set(title, Style.label, { ...first, ...heads }), underline(sheet)],
    sheet.set(say("transaction"), Style.label, { ...middle, ...heads }),
    sheet.set(say("amountInUsdc"), Style.label, { ...last, ...heads }),
  ];
  const rows = ruled(
    payments.map((payment) => columnsFor(payment, measures, table.row(), sheet)),
    sheet,
  );
  if (otherPayments > 0) {
    const others = sheet.set(say("smallerPayments", { count: otherPayments }), Style.muted, sheet.wide);
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
  row: Tag,
  sheet: Sheet,
): TextLine[][] {
  const { say, minute, figure, labelled } = sheet.locale;
  const hash = { ...Style.label, color: url === null ? Style.colors.ink : sheet.accent };
  // On one line, so that it can be compared and copied as one.
  const fitting = (hash.size * (middle.width - slack)) / widthOf(sheet.fonts, txHash, hash);
  const link = url === null ? undefined : { target: url, label: labelled(say("transaction"), txHash) };
  const cell = { ...middle, within: tag("TD", row) };
  return [
    sheet.set(minute(madeAt), when, { ...first, as: "TH", within: row }),
    [
      ...sheet.set(labelled(say("sentFrom"), from === zero ? say("mintedFrom") : from), Style.label, cell),
      ...sheet.set(txHash, { ...hash, size: Math.min(hash.size, fitting) }, { ...cell, link }),
    ],
    sheet.setFigure(figure(amount), amountStyle, { ...last, as: "TD", within: row }),
  ];
}
