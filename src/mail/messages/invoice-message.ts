import { type Brand, hostName } from "../../domain/brand.ts";
import { isTestNetwork, type Network } from "../../domain/wallet/network.ts";
import type { LanguageCode } from "../../language/languages.ts";
import { speak } from "../../language/locale.ts";
import { type Message, nameLengthMax, webUrl } from "../smtp/message.ts";
import { isolate, lines, singleLine } from "../smtp/single-line.ts";
import { invoiceHtml } from "./invoice-html.tsx";
import { type MailContent, signature } from "./mail-layout.tsx";

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

/** What both versions of the mail say. */
export type InvoiceContent = MailContent &
  Readonly<{
    vendorName: string;
    invoiceNumber: string;
    /** What the large number is: "Amount due". */
    amountLabel: string;
    amount: string;
    /** Under the amount: what has arrived. */
    amountNote: string | null;
    /** "Due 1 December 2026"; null when nothing is left to pay. */
    due: string | null;
    state: "open" | "overdue" | "paid";
    action: string;
    pdfUrl: string;
    origin: string;
    /** Which USDC: that of one network. */
    onlyOn: string;
    /** Where USDC is no money: that this is a test. */
    testNetwork: string | null;
    notes: readonly string[];
    hasPdf: boolean;
    /** Where the deposit address stands and where it never does: a forged mail can bring a forged PDF. */
    addressAdvice: string;
  }>;

/** In characters. */
const noteLineLengthMax = 2000;

/**
 * The mail that brings an invoice to the customer. It names no deposit address: whoever forges a mail would
 * change just that. Throws a RangeError when a URL is not http(s).
 */
export function invoiceMessage(props: InvoiceMessageProps): Pick<Message, "subject" | "text" | "html"> {
  const content = contentOf(props);
  return { subject: content.subject, text: invoiceText(content), html: invoiceHtml(content) };
}

function contentOf(props: InvoiceMessageProps): InvoiceContent {
  const locale = speak(props.language);
  const { say, figure } = locale;
  const { brand, hasPdf, network, total } = props;
  const merchantName = singleLine(props.merchantName, nameLengthMax);
  const invoiceNumber = singleLine(props.invoiceNumber, nameLengthMax);
  const day = locale.day(props.dueDate);
  const received = props.payment?.received ?? null;
  const remaining = props.payment ? props.payment.remaining : total;
  const state = remaining === null ? "paid" : props.overdue ? "overdue" : "open";
  const partly = received !== null && remaining !== null;
  const amount = remaining ?? total;
  const texts = {
    open: partly ? (["restDue", "stillToPay"] as const) : (["sumDue", "amountDue"] as const),
    overdue: [partly ? "restWasDue" : "sumWasDue", "amountOverdue"],
    paid: ["sumPaid", "amountPaid"],
  } as const;
  const [sumKey, labelKey] = texts[state];
  const sum = say(sumKey, { amount: figure(amount), day });
  return {
    subject: say("invoiceSubject", { number: invoiceNumber, merchant: isolate(merchantName), sum }),
    preview: sum,
    merchantName,
    replyTo: props.merchantEmail,
    sentBy: "sentBy",
    brand,
    locale,
    vendorName: singleLine(props.vendorName, nameLengthMax),
    invoiceNumber,
    amountLabel: say(labelKey),
    amount: locale.usdc(amount),
    amountNote: partly ? say("receivedOf", { received: figure(received), total: figure(total) }) : null,
    due: state === "paid" ? null : say(state === "overdue" ? "wasDueOn" : "dueOn", { day }),
    state,
    action: say(state === "paid" ? "viewInvoice" : "viewAndPayInvoice"),
    invoiceUrl: webUrl(props.invoiceUrl).href,
    pdfUrl: webUrl(props.pdfUrl).href,
    origin: `${webUrl(props.invoiceUrl).origin}/`,
    onlyOn: say("onlyOn", { network: network.label }),
    testNetwork: isTestNetwork(network) ? say("testNetwork") : null,
    notes: props.notes ? lines(props.notes, noteLineLengthMax) : [],
    hasPdf,
    addressAdvice: say(hasPdf ? "noAddressWithPdf" : "noAddress", { brand: hostName(brand) }),
  };
}

function invoiceText(content: InvoiceContent): string {
  const { say, labelled, bracketed } = content.locale;
  const merchant = isolate(content.merchantName);
  const note = content.amountNote === null ? "" : bracketed(content.amountNote);
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
    content.addressAdvice,
    ...signature(content),
  ].join("\n");
}
