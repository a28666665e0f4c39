import { type Brand, hostName, plainBrand } from "../domain/brand.ts";
import { howToPay, type InvoiceContent, safety } from "./invoice-content.ts";
import { invoiceHtml } from "./invoice-html.tsx";
import type { Message } from "./message.ts";
import { isolate, lines, singleLine } from "./single-line.ts";

export type InvoiceMessageProps = Readonly<{
  merchantName: string;
  merchantEmail: string;
  vendorName: string;
  invoiceNumber: string;
  /** USDC with two decimals, `"1500.00"`; also the amounts below. */
  total: string;
  /** `YYYY-MM-DD` */
  dueDate: string;
  overdue: boolean;
  /** What has arrived so far, if anything; `remaining` null: nothing is left to pay. */
  payment?: { readonly received: string; readonly remaining: string | null } | null;
  /** http(s) URLs of this installation. */
  invoiceUrl: string;
  pdfUrl: string;
  notes: string | null;
  /** Whether the PDF is attached. */
  hasPdf?: boolean;
  /** Who runs this Till. */
  brand?: Brand;
}>;

/** In characters. */
const nameLengthMax = 80;
const noteLineLengthMax = 2000;

const longDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/**
 * The mail that brings an invoice to the vendor. It names no deposit address: whoever forges a mail would
 * change just that. Throws a RangeError when a URL is not http(s) or `dueDate` is no day.
 */
export function invoiceMessage(props: InvoiceMessageProps): Pick<Message, "subject" | "text" | "html"> {
  const content = contentOf(props);
  return { subject: content.subject, text: invoiceText(content), html: invoiceHtml(content) };
}

function contentOf(props: InvoiceMessageProps): InvoiceContent {
  const merchantName = singleLine(props.merchantName, nameLengthMax);
  const invoiceNumber = singleLine(props.invoiceNumber, nameLengthMax);
  const due = longDay.format(new Date(`${props.dueDate}T00:00:00Z`));
  const received = props.payment?.received ?? null;
  const remaining = props.payment ? props.payment.remaining : props.total;
  const state = remaining === null ? "paid" : props.overdue ? "overdue" : "open";
  const partly = received !== null && remaining !== null;
  const sum = remaining === null ? `${props.total} USDC, paid` : `${remaining} USDC`;
  const dueWords = { open: `, due ${props.dueDate}`, overdue: `, was due ${props.dueDate}`, paid: "" }[state];
  const still = partly ? " still to pay" : "";
  return {
    subject: `Invoice ${invoiceNumber} from ${isolate(merchantName)}: ${sum}${still}${dueWords}`,
    preview: `${sum}${still}${{ open: `, due ${due}`, overdue: `, was due ${due}`, paid: "" }[state]}`,
    merchantName,
    merchantEmail: props.merchantEmail,
    vendorName: singleLine(props.vendorName, nameLengthMax),
    invoiceNumber,
    amountLabel: { paid: "Paid", open: partly ? "Still to pay" : "Amount due", overdue: "Overdue" }[state],
    amount: `${remaining ?? props.total} USDC`,
    amountNote: partly ? `${received} of ${props.total} USDC has arrived` : null,
    due,
    state,
    action: state === "paid" ? "View invoice" : "View and pay invoice",
    invoiceUrl: webUrl(props.invoiceUrl).href,
    pdfUrl: webUrl(props.pdfUrl).href,
    origin: `${webUrl(props.invoiceUrl).origin}/`,
    notes: props.notes ? lines(props.notes, noteLineLengthMax) : [],
    hasPdf: props.hasPdf ?? false,
    brand: props.brand ?? plainBrand,
  };
}

function invoiceText(content: InvoiceContent): string {
  const merchant = isolate(content.merchantName);
  const paid = content.state === "paid";
  return [
    `${merchant} has sent an invoice to ${isolate(content.vendorName)}.`,
    "",
    `Invoice:      ${content.invoiceNumber}`,
    `${`${content.amountLabel}:`.padEnd(14)}${content.amount}${content.amountNote ? ` (${content.amountNote})` : ""}`,
    ...(paid ? [] : [`Payment due:  ${content.due}`]),
    "",
    `${content.action}:`,
    content.invoiceUrl,
    "",
    content.hasPdf ? "PDF (also attached):" : "PDF:",
    content.pdfUrl,
    ...(content.notes.length > 0 ? ["", `Note from ${merchant}:`, ...content.notes] : []),
    "",
    ...(paid ? ["Nothing is left to pay."] : ["Pay in USDC on the Base network only.", howToPay]),
    "",
    `Check that the link starts with ${content.origin}`,
    safety(content),
    "",
    "-- ",
    `Sent by ${hostName(content.brand)} on behalf of ${merchant}. Replies go to ${content.merchantEmail}.`,
    "",
  ].join("\n");
}

/** Throws a RangeError when the text is no http(s) URL. */
export function webUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new RangeError(`Not an http(s) URL: ${JSON.stringify(text)}`);
  }
  return url;
}
