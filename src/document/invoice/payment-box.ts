import { tag } from "../type/tag.ts";
import { heightOf, type Measure, type PageItem, space, stacked, type TextLine } from "../type/typeset.ts";
import { amountDue, type InvoiceDocument } from "./invoice-document.ts";
import { body, colors, label, muted, name, strong } from "./invoice-style.ts";
import type { Sheet } from "./sheet.ts";

/** Points. At 120 a side a module of a 45-module code is 0.8 mm, which a phone reads at arm's length. */
const codeSide = 120;
const padding = 16;
const radius = 6;

/**
 * One unbreakable line: the code, and beside it what has to be sent, where, and on which network. When nothing is left
 * to pay there is no code, and nothing asks anybody to pay once more. What nobody owes has no address either.
 */
export function createPaymentBox(invoice: InvoiceDocument, sheet: Sheet): TextLine {
  const { page, rightEdge, contentWidth, set } = sheet;
  const { say, figure, labelled, usdc } = sheet.locale;
  const { payment, closed, owedBack } = invoice;
  const due = amountDue(invoice);
  const x = page.left + padding + (due === null ? 0 : codeSide + 20);
  const measure = { x, width: rightEdge - padding - x };
  const total = figure(invoice.net ?? invoice.total);
  const received = payment?.received ?? "0.00";
  const arrived =
    owedBack === null
      ? say("receivedOf", { received: figure(received), total })
      : labelled(say("amountReceived"), usdc(received));
  const request =
    due === null
      ? set(say(ending(closed)), name, { ...measure, as: "H2" })
      : [
          ...set(say("payAmount", { amount: figure(due) }), name, { ...measure, as: "H2" }),
          ...set(say("scanOrSend"), muted, measure),
        ];
  const list = tag("L");
  const [which, warning = ""] = networkTexts(invoice, sheet);
  const network =
    which === undefined
      ? []
      : [
          space(5),
          ...sheet.setFact(list, say("network"), which, measure),
          ...(warning === "" ? [] : set(warning, strong, measure)),
        ];
  const toPay = due === null ? "seeOnline" : "payOnline";
  const invitation = say(closed === null ? toPay : "viewInvoice");
  const link = { target: invoice.invoiceUrl, label: invitation };
  const lines: TextLine[] = [
    ...request,
    ...(owedBack === null ? reasonOf(closed, sheet, measure) : []),
    ...(received !== "0.00" ? [space(3), ...set(arrived, strong, measure)] : []),
    ...(owedBack === null ? [] : [space(3), ...set(owedBack, body, measure)]),
    ...(closed === null
      ? [space(7), ...sheet.setFact(list, say("depositAddress"), invoice.depositAddress, measure, strong)]
      : []),
    ...network,
    space(5),
    ...set(invitation, label, measure),
    ...set(invoice.invoiceUrl, { ...body, color: sheet.accent }, { ...measure, link }),
  ];
  const textHeight = heightOf(lines);
  const height = Math.max(due === null ? 0 : codeSide, textHeight) + 2 * padding;
  const items: PageItem[] = [
    { kind: "panel", x: page.left, y: 0, width: contentWidth, height, radius, color: colors.panel },
  ];
  if (due !== null) {
    items.push({
      kind: "qr",
      mark: { ...tag("Figure"), text: say("qrOfPayment") },
      x: sheet.x(page.left + padding, codeSide),
      y: (height - codeSide) / 2,
      size: codeSide,
      text: invoice.paymentUri,
    });
  }
  return { height, items: [...items, ...stacked(lines, (height - textHeight) / 2)] };
}

type Closed = InvoiceDocument["closed"];

function ending(closed: Closed) {
  if (closed === null) return "paidInFull";
  return closed.kind === "void" ? "voidOfInvoice" : "paidInvoice";
}

/** Why nobody has to pay it, as the merchant says. */
function reasonOf(closed: Closed, { locale: { say }, set, setBelow }: Sheet, measure: Measure): TextLine[] {
  if (closed === null) return [];
  if (closed.kind === "marked") return set(say("markedOfInvoice"), muted, measure);
  return [
    ...set(say("nothingOwed"), muted, measure),
    space(5),
    ...setBelow(say("reason"), closed.reason, { ...measure, isProse: true }),
  ];
}

/** Which USDC to pay with, and that it is a test where it is one; of a paid invoice only the latter. */
function networkTexts(invoice: InvoiceDocument, { locale: { say } }: Sheet): string[] {
  const { networkName: network, isTestNetwork } = invoice;
  if (amountDue(invoice) === null) return isTestNetwork ? [say("testNetworkName", { network })] : [];
  return [say("onlyUsdc", { network }), ...(isTestNetwork ? [say("testNetwork")] : [])];
}
