import type { Face, Fonts, Weight } from "./fonts.ts";
import * as Text from "./text.ts";
import { isRightToLeft } from "./text.ts";

/** What a page is made of. Lengths are points (1/72 inch), x from the left and y from the top of its page or line. */
export type PageItem =
  | {
      kind: "text";
      x: number;
      baseline: number;
      size: number;
      width: number;
      face: Face;
      text: string;
      color: string;
    }
  /** Filled; of a frame only the edge is drawn. A rule is a flat one. */
  | {
      kind: "panel" | "frame";
      x: number;
      y: number;
      width: number;
      height: number;
      radius: number;
      color: string;
    }
  | { kind: "link"; x: number; y: number; width: number; height: number; target: string }
  | { kind: "image"; x: number; y: number; width: number; height: number; url: string }
  | { kind: "qr"; x: number; y: number; size: number; text: string };

/** One line of a column: x is already the page's, y counts from the top of the line. */
export type TextLine = { height: number; items: readonly PageItem[] };

/** `size` and `leading` (baseline to baseline) in points. */
export type Style = { weight: Weight; size: number; leading: number; color: string };

/** Where a column stands, and where its text leads to when it is clicked. */
export type Measure = {
  x: number;
  width: number;
  align?: "left" | "right";
  /** Hebrew and Arabic of more than one line begin at the right, as in a letter; names and addresses do not. */
  isProse?: boolean;
  link?: string;
};

/** Half of the height of a capital, in ems: centres a line of text in its leading. */
const halfCapitalEms = 0.357;

export function moved(items: readonly PageItem[], y: number): PageItem[] {
  return items.map((item) =>
    item.kind === "text" ? { ...item, baseline: item.baseline + y } : { ...item, y: item.y + y },
  );
}

/** The width of a text on one line, in points. */
export function widthOf(fonts: Fonts, text: string, style: Style): number {
  const faces = fonts[style.weight];
  return Text.widthOf(Text.printable(text, faces), faces) * style.size;
}

/** Any text as lines of a column, wrapped to its width. Braces and the like are printed as they are. */
export function paragraph(fonts: Fonts, text: string, style: Style, measure: Measure): TextLine[] {
  const faces = fonts[style.weight];
  return Text.printable(text, faces)
    .split("\n")
    .flatMap((part) => {
      const isRtl = isRightToLeft(part);
      const lines = Text.wrap(part, measure.width / style.size, faces);
      const align = measure.isProse && isRtl && lines.length > 1 ? "right" : measure.align;
      let at = 0;
      return lines.map((line) => {
        at = part.indexOf(line, at);
        const runs = Text.runs(line, faces, isRtl, part, at);
        at += line.length;
        return setLine(runs, style, { ...measure, align });
      });
    });
}

function setLine(
  runs: ReturnType<typeof Text.runs>,
  { size, leading, color }: Style,
  measure: Omit<Measure, "align"> & { align: Measure["align"] | undefined },
): TextLine {
  const baseline = leading / 2 + halfCapitalEms * size;
  const total = runs.reduce((sum, run) => sum + run.width, 0) * size;
  const left = measure.align === "right" ? measure.x + measure.width - total : measure.x;
  let x = left;
  const items: PageItem[] = [];
  for (const run of runs) {
    const width = run.width * size;
    items.push({ kind: "text", x, baseline, size, width, face: run.face, text: run.text, color });
    x += width;
  }
  if (measure.link !== undefined) {
    items.push({ kind: "link", x: left, y: 0, width: total, height: leading, target: measure.link });
  }
  return { height: leading, items };
}

export function heightOf(lines: readonly TextLine[]): number {
  return lines.reduce((sum, line) => sum + line.height, 0);
}

/** Lines one below the other, the first at `y`. */
export function stacked(lines: readonly TextLine[], y: number): PageItem[] {
  let at = y;
  return lines.flatMap(({ items, height }) => {
    at += height;
    return moved(items, at - height);
  });
}

/** An empty line. */
export function space(height: number): TextLine {
  return { height, items: [] };
}

/** Draws several one-line texts beside each other. */
export function beside(...lines: readonly (TextLine | undefined)[]): TextLine {
  const present = lines.filter((line) => line !== undefined);
  return {
    height: Math.max(0, ...present.map((line) => line.height)),
    items: present.flatMap((line) => line.items),
  };
}
