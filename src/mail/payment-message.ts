import { type Brand, hostName } from "../domain/brand.ts";
import { isTestNetwork, type Network } from "../domain/network.ts";
import type { LanguageCode } from "../lib/language.ts";
import type { MailKey } from "./language/en.ts";
import { type Words, wordsIn } from "./language/words.ts";
import { type Message, nameLengthMax, webUrl } from "./message.ts";
import { paymentHtml } from "./payment-html.tsx";
import { isolate, singleLine } from "./single-line.ts";

export type PaymentMessageProps = Readonly<{
  /** The vendor gets a receipt, the merchant a notice. */
  reader: "vendor" | "merchant";
  merchantName: string;
  merchantEmail: string;
  vendorName: string;
  vendorEmail: string;
  invoiceNumber: string;
  /** Plain decimals of USDC, `"1500.00"`; also the amounts below. */
  total: string;
  received: string;
  /** What has arrived above the total; null when nothing has. */
  excess: string | null;
  /** The largest ones. */
  payments: readonly Payment[];
  /** How many there are besides. */
  otherPayments: number;
  network: Pick<Network, "label" | "chainId">;
  invoiceUrl: string;
  brand: Brand;
  language: LanguageCode;
}>;

export type Payment = Readonly<{
  amount: string;
  /** When it was seen, in Unix milliseconds. */
  seenAt: number;
  txHash: string;
  /** Where to look it up; null when there is no explorer. */
  url: string | null;
}>;

/** What both versions of the mail say. Users' texts are single lines here, and not yet escaped. */
export type PaymentContent = Readonly<{
  subject: string;
  preview: string;
  heading: { key: MailKey; number: string };
  /** Who paid whom. */
  sentence: { key: "receiptSentence" | "noticeSentence"; name: string };
  amount: string;
  excessNote: string | null;
  facts: readonly (readonly [string, string])[];
  payments: readonly (Omit<Payment, "seenAt"> & { when: string })[];
  otherPayments: string | null;
  invoiceUrl: string;
  merchantName: string;
  replyTo: string;
  sentBy: "sentBy" | "noticeSentBy";
  brand: Brand;
  words: Words;
}>;

/**
 * The mail that says that an invoice is paid. It asks for nothing and names no deposit address. Throws a RangeError
 * when the URL is not http(s).
 */
export function paymentMessage(props: PaymentMessageProps): Pick<Message, "subject" | "text" | "html"> {
  const content = contentOf(props);
  return { subject: content.subject, text: paymentText(content), html: paymentHtml(content) };
}

function contentOf(props: PaymentMessageProps): PaymentContent {
  const words = wordsIn(props.language ?? "en");
  const { say, figure, speech } = words;
  const { label } = props.network;
  const received = figure(props.received);
  const excess = props.excess === null ? null : figure(props.excess);
  const merchantName = singleLine(props.merchantName, nameLengthMax);
  const vendorName = singleLine(props.vendorName, nameLengthMax);
  const number = singleLine(props.invoiceNumber, nameLengthMax);
  const isReceipt = props.reader === "vendor";
  const more = excess === null ? "" : say("andMore", { excess });
  const difference = isReceipt
    ? say("askMerchant", { merchant: isolate(merchantName) })
    : say("ownAffair", { brand: hostName(props.brand) });
  const named = { number, merchant: isolate(merchantName), vendor: isolate(vendorName), received, more };
  return {
    subject: say(isReceipt ? "receiptSubject" : "noticeSubject", named),
    preview: say(isReceipt ? "receiptPreview" : "noticePreview", named),
    heading: { key: isReceipt ? "receiptHeading" : "noticeHeading", number },
    sentence: isReceipt
      ? { key: "receiptSentence", name: merchantName }
      : { key: "noticeSentence", name: vendorName },
    amount: words.usdc(props.received),
    excessNote:
      excess === null
        ? null
        : [say("tooMuch", { total: figure(props.total), excess }), difference].join(speech.marks.gap),
    facts: [
      [say("billedBy"), merchantName],
      [say("billedTo"), vendorName],
      [say("network"), isTestNetwork(props.network) ? say("testNetworkName", { network: label }) : label],
    ],
    payments: props.payments.map(({ seenAt, amount, ...payment }) => ({
      ...payment,
      amount: words.usdc(amount),
      when: words.minute(new Date(seenAt).toISOString()),
    })),
    otherPayments: props.otherPayments > 0 ? say("smallerPayments", { count: props.otherPayments }) : null,
    invoiceUrl: webUrl(props.invoiceUrl).href,
    merchantName,
    replyTo: isReceipt ? props.merchantEmail : props.vendorEmail,
    sentBy: isReceipt ? "sentBy" : "noticeSentBy",
    brand: props.brand,
    words,
  };
}

function paymentText(content: PaymentContent): string {
  const { say, labelled, speech } = content.words;
  const { key, name } = content.sentence;
  return [
    say(content.heading.key, { number: content.heading.number }),
    "",
    say(key, { name: isolate(name) }),
    "",
    labelled(say("amountPaid"), content.amount),
    ...content.facts.map(([label, value]) => labelled(label, isolate(value))),
    ...(content.excessNote === null ? [] : ["", content.excessNote]),
    ...content.payments.flatMap(({ amount, when, txHash, url }) => [
      "",
      `${amount}${speech.marks.comma}${when}`,
      labelled(say("transaction"), txHash),
      ...(url === null ? [] : [url]),
    ]),
    ...(content.otherPayments === null ? [] : ["", content.otherPayments]),
    "",
    labelled(say("view")),
    content.invoiceUrl,
    "",
    "-- ",
    say(content.sentBy, {
      brand: hostName(content.brand),
      merchant: isolate(content.merchantName),
      replyTo: content.replyTo,
    }),
    "",
  ].join("\n");
}
