import { referenceLengthMax } from "../../domain/bill/invoice.ts";
import { type Brand, hostName } from "../../domain/brand.ts";
import { isTestNetwork, type Network } from "../../domain/wallet/network.ts";
import type { LanguageCode } from "../../language/languages.ts";
import { type Locale, speak, type TextKey } from "../../language/locale.ts";
import { type Message, nameLengthMax, webUrl } from "../smtp/message.ts";
import { isolate, singleLine } from "../smtp/single-line.ts";
import { type MailContent, signature } from "./mail-layout.tsx";
import { paymentHtml } from "./payment-html.tsx";

/** What money has made of an invoice or a link; `paid`: all of it, or more; `reversed`: the chain took some of it back. */
export type PaymentOccasion = "paid" | "partial" | "excess" | "unexpected" | "reversed";

export type PaymentMessageProps = Readonly<{
  /** Who paid gets a receipt when it is `paid`, the merchant a notice on each occasion. */
  kind: "receipt" | "notice";
  occasion: PaymentOccasion;
  about: PaidInvoice | PaidLink;
  merchantName: string;
  merchantEmail: string;
  reference: string | null;
  /** Plain decimals of USDC, `"1500.00"`; also the amounts below. */
  total: string;
  received: string;
  remaining: string;
  /** What has arrived above the total; null when nothing has. */
  excess: string | null;
  /** What the merchant owes because of credit notes, in words for who paid; none when that is nothing. */
  owedBack?: string | null;
  /** The largest ones. */
  payments: readonly PaymentLine[];
  /** How many there are besides. */
  otherPayments: number;
  network: Pick<Network, "label" | "chainId">;
  /** Where it can be seen; http(s). */
  url: string;
  /** Whether the PDF of the receipt comes with it. */
  hasPdf?: boolean;
  brand: Brand;
  language: LanguageCode;
}>;

type PaidInvoice = Readonly<{
  kind: "invoice";
  number: string;
  vendorName: string;
  vendorEmail: string;
}>;

type PaidLink = Readonly<{
  kind: "link";
  slug: string;
  productDescription: string | null;
  /** Null when the payer left none. */
  payerEmail: string | null;
}>;

export type PaymentLine = Readonly<{
  amount: string;
  /** When its block was made, in Unix milliseconds. */
  madeAt: number;
  txHash: string;
  /** Where to look it up; null when there is no explorer. */
  url: string | null;
}>;

/** What both versions of the mail say. */
export type PaymentContent = MailContent &
  Readonly<{
    /** What it is about: "Invoice INV-0001". */
    what: string;
    /** What has become of it: "Overpaid". */
    heading: string;
    /** Who paid whom, where that is known. */
    sentence: { key: "receiptSentence" | "noticeSentence"; name: string } | null;
    /** Whether all is well, and nothing is left to do. */
    isDone: boolean;
    amountLabel: string;
    amount: string;
    notes: readonly string[];
    facts: readonly (readonly [string, string])[];
    payments: readonly (Omit<PaymentLine, "madeAt"> & { when: string })[];
    otherPayments: string | null;
    action: string;
    /** What comes with it; null when nothing does. */
    attached: string | null;
  }>;

/** The mail that tells of payments. It asks for nothing and names no deposit address. Throws a RangeError when the URL is not http(s). */
export function paymentMessage(props: PaymentMessageProps): Pick<Message, "subject" | "text" | "html"> {
  const content = props.kind === "receipt" ? receiptContent(props) : noticeContent(props);
  return { subject: content.subject, text: paymentText(content), html: paymentHtml(content) };
}

function receiptContent(props: PaymentMessageProps): PaymentContent {
  const locale = speak(props.language);
  const { say, figure, marks } = locale;
  const { about, excess } = props;
  const shared = sharedContent(props, locale);
  const merchant = isolate(shared.merchantName);
  const more = excess === null ? "" : say("andMore", { excess: figure(excess) });
  const named = { merchant, received: figure(props.received), more };
  return {
    ...shared,
    subject:
      about.kind === "invoice"
        ? say("receiptSubject", { ...named, number: singleLine(about.number, nameLengthMax) })
        : say("linkReceiptSubject", named),
    preview: say("receiptPreview", { more }),
    heading: say("receipt"),
    sentence: { key: "receiptSentence", name: shared.merchantName },
    notes:
      excess === null
        ? []
        : [props.owedBack ?? tooMuch(props, excess, marks.gap, say("askMerchant", { merchant }))],
    // A link says nothing of the merchant but a name.
    ...(about.kind === "invoice"
      ? { replyTo: props.merchantEmail, sentBy: "sentBy" }
      : { replyTo: null, sentBy: "sentFor" }),
  };
}

const headings = {
  paid: "noticePaid",
  partial: "partlyPaid",
  excess: "paidInExcess",
  unexpected: "unexpectedPayment",
  reversed: "paymentReversed",
} as const satisfies Record<PaymentOccasion, TextKey>;

function noticeContent(props: PaymentMessageProps): PaymentContent {
  const locale = speak(props.language);
  const { say, figure, marks, labelled, bracketed } = locale;
  const { occasion, about } = props;
  const brand = hostName(props.brand);
  const shared = sharedContent(props, locale);
  const heading = say(headings[occasion]);
  const [total, received] = [figure(props.total), figure(props.received)];
  const excess = props.excess === null ? null : figure(props.excess);
  const more = excess === null ? "" : say("andMore", { excess });
  const part = { received, total, remaining: figure(props.remaining) };
  const lead = {
    paid: {
      sum: `${marks.comma}${locale.usdc(props.received)}${more}`,
      preview: say("noticePreview", { received, more }),
    },
    partial: { sum: bracketed(say("receivedOf", part)), preview: say("sayPartial", part) },
    excess: { sum: more, preview: say("noticePreview", { received, more }) },
    unexpected: {
      sum: `${marks.comma}${locale.usdc(props.received)}`,
      preview: say("unexpectedNote", { brand }),
    },
    reversed: { sum: bracketed(say("receivedOf", part)), preview: say("reversedNote") },
  }[occasion];
  const difference =
    props.excess === null ? [] : [tooMuch(props, props.excess, marks.gap, say("ownAffair", { brand }))];
  const notes = {
    paid: about.kind === "link" && excess === null ? [say("receivedInFull")] : difference,
    partial: [say("sayPartial", part)],
    excess: difference,
    unexpected: [say("unexpectedNote", { brand })],
    reversed: [say("reversedNote")],
  }[occasion];
  const number = about.kind === "invoice" ? singleLine(about.number, nameLengthMax) : "";
  const vendorName = about.kind === "invoice" ? singleLine(about.vendorName, nameLengthMax) : "";
  const what =
    about.kind === "invoice"
      ? say("invoiceTo", { number, vendor: isolate(vendorName) })
      : isolate(shared.what);
  const replyTo = about.kind === "invoice" ? about.vendorEmail : about.payerEmail;
  return {
    ...shared,
    subject: labelled(heading, `${what}${lead.sum}`),
    preview: lead.preview,
    heading,
    sentence:
      about.kind === "invoice" && occasion === "paid" ? { key: "noticeSentence", name: vendorName } : null,
    notes,
    replyTo,
    sentBy: replyTo === null ? "noticeSentOnlyBy" : "noticeSentBy",
  };
}

/** The overpayment in figures, and what to do about it. */
function tooMuch(props: PaymentMessageProps, excess: string, gap: string, advice: string): string {
  const { say, figure } = speak(props.language);
  return [say("tooMuch", { total: figure(props.total), excess: figure(excess) }), advice].join(gap);
}

type Shared = Omit<
  PaymentContent,
  "subject" | "preview" | "heading" | "sentence" | "notes" | "replyTo" | "sentBy"
>;

function sharedContent(props: PaymentMessageProps, locale: Locale): Shared {
  const { say } = locale;
  const { about, occasion } = props;
  const { label } = props.network;
  const merchantName = singleLine(props.merchantName, nameLengthMax);
  const isDone = occasion === "paid" || occasion === "excess";
  const network = isTestNetwork(props.network) ? say("testNetworkName", { network: label }) : label;
  return {
    merchantName,
    what:
      about.kind === "invoice"
        ? say("invoiceNumber", { number: singleLine(about.number, nameLengthMax) })
        : nameOf(about, locale),
    isDone,
    amountLabel: say(isDone ? "amountPaid" : "receivedSoFar"),
    amount: locale.usdc(props.received),
    facts: [
      ...(about.kind === "invoice"
        ? ([
            [say("billedBy"), merchantName],
            [say("billedTo"), singleLine(about.vendorName, nameLengthMax)],
          ] as const)
        : []),
      ...(props.reference === null
        ? []
        : [[say("reference"), singleLine(props.reference, referenceLengthMax)] as const]),
      [say("network"), network],
    ],
    payments: props.payments.map(({ madeAt, amount, ...payment }) => ({
      ...payment,
      amount: locale.usdc(amount),
      when: locale.minute(new Date(madeAt).toISOString()),
    })),
    otherPayments: props.otherPayments > 0 ? say("smallerPayments", { count: props.otherPayments }) : null,
    action: say(about.kind === "invoice" ? "viewInvoice" : "openPayment"),
    url: webUrl(props.url).href,
    attached: props.hasPdf ? say("receiptAttached") : null,
    brand: props.brand,
    locale,
  };
}

/** What people know a link by: what is sold, else its slug. */
function nameOf({ slug, productDescription }: PaidLink, { say }: Locale): string {
  return singleLine(productDescription ?? "", nameLengthMax) || say("linkNamed", { slug });
}

function paymentText(content: PaymentContent): string {
  const { say, labelled, marks } = content.locale;
  const { sentence } = content;
  return [
    isolate(content.what),
    content.heading,
    "",
    ...(sentence === null ? [] : [say(sentence.key, { name: isolate(sentence.name) }), ""]),
    labelled(content.amountLabel, content.amount),
    ...content.facts.map(([label, value]) => labelled(label, isolate(value))),
    ...content.notes.flatMap((note) => ["", note]),
    ...content.payments.flatMap(({ amount, when, txHash, url }) => [
      "",
      `${amount}${marks.comma}${when}`,
      labelled(say("transaction"), txHash),
      ...(url === null ? [] : [url]),
    ]),
    ...(content.otherPayments === null ? [] : ["", content.otherPayments]),
    "",
    labelled(content.action),
    content.url,
    ...(content.attached === null ? [] : ["", content.attached]),
    ...signature(content),
  ].join("\n");
}
