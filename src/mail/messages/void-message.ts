import type { Brand } from "../../domain/brand.ts";
import { referenceLengthMax } from "../../domain/invoice.ts";
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
  /** Plain decimals of USDC, `"1500.00"`. */
  total: string;
  /** The merchant's order number or the like; null without one. */
  reference: string | null;
  /** In lines of the merchant's. */
  reason: string;
  invoiceUrl: string;
  brand: Brand;
  language: LanguageCode;
}>;

/** What both versions of the mail say. */
export type VoidContent = MailContent &
  Readonly<{
    invoiceNumber: string;
    reason: readonly string[];
    facts: readonly (readonly [string, string])[];
    /** What to do for whoever has paid already. */
    ifPaid: string;
  }>;

/** In characters: as long as a reason can be. */
const reasonLengthMax = 500;

/**
 * The mail that says that nobody owes an invoice any more. It asks for nothing and names no deposit address. Throws a
 * RangeError when the URL is not http(s).
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
  return {
    subject: say("voidSubject", { number: invoiceNumber, merchant: isolate(merchantName) }),
    preview: say("nothingOwed"),
    invoiceNumber,
    merchantName,
    reason: lines(props.reason, reasonLengthMax),
    facts: [
      [say("billedBy"), merchantName],
      [say("billedTo"), singleLine(props.vendorName, nameLengthMax)],
      ...(props.reference === null
        ? []
        : [[say("reference"), singleLine(props.reference, referenceLengthMax)] as const]),
      [say("total"), locale.usdc(props.total)],
    ],
    ifPaid: say("voidIfPaid", { merchant: isolate(merchantName) }),
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
    say("voidHeading", { number: content.invoiceNumber }),
    "",
    say("voidSentence", { name: isolate(content.merchantName) }),
    "",
    labelled(say("reason")),
    ...content.reason,
    "",
    ...content.facts.map(([label, value]) => labelled(label, isolate(value))),
    "",
    content.ifPaid,
    "",
    labelled(say("viewInvoice")),
    content.url,
    ...signature(content),
  ].join("\n");
}
