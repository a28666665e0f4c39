import type { Fonts } from "./fonts.ts";
import type { InvoiceDocument } from "./invoice-document.ts";
import {
  body,
  colors,
  contentWidth,
  label,
  link,
  muted,
  name,
  page,
  rightEdge,
  strong,
} from "./invoice-style.ts";
import { type Item, type Line, moved, paragraph, space } from "./typeset.ts";

/** Points. At 120 a side a module of a 45-module code is 0.8 mm, which a phone reads at arm's length. */
const codeSide = 120;
const padding = 16;
const radius = 6;

/** One unbreakable line: the code, and beside it what has to be sent, where, and on which network. */
export function createPaymentBox(invoice: InvoiceDocument, fonts: Fonts): Line {
  const x = page.left + padding + codeSide + 20;
  const measure = { x, width: rightEdge - padding - x };
  const lines: Line[] = [
    ...paragraph(fonts, `Pay ${invoice.total} USDC`, name, measure),
    ...paragraph(fonts, `Scan the code with a wallet, or send to the deposit address.`, muted, measure),
    space(7),
    ...paragraph(fonts, "Deposit address", label, measure),
    ...paragraph(fonts, invoice.depositAddress, strong, measure),
    space(5),
    ...paragraph(fonts, "Network", label, measure),
    ...paragraph(fonts, `USDC on ${invoice.networkName} only`, body, measure),
    space(5),
    ...paragraph(fonts, "Pay and follow the payment online", label, measure),
    ...paragraph(fonts, invoice.invoiceUrl, link, { ...measure, link: invoice.invoiceUrl }),
  ];
  const textHeight = lines.reduce((sum, line) => sum + line.height, 0);
  const height = Math.max(codeSide, textHeight) + 2 * padding;
  const items: Item[] = [
    { kind: "panel", x: page.left, y: 0, width: contentWidth, height, radius, color: colors.panel },
    {
      kind: "qr",
      x: page.left + padding,
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
