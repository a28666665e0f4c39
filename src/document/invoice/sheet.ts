import { type Locale, speak } from "../../language/locale.ts";
import type { Fonts } from "../type/fonts.ts";
import { type Measure, paragraph, type Style, type TextLine } from "../type/typeset.ts";
import type { Look } from "./invoice-document.ts";
import { colors, pages } from "./invoice-style.ts";

/** Paper, language and colour of one document. Whoever lays it out thinks from left to right. */
export type Sheet = {
  readonly page: (typeof pages)[keyof typeof pages];
  /** Points between the margins, and where the right one begins. */
  readonly contentWidth: number;
  readonly rightEdge: number;
  readonly fonts: Fonts;
  readonly locale: Locale;
  readonly brand: Look["brand"];
  /** The operator's colour, else Till's; dark enough for text. */
  readonly accent: string;
  /** Any text as lines of a column; in a language that runs to the left the column is on the other side. */
  set(text: string, style: Style, measure: Measure): TextLine[];
  /** The same for figures, which line up at the right in every language. */
  setFigure(text: string, style: Style, measure: Measure): TextLine[];
  /** Where something stands that is no text. */
  x(x: number, width: number): number;
};

export function createSheet({ paper, language, brand }: Look, fonts: Fonts): Sheet {
  const page = pages[paper];
  const locale = speak(language);
  const isRtl = locale.dir === "rtl";
  const x = (left: number, width: number) => (isRtl ? page.width - left - width : left);
  const placed = (measure: Measure): Measure => ({ ...measure, x: x(measure.x, measure.width) });
  const turned = { left: "right", right: "left" } as const;
  return {
    page,
    contentWidth: page.width - page.left - page.right,
    rightEdge: page.width - page.right,
    fonts,
    locale,
    brand,
    accent: brand.palette?.text ?? colors.accent,
    x,
    set(text, style, measure) {
      const { align = "left" } = measure;
      return paragraph(fonts, text, style, { ...placed(measure), align: isRtl ? turned[align] : align });
    },
    setFigure: (text, style, measure) =>
      paragraph(fonts, text, style, { ...placed(measure), align: "right" }),
  };
}
