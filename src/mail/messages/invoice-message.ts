import { billedTotal, type Invoice, referenceLengthMax } from "../../domain/bill/invoice.ts";
import { type Brand, hostName } from "../../domain/brand.ts";
import * as Usdc from "../../domain/usdc.ts";
import { isTestNetwork, type Network } from "../../domain/wallet/network.ts";
import { billedOf, type SumRow, sumRows } from "../../language/bill.ts";
import type { LanguageCode } from "../../language/languages.ts";
import { fromTheLeft, type Locale, speak, type TextKey } from "../../language/locale.ts";
import { type Message, nameLengthMax, webUrl } from "../smtp/message.ts";
import { isolate, lines, singleLine } from "../smtp/single-line.ts";
import { invoiceHtml } from "./invoice-html.tsx";
import { type MailContent, signature } from "./mail-layout.tsx";

/** How a total comes about. */
type Bill = Pick<
  Invoice,
  "discount" | "pricesIncludeTax" | "totals" | "currency" | "total" | "merchantDetails"
>;

/** Why the customer gets it: it is new, it is still open, or part of it was paid. */
export type InvoicePurpose = "invoice" | "reminder" | "part";

export type InvoiceMessageProps = Readonly<{
  purpose: InvoicePurpose;
  merchantName: string;
  merchantEmail: string;
  vendorName: string;
  invoiceNumber: string;
  /** Plain decimals of USDC, `"1500.00"`; also the amounts below. */
  total: string;
  /** Null where the total is the sum of the lines: then nothing of it is said. */
  bill: Bill | null;
  /** `YYYY-MM-DD` */
  dueDate: string;
  overdue: boolean;
  /** What has arrived so far, if anything; `remaining` null: nothing is left to pay. */
  payment: { readonly received: string; readonly remaining: string | null } | null;
  /** What the merchant owes because of credit notes, in words; none when that is nothing. */
  owedBack?: string | null;
  /** http(s) URLs of this installation. */
  invoiceUrl: string;
  pdfUrl: string;
  notes: string | null;
  reference: string | null;
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
    /** What follows the merchant's name. */
    sentence: (typeof sentences)[InvoicePurpose];
    vendorName: string;
    invoiceNumber: string;
    /** What the large number is: "Amount due". */
    amountLabel: string;
    amount: string;
    /** Under the amount: what has arrived, or is to be returned. */
    amountNote: string | null;
    /** From the net to the total, when there is tax or a discount. */
    sums: readonly SumRow[];
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
    reference: string | null;
    hasPdf: boolean;
    /** Of a reminder: that it may have crossed with the money. */
    crossed: string | null;
    /** Where the deposit address stands and where it never does: a forged mail can bring a forged PDF. */
    addressAdvice: string;
  }>;

/** In characters. */
const noteLineLengthMax = 2000;

const sentences = {
  invoice: "hasSent",
  reminder: "reminderSentence",
  part: "partSentence",
} as const satisfies Record<InvoicePurpose, TextKey>;

const subjects = {
  invoice: "invoiceSubject",
  reminder: "reminderSubject",
  part: "partSubject",
} as const satisfies Record<InvoicePurpose, TextKey>;

/**
 * A mail that brings an invoice to the customer, or asks for what is left of it. It names no deposit address: whoever forges a mail would
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
  const isReceived = props.owedBack && received !== null && received !== "0.00";
  const amount = remaining ?? (isReceived ? received : total);
  const texts = {
    open: partly ? (["restDue", "stillToPay"] as const) : (["sumDue", "amountDue"] as const),
    overdue: [partly ? "restWasDue" : "sumWasDue", "amountOverdue"],
    paid: ["sumPaid", "amountPaid"],
  } as const;
  const [sumKey, labelKey] = texts[state];
  const notes = [
    ...(partly ? [say("receivedOf", { received: figure(received), total: figure(total) })] : []),
    ...(props.bill?.currency ? [billedOf(props.bill, locale).billed?.rate ?? ""] : []),
    ...(props.owedBack ? [props.owedBack] : []),
  ];
  const sum = say(sumKey, { amount: figure(amount), day });
  return {
    subject: say(subjects[props.purpose], { number: invoiceNumber, merchant: isolate(merchantName), sum }),
    preview: sum,
    merchantName,
    replyTo: props.merchantEmail,
    sentBy: "sentBy",
    brand,
    locale,
    sentence: sentences[props.purpose],
    vendorName: singleLine(props.vendorName, nameLengthMax),
    invoiceNumber,
    amountLabel: say(labelKey),
    amount: locale.usdc(amount),
    amountNote: notes.length === 0 ? null : notes.join(" · "),
    sums: props.bill === null ? [] : sumsOf(props.bill, locale),
    due: state === "paid" ? null : say(state === "overdue" ? "wasDueOn" : "dueOn", { day }),
    state,
    action: say(state === "paid" ? "viewInvoice" : "viewAndPayInvoice"),
    url: webUrl(props.invoiceUrl).href,
    pdfUrl: webUrl(props.pdfUrl).href,
    origin: `${webUrl(props.invoiceUrl).origin}/`,
    onlyOn: say("onlyOn", { network: network.label }),
    testNetwork: isTestNetwork(network) ? say("testNetwork") : null,
    notes: props.notes ? lines(props.notes, noteLineLengthMax) : [],
    reference: props.reference && singleLine(props.reference, referenceLengthMax),
    hasPdf,
    crossed: props.purpose === "reminder" ? say("alreadyPaid") : null,
    addressAdvice: say(hasPdf ? "noAddressWithPdf" : "noAddress", { brand: hostName(brand) }),
  };
}

function sumsOf(bill: Bill, locale: Locale): SumRow[] {
  const rows = sumRows(bill, locale);
  if (rows.length === 0 && bill.currency === null) return [];
  const total = { label: locale.say("total"), amount: locale.figure(Usdc.format(billedTotal(bill))) };
  const unit = bill.currency === null ? "" : ` ${bill.currency.code}`;
  return [...rows, total].map(({ label, amount }) => ({
    label,
    // A minus stays before its number.
    amount: fromTheLeft(`${amount}${unit}`, locale),
  }));
}

/** Who writes to whom, and why. */
function opening({ locale, sentence, crossed, invoiceNumber: number, ...content }: InvoiceContent): string[] {
  const { say, labelled } = locale;
  const [merchant, vendor] = [isolate(content.merchantName), isolate(content.vendorName)];
  if (sentence === "hasSent")
    return [say("merchantHasSent", { merchant, vendor }), "", labelled(say("invoice"), number)];
  return [
    say("invoiceFrom", { number, merchant }),
    "",
    say(sentence, { vendor }),
    ...(crossed === null ? [] : [crossed]),
    "",
  ];
}

function invoiceText(content: InvoiceContent): string {
  const { say, labelled, bracketed } = content.locale;
  const merchant = isolate(content.merchantName);
  const note = content.amountNote === null ? "" : bracketed(content.amountNote);
  return [
    ...opening(content),
    ...(content.reference === null ? [] : [labelled(say("reference"), isolate(content.reference))]),
    `${labelled(content.amountLabel, content.amount)}${note}`,
    ...(content.due === null ? [] : [content.due]),
    ...(content.sums.length === 0 ? [] : [""]),
    ...content.sums.map(({ label, amount }) => labelled(label, amount)),
    "",
    labelled(content.action),
    content.url,
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
