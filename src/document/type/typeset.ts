import type { Face, Fonts, Weight } from "./fonts.ts";
import { foot, type Mark, type Role, type Tag, tag } from "./tag.ts";
import * as Text from "./text.ts";
import { isRightToLeft } from "./text.ts";

/**
 * The items of a page. Lengths are points (1/72 inch), x from the left and y from the top of its page or line. An item
 * without a mark is decoration.
 */
export type PageItem =
  | {
      kind: "text";
      mark: Mark;
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
  | ({ kind: "link"; mark: Tag; x: number; y: number; width: number; height: number } & Target)
  | { kind: "image"; mark: Mark; x: number; y: number; width: number; height: number; url: string }
  | { kind: "qr"; mark: Tag; x: number; y: number; size: number; text: string };

/** The page that a link opens, http or https, and what to call that. */
export type Target = { target: string; label: string };

/** One line of a column: x is already the page's, y counts from the top of the line. */
export type TextLine = { height: number; items: readonly PageItem[] };

/** `size` and `leading` (baseline to baseline) in points. */
export type Style = { weight: Weight; size: number; leading: number; color: string };

/** The place of a column, the role of its text (a paragraph by default), and the target of a click. */
export type Measure = {
  x: number;
  width: number;
  align?: "left" | "right";
  /** Hebrew and Arabic of more than one line begin at the right, as in a letter; names and addresses do not. */
  isProse?: boolean;
  as?: Role | typeof foot;
  within?: Tag | undefined;
  link?: Target | undefined;
};

/** Half of the height of a capital, in ems: centres a line of text in its leading. */
const halfCapitalEms = 0.357;

export function moved(items: readonly PageItem[], y: number): PageItem[] {
  return items.map((item) =>
    item.kind === "text" ? { ...item, baseline: item.baseline + y } : { ...item, y: item.y + y },
  );
}

/** Returns the same items without marks, so that they are not read out again. */
export const unmarked = (lines: readonly TextLine[], mark?: typeof foot): TextLine[] =>
  lines.map(({ height, items }) => ({
    height,
    items: items.flatMap((item) => {
      if (item.kind === "link" || item.kind === "qr") return [];
      return [{ ...item, mark }];
    }),
  }));

/** The width of a text on one line, in points. */
export function widthOf(fonts: Fonts, text: string, style: Style): number {
  const faces = fonts[style.weight];
  return Text.widthOf(Text.printable(text, faces), faces) * style.size;
}

/** Any text as lines of a column, wrapped to its width. Braces and the like are printed as they are. */
export function paragraph(fonts: Fonts, text: string, style: Style, measure: Measure): TextLine[] {
  const faces = fonts[style.weight];
  const link = measure.link && isWebPage(measure.link.target) ? measure.link : undefined;
  const mark = markOf({ ...measure, link });
  const parts = Text.printable(text, faces).split("\n");
  const set = parts.flatMap((part, index) => {
    const isRtl = isRightToLeft(part);
    const lines = Text.wrap(part, measure.width / style.size, faces);
    const align = measure.isProse && isRtl && lines.length > 1 ? "right" : measure.align;
    let at = 0;
    return lines.map((line) => {
      at = part.indexOf(line, at);
      const runs = Text.runs(line, faces, isRtl, part, at);
      at += line.length;
      const endsWord = at === part.length ? index < parts.length - 1 : part.charAt(at) === " ";
      return setLine(endsWord ? withBlank(runs) : runs, style, { ...measure, align, link }, mark);
    });
  });
  if (mark === foot) return set;
  mark.text = heardInstead(text, set);
  return text === "" && mark.role === "TD" ? [emptyLine(mark, faces[0], style)] : set;
}

type Runs = ReturnType<typeof Text.runs>;

function markOf({ as = "P", within, link }: Measure): Tag | typeof foot {
  if (as === foot) return foot;
  return link ? tag("Link", tag(as, within)) : tag(as, within);
}

const isWebPage = (url: string) => /^https?:$/.test(URL.parse(url)?.protocol ?? "");

/** A line with the space at its end that nobody sees: without it the next word would be read as part of its last. */
function withBlank(runs: Runs): Runs {
  const last = runs.at(-1);
  if (!last || last.face.shaped || !last.face.holds(0x20)) return runs;
  return runs.with(-1, { ...last, text: `${last.text} ` });
}

/** Returns the spoken text where letters are drawn joined, turned around or mirrored. */
function heardInstead(text: string, lines: readonly TextLine[]): string | undefined {
  const runs = lines.flatMap(({ items }) => items).filter((item) => item.kind === "text");
  const drawn = runs.map((run) => run.text).join("");
  if (drawn === text && !runs.some(({ face }) => face.shaped)) return undefined;
  const heard = Text.audible(text);
  const isDrawn = drawn === heard.replace(/\n+/g, " ") && !runs.some(({ face }) => face.shaped);
  return isDrawn ? undefined : heard;
}

/** A cell is one even if there is nothing in it. */
const emptyLine = (mark: Tag, face: Face, { size, leading, color }: Style): TextLine => ({
  height: leading,
  items: [{ kind: "text", mark, x: 0, baseline: 0, size, width: 0, face, text: "", color }],
});

function setLine(
  runs: Runs,
  { size, leading, color }: Style,
  measure: Omit<Measure, "align"> & { align: Measure["align"] | undefined },
  mark: Tag | typeof foot,
): TextLine {
  const baseline = leading / 2 + halfCapitalEms * size;
  const total = runs.reduce((sum, run) => sum + run.width, 0) * size;
  const left = measure.align === "right" ? measure.x + measure.width - total : measure.x;
  let x = left;
  const items: PageItem[] = [];
  for (const run of runs) {
    const width = run.width * size;
    items.push({ kind: "text", mark, x, baseline, size, width, face: run.face, text: run.text, color });
    x += width;
  }
  if (measure.link !== undefined && mark !== foot) {
    items.push({ kind: "link", mark, x: left, y: 0, width: total, height: leading, ...measure.link });
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
