import { referenceLengthMax } from "../../domain/bill/invoice.ts";
import type { Brand } from "../../domain/brand.ts";
import type { LanguageCode } from "../../language/languages.ts";
import { speak } from "../../language/locale.ts";
import { type Message, nameLengthMax, webUrl } from "../smtp/message.ts";
import { isolate, lines, singleLine } from "../smtp/single-line.ts";
import { type MailContent, signature } from "./mail-layout.tsx";
import { voidHtml } from "./void-html.tsx";

export type VoidMessageProps = Readonly<{
  merchantName: string;
  merchantEmail: string;
  vendorName: string;
  invoiceNumber: string;
  /** A plain decimal, `"1500.00"`, in `currency`. */
  total: string;
  /** USDC when it is left out. */
  currency?: string;
  /** The merchant's order number or the like; null without one. */
  reference: string | null;
  /** In lines of the merchant's. */
  reason: string;
  invoiceUrl: string;
  /** The credit note that takes a void invoice back, by its number; left out where there is none. */
  creditNote?: string;
  /** The credit note that it brings, with what is left to pay and what was paid too much, in USDC; none of a void one. */
  credit?: { number: string; due: string | null; toReturn: string | null };
  /** Whether the PDF of the credit note is attached. */
  hasPdf: boolean;
  brand: Brand;
  language: LanguageCode;
}>;

/** What both versions of the mail say. */
export type VoidContent = MailContent &
  Readonly<{
    heading: "voidHeading" | "creditHeading";
    sentence: "voidSentence" | "creditSentence";
    /** Of what the heading is about. */
    number: string;
    /** Of a credit note. */
    credited: string | null;
    reason: readonly string[];
    facts: readonly (readonly [string, string])[];
    /** What is left to do: for whoever has paid already, or has not. */
    ending: string;
    attached: string | null;
  }>;

/** In characters: as long as a reason can be. */
const reasonLengthMax = 500;

/**
 * The mail that says that nobody owes an invoice any more, or a part of it. It asks for nothing and names no deposit
 * address. Throws a RangeError when the URL is not http(s).
 */
export function voidMessage(props: VoidMessageProps): Pick<Message, "subject" | "text" | "html"> {
  const content = contentOf(props);
  return { subject: content.subject, text: voidText(content), html: voidHtml(content) };
}

function contentOf(props: VoidMessageProps): VoidContent {
  const locale = speak(props.language);
  const { say } = locale;
  const merchantName = singleLine(props.merchantName, nameLengthMax);
  const invoiceNumber = singleLine(props.invoiceNumber, nameLengthMax);
  const { credit = null } = props;
  const merchant = isolate(merchantName);
  const rest =
    credit &&
    (credit.due === null
      ? say("creditNothingDue", { number: invoiceNumber })
      : say("creditStillDue", { number: invoiceNumber, amount: locale.usdc(credit.due) }));
  const back = credit?.toReturn
    ? [say("creditReturn", { amount: locale.usdc(credit.toReturn), merchant })]
    : [];
  const number = credit?.number ?? invoiceNumber;
  const total = locale.money(props.total, props.currency ?? "USDC");
  const ending = rest === null ? say("voidIfPaid", { merchant }) : [rest, ...back].join(locale.marks.gap);
  return {
    subject: credit
      ? say("creditSubject", { number, merchant, amount: total })
      : say("voidSubject", { number, merchant }),
    preview: credit ? ending : say("nothingOwed"),
    heading: credit ? "creditHeading" : "voidHeading",
    sentence: credit ? "creditSentence" : "voidSentence",
    number,
    merchantName,
    credited: credit ? total : null,
    reason: lines(props.reason, reasonLengthMax),
    facts: [
      ...(credit ? [[say("ofInvoice"), invoiceNumber] as const] : []),
      ...(props.creditNote ? [[say("creditNote"), props.creditNote] as const] : []),
      [say("billedBy"), merchantName],
      [say("billedTo"), singleLine(props.vendorName, nameLengthMax)],
      ...(props.reference === null
        ? []
        : [[say("reference"), singleLine(props.reference, referenceLengthMax)] as const]),
      ...(credit ? [] : [[say("total"), total] as const]),
    ],
    ending,
    attached: props.hasPdf ? say("creditAttached") : null,
    url: webUrl(props.invoiceUrl).href,
    replyTo: props.merchantEmail,
    sentBy: "sentBy",
    brand: props.brand,
    locale,
  };
}

function voidText(content: VoidContent): string {
  const { say, labelled } = content.locale;
  const { credited, ending, attached } = content;
  return [
    say(content.heading, { number: content.number }),
    "",
    say(content.sentence, { name: isolate(content.merchantName) }),
    ...(credited === null ? [] : ["", labelled(say("creditedAmount"), credited), ending]),
    "",
    labelled(say("reason")),
    ...content.reason,
    "",
    ...content.facts.map(([label, value]) => labelled(label, isolate(value))),
    ...(credited === null ? ["", ending] : []),
    "",
    labelled(say("viewInvoice")),
    content.url,
    ...(attached === null ? [] : ["", attached]),
    ...signature(content),
  ].join("\n");
}
