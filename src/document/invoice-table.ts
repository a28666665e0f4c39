import type { Row } from "./flow.ts";
import type { Fonts } from "./fonts.ts";
import type { DocumentLine } from "./invoice-document.ts";
import { body, colors, contentWidth, label, page, rightEdge } from "./invoice-style.ts";
import { type Item, type Measure, paragraph, type Style, widthOf } from "./typeset.ts";

/** Points. The columns of figures are as wide as their longest figure, within a limit; description has the rest. */
const figureWidthMin = 52;
const figureWidthMax = 96;
const gutter = 16;
/** Keeps the longest figure on one line in spite of rounding. */
const slack = 0.5;
const headGap = 34;
const rowGap = 13;

const figures = ["quantity", "unitPrice", "lineTotal"] as const;
const titles = {
  description: "Description",
  quantity: "Quantity",
  unitPrice: "Unit price",
  lineTotal: "Amount (USDC)",
};

type Columns = Record<keyof DocumentLine, Measure>;

/** A line from margin to margin, in points. */
export function rule(y: number, color: string, thickness: number): Item {
  return { kind: "rule", x: page.left, y, width: contentWidth, thickness, color };
}

function columnsFor(lines: readonly DocumentLine[], fonts: Fonts): Columns {
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
export function createTable(lines: readonly DocumentLine[], fonts: Fonts): { head: Row; rows: Row[] } {
  const columns = columnsFor(lines, fonts);
  const cells = (line: DocumentLine, style: Style) =>
    (["description", ...figures] as const).map((cell) => paragraph(fonts, line[cell], style, columns[cell]));

  const underline = { height: 9, items: [rule(3, colors.line, 0.75)] };
  const head = cells(titles, label).map((column, index) => (index === 0 ? [...column, underline] : column));
  const rows = lines.map((line, index): Row => {
    if (index === 0) return { gap: 0, columns: cells(line, body) };
    return { gap: rowGap, rule: rule(0, colors.hairline, 0.5), columns: cells(line, body) };
  });
  return { head: { gap: headGap, columns: head }, rows };
}
