import { referenceLengthMax } from "../../domain/bill/invoice.ts";
import { type Brand, hostName } from "../../domain/brand.ts";
import { isTestNetwork, type Network } from "../../domain/wallet/network.ts";
import type { LanguageCode } from "../../language/languages.ts";
import { type Locale, speak, type TextKey } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import { isolate, type Message, nameLengthMax, singleLine, webUrl } from "../smtp/message.ts";
import * as Blocks from "./blocks.tsx";
import { mailOf } from "./blocks.tsx";
import { ink, type MailContent, soft } from "./mail-layout.tsx";

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

/** What differs between a receipt and a notice. */
type Lead = Pick<MailContent, "subject" | "preview" | "replyTo" | "sentBy"> & {
  /** What has become of it: "Overpaid". */
  title: string;
  /** Who paid whom, where that is known. */
  sentence: { key: "receiptSentence" | "noticeSentence"; name: string } | null;
  notes: readonly string[];
};

/** The mail that tells of payments. It asks for nothing and names no deposit address. Throws a RangeError when the URL is not http(s). */
export function paymentMessage(props: PaymentMessageProps): Pick<Message, "subject" | "text" | "html"> {
  const locale = speak(props.language);
  const { say } = locale;
  const { about, occasion } = props;
  const merchantName = singleLine(props.merchantName, nameLengthMax);
  const what =
    about.kind === "invoice"
      ? say("invoiceNumber", { number: singleLine(about.number, nameLengthMax) })
      : nameOf(about, locale);
  const leadOf = props.kind === "receipt" ? receiptLead : noticeLead;
  const { title, sentence, notes, ...lead } = leadOf(props, locale, { merchantName, what });
  const isDone = occasion === "paid" || occasion === "excess";
  const { brand } = props;
  const content: MailContent = { ...lead, merchantName, url: webUrl(props.url).href, brand, locale };
  const { label } = props.network;
  return mailOf(content, [
    Blocks.heading(
      {
        above: [<bdi>{what}</bdi>],
        title,
        below: sentence && (
          <Rich locale={locale} text={sentence.key} values={{ name: <bdi>{sentence.name}</bdi> }} />
        ),
      },
      [
        isolate(what),
        title,
        "",
        ...(sentence === null ? [] : [say(sentence.key, { name: isolate(sentence.name) }), ""]),
      ],
    ),
    Blocks.figure(locale, {
      label: say(isDone ? "amountPaid" : "receivedSoFar"),
      look: isDone ? "done" : "soft",
      isTicked: isDone,
      amount: locale.usdc(props.received),
      lines: notes,
    }),
    Blocks.facts(
      locale,
      [
        ...(about.kind === "invoice"
          ? ([
              [say("billedBy"), merchantName],
              [say("billedTo"), singleLine(about.vendorName, nameLengthMax)],
            ] as const)
          : []),
        ...(props.reference === null
          ? []
          : [[say("reference"), singleLine(props.reference, referenceLengthMax)] as const]),
        [say("network"), isTestNetwork(props.network) ? say("testNetworkName", { network: label }) : label],
      ],
      [
        ...props.payments.map((payment) => paymentEntry(payment, content)),
        ...(props.otherPayments > 0
          ? [otherEntry(say("smallerPayments", { count: props.otherPayments }))]
          : []),
      ],
    ),
    Blocks.action(
      content,
      say(about.kind === "invoice" ? "viewInvoice" : "openPayment"),
      props.hasPdf ? say("receiptAttached") : null,
    ),
  ]);
}

const otherEntry = (text: string) => ({ text: [text], html: text, isSoft: true as const });

function paymentEntry({ txHash, url, ...payment }: PaymentLine, content: MailContent) {
  const { say, labelled, marks, usdc, minute } = content.locale;
  const [amount, when] = [usdc(payment.amount), minute(new Date(payment.madeAt).toISOString())];
  const small = "word-break:break-all;font-size:12px;";
  return {
    text: [
      `${amount}${marks.comma}${when}`,
      labelled(say("transaction"), txHash),
      ...(url === null ? [] : [url]),
    ],
    html: (
      <>
        <strong class="ink" style={ink}>
          {amount}
        </strong>{" "}
        <span class="soft" style={soft}>
          <bdi>{when}</bdi>
        </span>
        <br />
        {url === null ? (
          <span class="soft" style={`${soft}${small}`}>
            {txHash}
          </span>
        ) : (
          <Blocks.Link content={content} href={url} style={small}>
            {txHash}
          </Blocks.Link>
        )}
      </>
    ),
  };
}

type Named = Readonly<{ merchantName: string; what: string }>;

function receiptLead(props: PaymentMessageProps, locale: Locale, { merchantName }: Named): Lead {
  const { say, figure, marks } = locale;
  const { about, excess } = props;
  const merchant = isolate(merchantName);
  const more = excess === null ? "" : say("andMore", { excess: figure(excess) });
  const named = { merchant, received: figure(props.received), more };
  return {
    subject:
      about.kind === "invoice"
        ? say("receiptSubject", { ...named, number: singleLine(about.number, nameLengthMax) })
        : say("linkReceiptSubject", named),
    preview: say("receiptPreview", { more }),
    title: say("receipt"),
    sentence: { key: "receiptSentence", name: merchantName },
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

function noticeLead(props: PaymentMessageProps, locale: Locale, named: Named): Lead {
  const { say, figure, marks, labelled, bracketed } = locale;
  const { occasion, about } = props;
  const brand = hostName(props.brand);
  const title = say(headings[occasion]);
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
      : isolate(named.what);
  const replyTo = about.kind === "invoice" ? about.vendorEmail : about.payerEmail;
  return {
    subject: labelled(title, `${what}${lead.sum}`),
    preview: lead.preview,
    title,
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

/** What people know a link by: what is sold, else its slug. */
function nameOf({ slug, productDescription }: PaidLink, { say }: Locale): string {
  return singleLine(productDescription ?? "", nameLengthMax) || say("linkNamed", { slug });
}
