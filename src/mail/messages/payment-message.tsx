import * as Standing from "../../domain/payment/standing.ts";
import type { Payment } from "../../domain/receipt/receipt.ts";
import { faces } from "../../domain/receivable/faces.ts";
import { faceOf, pageUrl, type Receivable } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import { isTestNetwork, type Network, transactionUrl } from "../../domain/wallet/network.ts";
import { owedBack } from "../../language/bill.ts";
import { billedOf } from "../../language/bill-currency.ts";
import { type Locale, speak, type TextKey } from "../../language/locale.ts";
import { openText, whatOf } from "../../language/receivable.ts";
import { Rich } from "../../language/rich.tsx";
import { instant } from "../../lib/time.ts";
import { isolate, nameLengthMax, singleLine, type Written, webUrl } from "../smtp/message.ts";
import * as Blocks from "./blocks.tsx";
import { mailOf } from "./blocks.tsx";
import { ink, type MailContent, type MailSettings, soft } from "./mail-layout.tsx";
import * as Tables from "./tables.tsx";

/** The effect of a payment on an invoice or a link. `paid`: in full or more; `reversed`: the chain took some of it back. */
export type PaymentOccasion = "paid" | "partial" | "excess" | "unexpected" | "reversed";

type PaymentMail = Readonly<{
  /** The payer gets a receipt when it is `paid`, the merchant a notice on each occasion. */
  kind: "receipt" | "notice";
  occasion: PaymentOccasion;
  about: Receivable;
  /** The largest ones. */
  payments: readonly PaymentLine[];
  /** Number of payments not listed. */
  otherPayments: number;
  /** True if the receipt's PDF is attached. */
  hasPdf?: boolean;
}>;

type PaymentLine = Pick<Payment, "amount" | "madeAt" | "txHash">;

/** The values used in its sentences: people's texts in one line, amounts as people read them. */
type Named = Readonly<{
  merchantName: string;
  /** The invoice's number, or the product sold by the link. */
  what: string;
  received: string;
  total: string;
  remaining: string;
  /** The amount received above the total; null if none. */
  excess: string | null;
}>;

/** The differences between a receipt and a notice. */
type Lead = Pick<MailContent, "subject" | "preview" | "replyTo" | "sentBy"> & {
  /** The new state: "Overpaid". */
  title: string;
  /** The payer or the merchant, if known. */
  sentence: { key: "receiptSentence" | "noticeSentence"; name: string } | null;
  notes: readonly string[];
};

/**
 * Writes the mail about payments. It asks for nothing and names no deposit address. Throws a RangeError if the URL is
 * not http(s).
 */
export function paymentMessage(settings: MailSettings, mail: PaymentMail): Written {
  const { about, occasion } = mail;
  // The merchant reads notices in the language of the installation.
  const own = mail.kind === "receipt" ? about.language : null;
  const locale = speak(own ?? settings.language);
  const { say } = locale;
  const { brand, network } = settings;
  const named = namedIn(about, locale);
  const { merchantName, what } = named;
  const { title, sentence, notes, ...lead } =
    mail.kind === "receipt" ? receiptLead(about, named, locale) : noticeLead(mail, named, locale);
  const isDone = occasion === "paid" || occasion === "excess";
  const url = webUrl(pageUrl(settings.baseUrl, about)).href;
  const content: MailContent = { ...lead, merchantName, url, brand, locale };
  const { label } = network;
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
      amount: `${named.received} USDC`,
      lines: [...notes, ...priceOf(about, locale)],
    }),
    Tables.facts(
      locale,
      [
        ...Tables.partiesOf(about, locale),
        [say("network"), isTestNetwork(network) ? say("testNetworkName", { network: label }) : label],
      ],
      [
        ...mail.payments.map((payment) => paymentEntry(payment, content, network)),
        ...(mail.otherPayments > 0
          ? [otherEntry(say("smallerPayments", { count: mail.otherPayments }))]
          : []),
      ],
    ),
    Blocks.action(content, say(openText[about.kind]), mail.hasPdf ? say("receiptAttached") : null),
  ]);
}

/** Returns the price in a currency, and the rate, unless an invoice states them. */
function priceOf(about: Receivable, locale: Locale): string[] {
  const billed = faceOf(about).number === null ? billedOf(about, locale).billed : undefined;
  if (billed === undefined) return [];
  return [locale.labelled(locale.say("total"), locale.money(billed.total, billed.code)), billed.rate];
}

const otherEntry = (text: string) => ({ text: [text], html: text, isSoft: true as const });

function paymentEntry({ txHash, ...payment }: PaymentLine, content: MailContent, { explorer }: Network) {
  const { say, labelled, marks, usdc, minute } = content.locale;
  const url = transactionUrl(explorer, txHash);
  const amount = usdc(Usdc.formatExact(payment.amount));
  const when = minute(instant(payment.madeAt));
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

/** Returns the merchant and the subject of the payment, as people know them. */
export const namesOf = (about: Receivable, locale: Locale): Pick<Named, "merchantName" | "what"> => ({
  merchantName: oneLine(faceOf(about).seller),
  what: oneLine(whatOf(about, locale)),
});

function namedIn(about: Receivable, locale: Locale): Named {
  const { net, received, due, toReturn } = Standing.of(about);
  const read = (amount: Usdc.Usdc) => locale.figure(Usdc.formatExact(amount));
  return {
    ...namesOf(about, locale),
    received: read(received),
    total: read(net),
    remaining: read(due),
    excess: toReturn === 0n ? null : read(toReturn),
  };
}

const oneLine = (text: string) => singleLine(text, nameLengthMax);

/** The sender, in the footer. A link has nothing of the merchant but a name. */
export const sentBy = { invoice: "sentBy", link: "sentFor" } as const;

function receiptLead(about: Receivable, named: Named, locale: Locale): Lead {
  const { say } = locale;
  const { merchantName, received, excess } = named;
  const merchant = isolate(merchantName);
  const more = excess === null ? "" : say("andMore", { excess });
  const { number, sellerEmail } = faceOf(about);
  const owed = faces[about.kind].hasCreditNotes ? owedBack(about, merchant, locale) : null;
  return {
    subject:
      number === null
        ? say("linkReceiptSubject", { merchant, received, more })
        : say("receiptSubject", { merchant, received, more, number: oneLine(number) }),
    preview: say("receiptPreview", { more }),
    title: say("receipt"),
    sentence: { key: "receiptSentence", name: merchantName },
    notes: owed && excess ? [owed] : tooMuch(named, say("askMerchant", { merchant }), locale),
    replyTo: sellerEmail,
    sentBy: sentBy[about.kind],
  };
}

const headings = {
  paid: "noticePaid",
  partial: "partlyPaid",
  excess: "paidInExcess",
  unexpected: "unexpectedPayment",
  reversed: "paymentReversed",
} as const satisfies Record<PaymentOccasion, TextKey>;

function noticeLead(
  { occasion, about }: Pick<PaymentMail, "occasion" | "about">,
  named: Named,
  locale: Locale,
): Lead {
  const { say, marks, labelled, bracketed } = locale;
  const title = say(headings[occasion]);
  const { received, total, remaining, excess } = named;
  const more = excess === null ? "" : say("andMore", { excess });
  const part = { received, total, remaining };
  const lead = {
    paid: {
      sum: `${marks.comma}${received} USDC${more}`,
      preview: say("noticePreview", { received, more }),
    },
    partial: { sum: bracketed(say("receivedOf", part)), preview: say("sayPartial", part) },
    excess: { sum: more, preview: say("noticePreview", { received, more }) },
    unexpected: {
      sum: `${marks.comma}${received} USDC`,
      preview: say("unexpectedNote"),
    },
    reversed: { sum: bracketed(say("receivedOf", part)), preview: say("reversedNote") },
  }[occasion];
  const difference = tooMuch(named, say("ownAffair"), locale);
  const { number, customerName, customerEmail: replyTo } = faceOf(about);
  const notes = {
    paid: customerName === null && excess === null ? [say("receivedInFull")] : difference,
    partial: [say("sayPartial", part)],
    excess: difference,
    unexpected: [say("unexpectedNote")],
    reversed: [say("reversedNote")],
  }[occasion];
  const customer = oneLine(customerName ?? "");
  const what =
    number === null
      ? isolate(named.what)
      : say("invoiceTo", { number: oneLine(number), vendor: isolate(customer) });
  return {
    subject: labelled(title, `${what}${lead.sum}`),
    preview: lead.preview,
    title,
    sentence: customer !== "" && occasion === "paid" ? { key: "noticeSentence", name: customer } : null,
    notes,
    replyTo,
    sentBy: replyTo === null ? "noticeSentOnlyBy" : "noticeSentBy",
  };
}

/** States the overpayment in figures, and what to do about it; empty without one. */
function tooMuch({ total, excess }: Named, advice: string, { say, marks }: Locale): string[] {
  return excess === null ? [] : [[say("tooMuch", { total, excess }), advice].join(marks.gap)];
}
