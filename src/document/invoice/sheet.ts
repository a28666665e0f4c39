import { speak } from "../../language/locale.ts";
import type { Fonts } from "../type/fonts.ts";
import { type Tag, tag } from "../type/tag.ts";
import { type Measure, paragraph, type TextLine, type Style as Type } from "../type/typeset.ts";
import type { Look } from "./invoice-document.ts";
import * as Style from "./invoice-style.ts";

export type Sheet = Readonly<ReturnType<typeof createSheet>>;

/** Paper, language and colour of one document. Layouts give positions from left to right; a sheet mirrors them if need be. */
export function createSheet({ paper, language, brand }: Look, fonts: Fonts) {
  const page = Style.pages[paper];
  const locale = speak(language);
  const isRtl = locale.dir === "rtl";
  /** The left edge of what is not text. */
  const x = (left: number, width: number) => (isRtl ? page.width - left - width : left);
  const placed = (measure: Measure): Measure => ({ ...measure, x: x(measure.x, measure.width) });
  const turned = { left: "right", right: "left" } as const;
  /** Text as the lines of a column, which is on the other side in a language that runs to the left. */
  const set = (text: string, style: Type, measure: Measure): TextLine[] => {
    const { align = "left" } = measure;
    return paragraph(fonts, text, style, { ...placed(measure), align: isRtl ? turned[align] : align });
  };
  /** Points between the margins. */
  const contentWidth = page.width - page.left - page.right;
  return {
    page,
    contentWidth,
    /** The x of the right margin. */
    rightEdge: page.width - page.right,
    /** From margin to margin. */
    wide: { x: page.left, width: contentWidth } as Measure,
    fonts,
    locale,
    brand,
    /** The operator's colour, else Till's; dark enough for text. */
    accent: brand.palette?.text ?? Style.colors.accent,
    x,
    set,
    /** Like `set`, for figures, which line up at the right in every language. */
    setFigure: (text: string, style: Type, measure: Measure) =>
      paragraph(fonts, text, style, { ...placed(measure), align: "right" }),
    /** A text below its heading. */
    setBelow: (heading: string, text: string, measure: Measure, style = Style.body) => [
      ...set(heading, Style.label, { ...measure, as: "H2", link: undefined }),
      ...set(text, style, measure),
    ],
    /** A fact of a list: a text below its label. */
    setFact: (list: Tag, label: string, text: string, measure: Measure, style = Style.body) => {
      const within = tag("LI", list);
      return [
        ...set(label, Style.label, { ...measure, as: "Lbl", within, link: undefined }),
        ...set(text, style, { ...measure, as: "LBody", within }),
      ];
    },
  };
}
