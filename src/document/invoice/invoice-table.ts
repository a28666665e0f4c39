import type { BillLine, BillText } from "../../language/bill.ts";
import type { SumRow } from "../../language/sums.ts";
import type { Flow, FlowRow } from "../type/flow.ts";
import { type Tag, tableTags, tag } from "../type/tag.ts";
import {
  beside,
  type Measure,
  type PageItem,
  type Style,
  space,
  type TextLine,
  widthOf,
} from "../type/typeset.ts";
import { body, colors, label, muted, strong, total } from "./invoice-style.ts";
import { columnsOf, fact, slack, termWidth } from "./letterhead.ts";
import type { Sheet } from "./sheet.ts";

/** Points. The columns of figures are as wide as their longest figure, within a limit; description has the rest. */
const figureWidthMin = 52;
const figureWidthMax = 96;
const gutter = 16;
/** Points. The sums are as wide as their longest label, within a limit. */
const sumsWidthMax = 320;
const headGap = 34;
const rowGap = 13;
const sumGap = 3;

const figures = ["quantity", "unitPrice", "rate", "lineTotal"] as const;
type Figure = (typeof figures)[number];

type Cells = Record<"description" | "less" | Figure, string>;
/** There is none of the rate where no line has one. */
type Columns = { description: Measure } & Partial<Record<Figure, Measure>>;

/** A credit note's table is in its own currency, and has nothing below its total. */
type PlacedBill = Pick<BillText, "lineItems" | "tax" | "sums" | "total"> &
  Partial<BillText> & { closed?: { kind: string } | null; currency?: string };

/** A line from margin to margin, in points. */
export function rule({ page, contentWidth }: Sheet, y: number, color: string, height: number): PageItem {
  return { kind: "panel", x: page.left, y, width: contentWidth, height, radius: 0, color };
}

/** The line below the head of a table. */
export const underline = (sheet: Sheet): TextLine => ({
  height: 9,
  items: [rule(sheet, 3, colors.line, 0.75)],
});

function titlesIn({ locale: { say, amountIn } }: Sheet, code: string, tax: string): Cells {
  return {
    description: say("description"),
    less: "",
    quantity: say("quantity"),
    unitPrice: say("unitPrice"),
    rate: tax,
    lineTotal: amountIn(code),
  };
}

function writtenOut(item: BillLine, { locale: { figure } }: Sheet): Cells {
  return {
    description: item.description,
    less: item.less ?? "",
    quantity: `${figure(item.quantity)} ${item.unit ?? ""}`.trimEnd(),
    unitPrice: figure(item.unitPrice),
    rate: item.rate ?? "",
    lineTotal: figure(item.lineTotal),
  };
}

function columnsFor(titles: Cells, lines: readonly Cells[], sheet: Sheet): Columns {
  const { fonts, page, rightEdge } = sheet;
  const width = (figure: Figure) => {
    const texts = lines.map((line) => widthOf(fonts, line[figure], body));
    const min = figure === "rate" ? 0 : figureWidthMin;
    const widest = Math.max(min, widthOf(fonts, titles[figure], label), ...texts);
    return Math.min(figureWidthMax, widest + slack);
  };
  const isUsed = (figure: Figure) => lines.some((line) => line[figure] !== "");
  const columns: Columns = { description: { x: page.left, width: 0 } };
  let right = rightEdge;
  for (const figure of figures.filter(isUsed).reverse()) {
    const column = width(figure);
    columns[figure] = { x: right - column, width: column, align: "right" };
    right -= column + gutter;
  }
  columns.description.width = right - page.left;
  return columns;
}

/**
 * The goods, the sums and the total; without line items, no table. Nothing is left to pay of a bill that `isPaid`, so
 * its amount in USDC belongs to its total.
 */
export function placeBill(flow: Pick<Flow, "place">, bill: PlacedBill, sheet: Sheet, isPaid = false): void {
  const { lineItems, sums, total, credits = [], billed, closed } = bill;
  const { say } = sheet.locale;
  const currency = billed?.code ?? bill.currency ?? "USDC";
  const column = { ...sumsColumn([...sums, ...credits], sheet), within: tag("Table") };
  const below = [
    ...sumRowsOf(sums, column, sheet, lineItems.length === 0 ? headGap : rowGap),
    totalRow(billed?.total ?? total, column, sheet, currency),
    ...(isPaid ? conversionRows(bill, say("amountInUsdc"), column, sheet) : []),
    ...sumRowsOf(credits, column, sheet),
    ...(isPaid || closed?.kind === "void"
      ? []
      : conversionRows({ ...bill, total: bill.net ?? total }, say("payInUsdc"), column, sheet)),
  ];
  if (lineItems.length > 0) {
    const { head, rows } = createTable(bill, sheet, currency);
    flow.place(head);
    for (const [index, row] of rows.entries())
      flow.place(row, { head, next: index === rows.length - 1 ? below : [] });
  }
  for (const [index, row] of below.entries()) flow.place(row, { next: below.slice(index + 1) });
}

/** The line items: a head to be repeated on each page, and a row for each item. */
function createTable(
  { lineItems, tax }: PlacedBill,
  sheet: Sheet,
  code: string,
): { head: FlowRow; rows: FlowRow[] } {
  const lines = lineItems.map((item) => writtenOut(item, sheet));
  const titles = titlesIn(sheet, code, tax);
  const columns = columnsFor(titles, lines, sheet);
  const table = tableTags();
  const cells = (line: Cells, style: Style, as: "TH" | "TD", row: Tag) => {
    // What is billed heads its row.
    const whole = { ...columns.description, as: "TH", within: row } as const;
    const part = { ...columns.description, within: tag("TH", row) };
    return [
      line.less === ""
        ? sheet.set(line.description, style, whole)
        : [...sheet.set(line.description, style, part), ...sheet.set(line.less, muted, part)],
      ...figures.flatMap((cell) => {
        const column = columns[cell];
        return column === undefined
          ? []
          : [sheet.setFigure(line[cell], style, { ...column, as, within: row })];
      }),
    ];
  };

  const head = cells(titles, label, "TH", table.head).map((column, index) =>
    index === 0 ? [...column, underline(sheet)] : column,
  );
  const rows = lines.map((line) => cells(line, body, "TD", table.row()));
  return { head: { gap: headGap, columns: head }, rows: ruled(rows, sheet) };
}

/** The rows of a table, with a fine line between them. */
export const ruled = (rows: readonly FlowRow["columns"][], sheet: Sheet): FlowRow[] =>
  rows.map((columns, index) =>
    index === 0 ? { gap: 0, columns } : { gap: rowGap, rule: rule(sheet, 0, colors.hairline, 0.5), columns },
  );

/** Returns the place of the sums: the right-hand column, or a wider one for a long reason. */
function sumsColumn(sums: readonly SumRow[], sheet: Sheet): Measure {
  const widths = sums.map(
    ({ label, amount }) => widthOf(sheet.fonts, label, muted) + widthOf(sheet.fonts, amount, body),
  );
  const wanted = Math.min(sumsWidthMax, Math.max(0, ...widths) + gutter + 2 * slack);
  const width = Math.max(columnsOf(sheet).aside.width, wanted);
  return { x: sheet.rightEdge - width, width };
}

/** The rows of how a total comes about, below the line of its table: what each is, and its amount at the right. */
function sumRowsOf(sums: readonly SumRow[], { x, ...column }: Measure, sheet: Sheet, gapAbove = rowGap) {
  const widest = Math.max(0, ...sums.map(({ amount }) => widthOf(sheet.fonts, amount, body)));
  const figure = { x: sheet.rightEdge - widest - slack, width: widest + slack, align: "right" as const };
  const text = { x, width: figure.x - gutter - x };
  return sums.map(({ label: term, amount }, index): FlowRow => {
    const within = tag("TR", column.within);
    return {
      gap: index === 0 ? gapAbove : sumGap,
      columns: [
        sheet.set(term, muted, { ...text, as: "TH", within }),
        sheet.setFigure(amount, body, { ...figure, as: "TD", within }),
      ],
      ...(index === 0 ? { rule: rule(sheet, 0, colors.line, 0.75) } : {}),
    };
  });
}

/** The sum below the table; `amount` without the unit. */
function totalRow(amount: string, { x, ...column }: Measure, sheet: Sheet, currency: string): FlowRow {
  const { locale } = sheet;
  const within = tag("TR", column.within);
  const wide = { ...sheet.wide, align: "right", as: "TD", within } as const;
  const [figure = space(0), ...more] = sheet.set(`${locale.figure(amount)} ${currency}`, total, wide);
  const style = { ...muted, leading: figure.height };
  const [term = space(0)] = sheet.set(locale.say("total"), style, {
    x,
    width: termWidth,
    as: "TH",
    within,
  });
  const line = rule(sheet, 0, colors.line, 0.75);
  return { gap: 24, rule: line, columns: [[beside(term, figure), ...more]] };
}

/** Below the sum of a bill in another currency: what that is in USDC, and at which rate. */
function conversionRows(
  { total: usdc, billed }: Pick<BillText, "total" | "billed">,
  term: string,
  column: Measure,
  sheet: Sheet,
): FlowRow[] {
  if (billed === undefined) return [];
  const { locale } = sheet;
  const row = tag("TR", column.within);
  const within = tag("TD", row);
  const place = { ...column, term: { as: "TH", within: row }, value: { within } } as const;
  const lines = [
    ...fact(sheet, term, locale.figure(usdc), strong, place),
    ...sheet.set(billed.rate, muted, { ...sheet.wide, align: "right", within }),
  ];
  return [{ gap: 8, columns: [lines] }];
}
