import type { BillLine, SumRow } from "../../language/bill.ts";
import type { Row } from "../type/flow.ts";
import { beside, type Item, type Measure, type Style, space, widthOf } from "../type/typeset.ts";
import { body, colors, label, muted, total } from "./invoice-style.ts";
import { columnsOf, termWidth } from "./letterhead.ts";
import type { Sheet } from "./sheet.ts";

/** Points. The columns of figures are as wide as their longest figure, within a limit; description has the rest. */
const figureWidthMin = 52;
const figureWidthMax = 96;
const gutter = 16;
/** Keeps the longest figure on one line in spite of rounding. */
const slack = 0.5;
const headGap = 34;
const rowGap = 13;

const figures = ["quantity", "unitPrice", "lineTotal"] as const;

type Cells = Pick<BillLine, "description" | (typeof figures)[number]> & { remark: string };
type Columns = Record<"description" | (typeof figures)[number], Measure>;

/** A line from margin to margin, in points. */
export function rule({ page, contentWidth }: Sheet, y: number, color: string, thickness: number): Item {
  return { kind: "rule", x: page.left, y, width: contentWidth, thickness, color };
}

function titlesIn({ locale: { say } }: Sheet): Cells {
  return {
    description: say("description"),
    remark: "",
    quantity: say("quantity"),
    unitPrice: say("unitPrice"),
    lineTotal: say("amountInUsdc"),
  };
}

function writtenOut(item: BillLine, { locale: { figure } }: Sheet): Cells {
  return {
    description: item.description,
    remark: item.remark ?? "",
    quantity: `${figure(item.quantity)} ${item.unit ?? ""}`.trimEnd(),
    unitPrice: figure(item.unitPrice),
    lineTotal: figure(item.lineTotal),
  };
}

function columnsFor(lines: readonly Cells[], sheet: Sheet): Columns {
  const { fonts, page, rightEdge } = sheet;
  const titles = titlesIn(sheet);
  const width = (figure: (typeof figures)[number]) => {
    const texts = lines.map((line) => widthOf(fonts, line[figure], body));
    const widest = Math.max(figureWidthMin, widthOf(fonts, titles[figure], label), ...texts);
    return Math.min(figureWidthMax, widest + slack);
  };
  const before = (right: number, column: number): Measure => ({
    x: right - column,
    width: column,
    align: "right",
  });
  const lineTotal = before(rightEdge, width("lineTotal"));
  const unitPrice = before(lineTotal.x - gutter, width("unitPrice"));
  const quantity = before(unitPrice.x - gutter, width("quantity"));
  const description = { x: page.left, width: quantity.x - gutter - page.left };
  return { description, quantity, unitPrice, lineTotal };
}

/** The line items: a head to be repeated on each page, and a row for each item. */
export function createTable(items: readonly BillLine[], sheet: Sheet): { head: Row; rows: Row[] } {
  const lines = items.map((item) => writtenOut(item, sheet));
  const columns = columnsFor(lines, sheet);
  const cells = (line: Cells, style: Style) => [
    [
      ...sheet.set(line.description, style, columns.description),
      ...(line.remark === "" ? [] : sheet.set(line.remark, muted, columns.description)),
    ],
    ...figures.map((cell) => sheet.setFigure(line[cell], style, columns[cell])),
  ];

  const underline = { height: 9, items: [rule(sheet, 3, colors.line, 0.75)] };
  const head = cells(titlesIn(sheet), label).map((column, index) =>
    index === 0 ? [...column, underline] : column,
  );
  const rows = lines.map((line, index): Row => {
    if (index === 0) return { gap: 0, columns: cells(line, body) };
    return { gap: rowGap, rule: rule(sheet, 0, colors.hairline, 0.5), columns: cells(line, body) };
  });
  return { head: { gap: headGap, columns: head }, rows };
}

/** The rows of how a total comes about: what each is, to the left of its amount. */
export function sumRowsOf(sums: readonly SumRow[], sheet: Sheet): Row[] {
  return sums.map((sum, index) => {
    const row = sumRow(sum, sheet);
    return index === 0 ? { ...row, gap: rowGap, rule: rule(sheet, 0, colors.hairline, 0.5) } : row;
  });
}

function sumRow({ label: term, amount }: SumRow, sheet: Sheet): Row {
  const { page, contentWidth } = sheet;
  const figure = { x: sheet.rightEdge - figureWidthMax, width: figureWidthMax, align: "right" as const };
  const text = { x: page.left, width: contentWidth - figureWidthMax - gutter, align: "right" as const };
  return { gap: 6, columns: [sheet.set(term, muted, text), sheet.setFigure(amount, body, figure)] };
}

/** The sum below the table; `amount` in USDC without the unit. */
export function totalRow(amount: string, sheet: Sheet): Row {
  const { locale, page, contentWidth } = sheet;
  const wide = { x: page.left, width: contentWidth, align: "right" as const };
  const [figure = space(0), ...more] = sheet.set(locale.usdc(amount), total, wide);
  const style = { ...muted, leading: figure.height };
  const [term = space(0)] = sheet.set(locale.say("total"), style, {
    ...columnsOf(sheet).aside,
    width: termWidth,
  });
  const line = rule(sheet, 0, colors.line, 0.75);
  return { gap: 24, rule: line, columns: [[beside(term, figure), ...more]] };
}
