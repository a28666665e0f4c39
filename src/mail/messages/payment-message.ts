import { type Brand, hostName } from "../../domain/brand.ts";
import { isTestNetwork, type Network } from "../../domain/wallet/network.ts";
import type { LanguageCode } from "../../language/languages.ts";
import { speak } from "../../language/locale.ts";
import { type Message, nameLengthMax, webUrl } from "../smtp/message.ts";
import { isolate, singleLine } from "../smtp/single-line.ts";
import { type MailContent, signature } from "./mail-layout.tsx";
import { paymentHtml } from "./payment-html.tsx";

export type PaymentMessageProps = Readonly<{
  /** The customer gets a receipt, the merchant a notice. */
  kind: "receipt" | "notice";
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

/** What both versions of the mail say. */
export type PaymentContent = MailContent &
  Readonly<{
    heading: { key: "receiptHeading" | "noticeHeading"; number: string };
    /** Who paid whom. */
    sentence: { key: "receiptSentence" | "noticeSentence"; name: string };
    amount: string;
    excessNote: string | null;
    facts: readonly (readonly [string, string])[];
    payments: readonly (Omit<Payment, "seenAt"> & { when: string })[];
    otherPayments: string | null;
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
  const locale = speak(props.language);
  const { say, figure, marks } = locale;
  const { label } = props.network;
  const received = figure(props.received);
  const excess = props.excess === null ? null : figure(props.excess);
  const merchantName = singleLine(props.merchantName, nameLengthMax);
  const vendorName = singleLine(props.vendorName, nameLengthMax);
  const number = singleLine(props.invoiceNumber, nameLengthMax);
  const isReceipt = props.kind === "receipt";
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
    amount: locale.usdc(props.received),
    excessNote:
      excess === null
        ? null
        : [say("tooMuch", { total: figure(props.total), excess }), difference].join(marks.gap),
    facts: [
      [say("billedBy"), merchantName],
      [say("billedTo"), vendorName],
      [say("network"), isTestNetwork(props.network) ? say("testNetworkName", { network: label }) : label],
    ],
    payments: props.payments.map(({ seenAt, amount, ...payment }) => ({
      ...payment,
      amount: locale.usdc(amount),
      when: locale.minute(new Date(seenAt).toISOString()),
    })),
    otherPayments: props.otherPayments > 0 ? say("smallerPayments", { count: props.otherPayments }) : null,
    invoiceUrl: webUrl(props.invoiceUrl).href,
    merchantName,
    replyTo: isReceipt ? props.merchantEmail : props.vendorEmail,
    sentBy: isReceipt ? "sentBy" : "noticeSentBy",
    brand: props.brand,
    locale,
  };
}

function paymentText(content: PaymentContent): string {
  const { say, labelled, marks } = content.locale;
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
      `${amount}${marks.comma}${when}`,
      labelled(say("transaction"), txHash),
      ...(url === null ? [] : [url]),
    ]),
    ...(content.otherPayments === null ? [] : ["", content.otherPayments]),
    "",
    labelled(say("viewInvoice")),
    content.invoiceUrl,
    ...signature(content),
  ].join("\n");
}
