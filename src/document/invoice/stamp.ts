import { moved, type TextLine, widthOf } from "../type/typeset.ts";
import type { InvoiceDocument } from "./invoice-document.ts";
import * as Style from "./invoice-style.ts";
import type { Sheet } from "./sheet.ts";

/** Points. */
const paddingX = 9;
const paddingY = 3;
const gapAbove = 6;
const radius = 4;

/** What the merchant said of the invoice, in a frame that ends at the right margin; nothing while it is open. */
export function stamp({ closed }: InvoiceDocument, sheet: Sheet): TextLine[] {
  if (closed === null) return [];
  const { say } = sheet.locale;
  const { colors } = Style;
  const isVoid = closed.kind === "void";
  const style = { ...Style.stamp, color: isVoid ? colors.warm : colors.good };
  const text = say(isVoid ? "void" : "paid");
  const width = widthOf(sheet.fonts, text, style) + 2 * paddingX;
  const left = sheet.rightEdge - width;
  const [line] = sheet.set(text, style, { x: left + paddingX, width });
  const height = style.leading + 2 * paddingY;
  const frame = { kind: "frame", x: sheet.x(left, width), y: gapAbove, width, height, radius } as const;
  return [
    {
      height: gapAbove + height,
      items: [{ ...frame, color: style.color }, ...moved(line?.items ?? [], gapAbove + paddingY)],
    },
  ];
}
