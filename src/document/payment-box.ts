import type { InvoiceDocument } from "./invoice-document.ts";
import { body, colors, label, muted, name, strong } from "./invoice-style.ts";
import type { Sheet } from "./sheet.ts";
import { type Item, type Line, moved, space } from "./typeset.ts";

/** Points. At 120 a side a module of a 45-module code is 0.8 mm, which a phone reads at arm's length. */
const codeSide = 120;
const padding = 16;
const radius = 6;

/** One unbreakable line: the code, and beside it what has to be sent, where, and on which network. */
export function createPaymentBox(invoice: InvoiceDocument, sheet: Sheet): Line {
  const { page, rightEdge, contentWidth, set } = sheet;
  const { say } = sheet.words;
  const x = page.left + padding + codeSide + 20;
  const measure = { x, width: rightEdge - padding - x };
  const lines: Line[] = [
    ...set(say("pay", { amount: invoice.total }), name, measure),
    ...set(say("scanOrSend"), muted, measure),
    space(7),
    ...set(say("depositAddress"), label, measure),
    ...set(invoice.depositAddress, strong, measure),
    space(5),
    ...set(say("network"), label, measure),
    ...set(say("onlyNetwork", { network: invoice.networkName }), body, measure),
    space(5),
    ...set(say("payOnline"), label, measure),
    ...set(invoice.invoiceUrl, { ...body, color: sheet.accent }, { ...measure, link: invoice.invoiceUrl }),
  ];
  const textHeight = lines.reduce((sum, line) => sum + line.height, 0);
  const height = Math.max(codeSide, textHeight) + 2 * padding;
  const items: Item[] = [
    { kind: "panel", x: page.left, y: 0, width: contentWidth, height, radius, color: colors.panel },
    {
      kind: "qr",
      x: sheet.x(page.left + padding, codeSide),
      y: (height - codeSide) / 2,
      size: codeSide,
      text: invoice.paymentUri,
    },
  ];
  let y = (height - textHeight) / 2;
  for (const line of lines) {
    items.push(...moved(line.items, y));
    y += line.height;
  }
  return { height, items };
}
