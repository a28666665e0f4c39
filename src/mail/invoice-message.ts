import { type Brand, hostName } from "../domain/brand.ts";
import { isTestNetwork, type Network } from "../domain/network.ts";
import type { LanguageCode } from "../lib/language.ts";
import { type InvoiceContent, safety } from "./invoice-content.ts";
import { invoiceHtml } from "./invoice-html.tsx";
import { wordsIn } from "./language/words.ts";
import { type Message, nameLengthMax, webUrl } from "./message.ts";
import { isolate, lines, singleLine } from "./single-line.ts";

export type InvoiceMessageProps = Readonly<{
  merchantName: string;
  merchantEmail: string;
  vendorName: string;
  invoiceNumber: string;
  /** Plain decimals of USDC, `"1500.00"`; also the amounts below. */
  total: string;
  /** `YYYY-MM-DD` */
  dueDate: string;
  overdue: boolean;
  /** What has arrived so far, if anything; `remaining` null: nothing is left to pay. */
  payment: { readonly received: string; readonly remaining: string | null } | null;
  /** http(s) URLs of this installation. */
  invoiceUrl: string;
  pdfUrl: string;
  notes: string | null;
  network: Pick<Network, "label" | "chainId">;
  /** Whether the PDF is attached. */
  hasPdf: boolean;
  /** Who runs this Till. */
  brand: Brand;
  language: LanguageCode;
}>;

/** In characters. */
const noteLineLengthMax = 2000;

/**
 * The mail that brings an invoice to the vendor. It names no deposit address: whoever forges a mail would
 * change just that. Throws a RangeError when a URL is not http(s).
 */
export function invoiceMessage(props: InvoiceMessageProps): Pick<Message, "subject" | "text" | "html"> {
  const content = contentOf(props);
  return { subject: content.subject, text: invoiceText(content), html: invoiceHtml(content) };
}

function contentOf(props: InvoiceMessageProps): InvoiceContent {
  const words = wordsIn(props.language ?? "en");
  const { say, figure } = words;
  const merchantName = singleLine(props.merchantName, nameLengthMax);
  const invoiceNumber = singleLine(props.invoiceNumber, nameLengthMax);
  const day = words.day(props.dueDate);
  const received = props.payment?.received ?? null;
  const remaining = props.payment ? props.payment.remaining : props.total;
  const state = remaining === null ? "paid" : props.overdue ? "overdue" : "open";
  const partly = received !== null && remaining !== null;
  const sums = {
    open: partly ? "restDue" : "sumDue",
    overdue: partly ? "restWasDue" : "sumWasDue",
    paid: "sumPaid",
  } as const;
  const amount = remaining ?? props.total;
  const sum = say(sums[state], { amount: figure(amount), day });
  const labels = {
    paid: "amountPaid",
    open: partly ? "stillToPay" : "amountDue",
    overdue: "amountOverdue",
  } as const;
  return {
    subject: say("invoiceSubject", { number: invoiceNumber, merchant: isolate(merchantName), sum }),
    preview: sum,
    merchantName,
    merchantEmail: props.merchantEmail,
    vendorName: singleLine(props.vendorName, nameLengthMax),
    invoiceNumber,
    amountLabel: say(labels[state]),
    amount: words.usdc(amount),
    amountNote: partly ? say("receivedOf", { received: figure(received), total: figure(props.total) }) : null,
    due: state === "paid" ? null : say(state === "overdue" ? "wasDueOn" : "dueOn", { day }),
    state,
    action: say(state === "paid" ? "view" : "viewAndPay"),
    invoiceUrl: webUrl(props.invoiceUrl).href,
    pdfUrl: webUrl(props.pdfUrl).href,
    origin: `${webUrl(props.invoiceUrl).origin}/`,
    onlyOn: say("onlyOn", { network: props.network.label }),
    testNetwork: isTestNetwork(props.network) ? say("testNetwork") : null,
    notes: props.notes ? lines(props.notes, noteLineLengthMax) : [],
    hasPdf: props.hasPdf ?? false,
    brand: props.brand,
    words,
  };
}

function invoiceText(content: InvoiceContent): string {
  const { say, labelled, speech } = content.words;
  const [open, close] = speech.marks.brackets;
  const merchant = isolate(content.merchantName);
  const note = content.amountNote === null ? "" : `${open}${content.amountNote}${close}`;
  return [
    say("merchantHasSent", { merchant, vendor: isolate(content.vendorName) }),
    "",
    labelled(say("invoice"), content.invoiceNumber),
    `${labelled(content.amountLabel, content.amount)}${note}`,
    ...(content.due === null ? [] : [content.due]),
    "",
    labelled(content.action),
    content.invoiceUrl,
    "",
    labelled(say("downloadPdf")),
    content.pdfUrl,
    ...(content.hasPdf ? [say("pdfAttached")] : []),
    ...(content.notes.length > 0 ? ["", labelled(say("noteFrom", { merchant })), ...content.notes] : []),
    "",
    ...(content.state === "paid"
      ? [say("nothingLeft")]
      : [content.onlyOn, ...(content.testNetwork === null ? [] : [content.testNetwork]), say("pageShows")]),
    "",
    say("checkLink"),
    content.origin,
    safety(content),
    "",
    "-- ",
    say("sentBy", { brand: hostName(content.brand), merchant, replyTo: content.merchantEmail }),
    "",
  ].join("\n");
}
