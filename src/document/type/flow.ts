import {
  heightOf as heightOfLines,
  moved,
  type PageItem,
  stacked,
  type TextLine,
  unmarked,
} from "./typeset.ts";

/** Columns beside each other. Lines of one column follow one another without a gap. */
export type FlowRow = {
  columns: readonly (readonly TextLine[])[];
  /** Points of white above, left out at the top of a page. */
  gap: number;
  /** Drawn in the middle of the gap. */
  rule?: PageItem;
};

/**
 * `head` is repeated above a row on each new page. `next` are rows that must not begin a page by themselves: when they
 * would, the row goes there with them.
 */
type RowContext = { head?: FlowRow; next?: readonly FlowRow[] };

export type Flow = ReturnType<typeof createFlow>;

/** Points. Taller rows are broken, so that no page is left half empty. */
const keepTogetherMax = 230;
/** Points. A row is not broken for less. */
const breakHeightMin = 60;
/** Points. Room for the rounding of sums of fractions. */
const tolerance = 0.01;

function heightOf(columns: FlowRow["columns"]): number {
  return Math.max(0, ...columns.map(heightOfLines));
}

/** Returns the number of lines that fit, at least one, so that an overlong line cannot stop the flow. */
function fitting(lines: readonly TextLine[], height: number): number {
  let used = 0;
  const count = lines.findIndex((line) => {
    used += line.height;
    return used > height + tolerance;
  });
  return count === -1 ? lines.length : Math.max(1, count);
}

/** Shares of the white between rows, from the most beautiful to the least that still is. */
const spacings = [0.85, 0.7, 0.55];
const tightest = 0.45;

type Bounds = { top: number; bottom: number };
type Placed = RowContext & { row: FlowRow };

/** Lays rows on pages between `top` and `bottom`, in points from the top of the page. */
export function createFlow(bounds: Bounds) {
  const placed: Placed[] = [];
  const lay = (spacing: number) => laid(placed, bounds, spacing);
  return {
    /**
     * Places a row below the last one. A row that does not fit goes to the next page; one that is taller than
     * `keepTogetherMax` is broken between lines instead.
     */
    place: (row: FlowRow, around?: RowContext) => void placed.push({ row, ...around }),
    /** All that was placed, with as much white between rows as leaves no page more than there have to be. */
    pages(): PageItem[][] {
      const loose = lay(1);
      if (loose.length === 1) return loose;
      const tight = lay(tightest);
      if (tight.length === loose.length) return loose;
      for (const spacing of spacings) {
        const pages = lay(spacing);
        if (pages.length === tight.length) return pages;
      }
      return tight;
    },
  };
}

/** The pages of rows, with the share of `spacing` of the white between them. */
function laid(placed: readonly Placed[], { top, bottom }: Bounds, spacing: number): PageItem[][] {
  const pages: PageItem[][] = [[]];
  let y = top;
  /** Nothing but a repeated head stands above: no gap and no rule is needed. */
  let atTop = true;

  const draw = (items: readonly PageItem[]) => pages.at(-1)?.push(...items);
  const drawColumns = (columns: FlowRow["columns"]) => {
    for (const lines of columns) draw(stacked(lines, y));
    y += heightOf(columns);
    atTop = false;
  };
  const turnPage = (head?: FlowRow) => {
    pages.push([]);
    y = top;
    // It has been read out above the first part of its table.
    if (head) drawColumns(head.columns.map((lines) => unmarked(lines)));
    atTop = true;
  };

  for (const { row, head, next = [] } of placed) {
    const above = row.gap * spacing;
    let rest = row.columns;
    const height = heightOf(rest);
    const room = bottom - y - (atTop ? 0 : above);
    const following = next.map(({ gap, columns }) => gap * spacing + heightOf(columns));
    const all = following.reduce((sum, each) => sum + each, 0);
    const after = height + all > keepTogetherMax ? (following[0] ?? 0) : all;
    const needed = height + after > keepTogetherMax ? breakHeightMin : height + after;
    if (needed > room + tolerance && !atTop) turnPage(head);
    if (!atTop) {
      if (row.rule) draw(moved([row.rule], y + above / 2));
      y += above;
    }
    for (;;) {
      const isEnd = heightOf(rest) <= bottom - y + tolerance;
      const limit = bottom - y - (isEnd ? after : 0);
      const counts = rest.map((lines) => fitting(lines, limit));
      drawColumns(rest.map((lines, column) => lines.slice(0, counts[column])));
      rest = rest.map((lines, column) => lines.slice(counts[column]));
      if (rest.every((lines) => lines.length === 0)) break;
      turnPage(head);
    }
  }
  return pages;
}
