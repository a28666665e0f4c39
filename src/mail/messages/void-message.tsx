import { referenceLengthMax } from "../../domain/bill/invoice.ts";
import type { Brand } from "../../domain/brand.ts";
import type { LanguageCode } from "../../language/languages.ts";
import { type Locale, speak } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import { isolate, lines, type Message, nameLengthMax, singleLine, webUrl } from "../smtp/message.ts";
import * as Blocks from "./blocks.tsx";
import { mailOf } from "./blocks.tsx";
import type { MailContent } from "./mail-layout.tsx";

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

/** In characters: as long as a reason can be. */
const reasonLengthMax = 500;

/**
 * The mail that says that nobody owes an invoice any more, or a part of it. It asks for nothing and names no deposit
 * address. Throws a RangeError when the URL is not http(s).
 */
export function voidMessage(props: VoidMessageProps): Pick<Message, "subject" | "text" | "html"> {
  const locale = speak(props.language);
  const { say, labelled } = locale;
  const merchantName = singleLine(props.merchantName, nameLengthMax);
  const invoiceNumber = singleLine(props.invoiceNumber, nameLengthMax);
  const { credit = null } = props;
  const merchant = isolate(merchantName);
  const number = credit?.number ?? invoiceNumber;
  const total = locale.money(props.total, props.currency ?? "USDC");
  const ending =
    credit === null ? say("voidIfPaid", { merchant }) : leftOf(credit, invoiceNumber, merchant, locale);
  const [title, sentence] = credit
    ? (["creditHeading", "creditSentence"] as const)
    : (["voidHeading", "voidSentence"] as const);
  const content: MailContent = {
    subject: credit
      ? say("creditSubject", { number, merchant, amount: total })
      : say("voidSubject", { number, merchant }),
    preview: credit ? ending : say("nothingOwed"),
    merchantName,
    replyTo: props.merchantEmail,
    sentBy: "sentBy",
    brand: props.brand,
    locale,
    url: webUrl(props.invoiceUrl).href,
  };
  return mailOf(content, [
    Blocks.heading(
      {
        above: [],
        title: (
          <Rich
            locale={locale}
            text={title}
            values={{ number: <span style="white-space:nowrap;">{number}</span> }}
          />
        ),
        below: <Rich locale={locale} text={sentence} values={{ name: <bdi>{merchantName}</bdi> }} />,
      },
      [say(title, { number }), "", say(sentence, { name: merchant }), ...(credit ? [""] : [])],
    ),
    credit &&
      Blocks.figure(locale, { label: say("creditedAmount"), look: "soft", amount: total, lines: [ending] }),
    Blocks.quote(say("reason"), labelled(say("reason")), lines(props.reason, reasonLengthMax)),
    Blocks.facts(locale, [
      ...(credit ? [[say("ofInvoice"), invoiceNumber] as const] : []),
      ...(props.creditNote ? [[say("creditNote"), props.creditNote] as const] : []),
      [say("billedBy"), merchantName],
      [say("billedTo"), singleLine(props.vendorName, nameLengthMax)],
      ...(props.reference === null
        ? []
        : [[say("reference"), singleLine(props.reference, referenceLengthMax)] as const]),
      ...(credit ? [] : [[say("total"), total] as const]),
    ]),
    credit ? null : Blocks.prose(ending),
    Blocks.action(content, say("viewInvoice"), props.hasPdf ? say("creditAttached") : null),
  ]);
}

/** What a credit note leaves to be paid, and what was paid too much. */
function leftOf(
  { due, toReturn }: NonNullable<VoidMessageProps["credit"]>,
  number: string,
  merchant: string,
  { say, usdc, marks }: Locale,
): string {
  const rest =
    due === null ? say("creditNothingDue", { number }) : say("creditStillDue", { number, amount: usdc(due) });
  return [rest, ...(toReturn ? [say("creditReturn", { amount: usdc(toReturn), merchant })] : [])].join(
    marks.gap,
  );
}
