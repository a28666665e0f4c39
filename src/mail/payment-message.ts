import { type Brand, hostName } from "../domain/brand.ts";
import { webUrl } from "./invoice-message.ts";
import type { Message } from "./message.ts";
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
  /** USDC with two decimals; also the amounts below. */
  total: string;
  received: string;
  /** What has arrived above the total; null when nothing has. */
  excess: string | null;
  payments: readonly Payment[];
  networkLabel: string;
  invoiceUrl: string;
  brand: Brand;
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
  heading: string;
  /** Who paid whom. */
  sentence: { before: string; name: string; after: string };
  amount: string;
  excessNote: string | null;
  facts: readonly (readonly [string, string])[];
  payments: readonly (Omit<Payment, "seenAt"> & { when: string })[];
  invoiceUrl: string;
  merchantName: string;
  replyTo: string;
  brand: Brand;
}>;

/** In characters. */
const nameLengthMax = 80;

const minute = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/**
 * The mail that says that an invoice is paid. It asks for nothing and names no deposit address. Throws a RangeError
 * when the URL is not http(s).
 */
export function paymentMessage(props: PaymentMessageProps): Pick<Message, "subject" | "text" | "html"> {
  const content = contentOf(props);
  return { subject: content.subject, text: paymentText(content), html: paymentHtml(content) };
}

function contentOf(props: PaymentMessageProps): PaymentContent {
  const { reader, excess, received, total } = props;
  const merchantName = singleLine(props.merchantName, nameLengthMax);
  const vendorName = singleLine(props.vendorName, nameLengthMax);
  const number = singleLine(props.invoiceNumber, nameLengthMax);
  const isReceipt = reader === "vendor";
  const more = excess === null ? "" : `, ${excess} more than asked`;
  const refund = isReceipt
    ? `Please ask ${isolate(merchantName)} about the difference.`
    : `The difference is between you and your customer: ${hostName(props.brand)} sends nothing back.`;
  return {
    subject: isReceipt
      ? `Receipt for invoice ${number} from ${isolate(merchantName)}: ${received} USDC paid${more}`
      : `Paid: invoice ${number} to ${isolate(vendorName)}, ${received} USDC${more}`,
    preview: isReceipt ? `Received in full${more}` : `${received} USDC has arrived${more}`,
    heading: isReceipt ? `Receipt for invoice ${number}` : `Invoice ${number} is paid`,
    sentence: isReceipt
      ? { before: "", name: merchantName, after: " has received your payment in full. Thank you." }
      : { before: "", name: vendorName, after: " has paid in full." },
    amount: `${received} USDC`,
    excessNote:
      excess === null ? null : `${total} USDC was asked for: ${excess} USDC too much has arrived. ${refund}`,
    facts: [
      ["From", merchantName],
      ["To", vendorName],
      ["Network", props.networkLabel],
    ],
    payments: props.payments.map(({ seenAt, ...payment }) => ({
      ...payment,
      when: `${minute.format(seenAt)} UTC`,
    })),
    invoiceUrl: webUrl(props.invoiceUrl).href,
    merchantName,
    replyTo: isReceipt ? props.merchantEmail : props.vendorEmail,
    brand: props.brand,
  };
}

function paymentText(content: PaymentContent): string {
  const { before, name, after } = content.sentence;
  return [
    content.heading,
    "",
    `${before}${isolate(name)}${after}`,
    "",
    `${"Paid:".padEnd(14)}${content.amount}`,
    ...content.facts.map(([label, value]) => `${`${label}:`.padEnd(14)}${isolate(value)}`),
    ...(content.excessNote === null ? [] : ["", content.excessNote]),
    ...content.payments.flatMap(({ amount, when, txHash, url }) => [
      "",
      `${amount} USDC, ${when}`,
      `Transaction ${txHash}`,
      ...(url === null ? [] : [url]),
    ]),
    "",
    "View invoice:",
    content.invoiceUrl,
    "",
    "-- ",
    `Sent by ${hostName(content.brand)} on behalf of ${isolate(content.merchantName)}. Replies go to ${content.replyTo}.`,
    "",
  ].join("\n");
}
