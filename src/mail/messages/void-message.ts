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
    reason: readonly string[];
    facts: readonly (readonly [string, string])[];
    /** What is left to do: for whoever has paid already, or has not. */
    ending: string;
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
    ? say("creditReturn", { amount: locale.usdc(credit.toReturn), merchant })
    : null;
  const number = credit?.number ?? invoiceNumber;
  return {
    subject: say(credit ? "creditSubject" : "voidSubject", { number, merchant }),
    preview: rest ?? say("nothingOwed"),
    heading: credit ? "creditHeading" : "voidHeading",
    sentence: credit ? "creditSentence" : "voidSentence",
    number,
    merchantName,
    reason: lines(props.reason, reasonLengthMax),
    facts: [
      ...(credit ? [[say("ofInvoice"), invoiceNumber] as const] : []),
      ...(props.creditNote ? [[say("creditNote"), props.creditNote] as const] : []),
      [say("billedBy"), merchantName],
      [say("billedTo"), singleLine(props.vendorName, nameLengthMax)],
      ...(props.reference === null
        ? []
        : [[say("reference"), singleLine(props.reference, referenceLengthMax)] as const]),
      [say(credit ? "creditedAmount" : "total"), locale.money(props.total, props.currency ?? "USDC")],
    ],
    ending: rest === null ? say("voidIfPaid", { merchant }) : [rest, back].filter(Boolean).join(" "),
    url: webUrl(props.invoiceUrl).href,
    replyTo: props.merchantEmail,
    sentBy: "sentBy",
    brand: props.brand,
    locale,
  };
}

function voidText(content: VoidContent): string {
  const { say, labelled } = content.locale;
  return [
    say(content.heading, { number: content.number }),
    "",
    say(content.sentence, { name: isolate(content.merchantName) }),
    "",
    labelled(say("reason")),
    ...content.reason,
    "",
    ...content.facts.map(([label, value]) => labelled(label, isolate(value))),
    "",
    content.ending,
    "",
    labelled(say("viewInvoice")),
    content.url,
    ...signature(content),
  ].join("\n");
}
