import type { CreditNote } from "../../domain/bill/credit-note.ts";
import * as Currency from "../../domain/bill/currency.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Standing from "../../domain/payment/standing.ts";
import { ofInvoice } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import { type Locale, speak } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import { isolate, lines, nameLengthMax, singleLine, type Written, webUrl } from "../smtp/message.ts";
import * as Blocks from "./blocks.tsx";
import { mailOf } from "./blocks.tsx";
import type { MailContent, MailSettings } from "./mail-layout.tsx";
import * as Tables from "./tables.tsx";

/** For a void invoice, `note` is the credit note that cancels it; null if there is none. */
export type VoidOrCredit = { kind: "void"; note: CreditNote | null } | { kind: "credit"; note: CreditNote };

type VoidMail = VoidOrCredit & {
  invoice: Invoice.Invoice;
  /** True if the credit note's PDF is attached. */
  hasPdf: boolean;
};

/** In characters, the maximum length of a reason. */
const reasonLengthMax = 500;

/**
 * Tells the customer that an invoice, or a part of it, is no longer owed. It asks for nothing and names no deposit
 * address. Throws a RangeError if the URL is not http(s).
 */
export function voidMessage(settings: MailSettings, mail: VoidMail): Written {
  const { invoice, note, hasPdf } = mail;
  const credit = mail.kind === "credit" ? mail.note : null;
  const locale = speak(invoice.language ?? settings.language);
  const { say, labelled } = locale;
  const merchantName = singleLine(invoice.merchantName, nameLengthMax);
  const invoiceNumber = singleLine(invoice.number, nameLengthMax);
  const merchant = isolate(merchantName);
  const number = credit?.number ?? invoiceNumber;
  const billed = credit?.totals.total ?? Invoice.billedTotal(invoice);
  const total = locale.money(Currency.formatOf(invoice, billed), Currency.codeOf(invoice));
  const ending =
    credit === null ? say("voidIfPaid", { merchant }) : leftOf(credit, invoice, { merchant, locale });
  const [title, sentence] = credit
    ? (["creditHeading", "creditSentence"] as const)
    : (["voidHeading", "voidSentence"] as const);
  const content: MailContent = {
    subject: credit
      ? say("creditSubject", { number, merchant, amount: total })
      : say("voidSubject", { number, merchant }),
    preview: credit ? ending : say("nothingOwed"),
    merchantName,
    replyTo: invoice.merchantEmail,
    sentBy: "sentBy",
    brand: settings.brand,
    locale,
    url: webUrl(Invoice.pageUrl(settings.baseUrl, invoice)).href,
  };
  const reason = credit?.reason ?? invoice.voidReason ?? "";
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
    Blocks.quote(say("reason"), labelled(say("reason")), lines(reason, reasonLengthMax)),
    Tables.facts(locale, [
      [say("ofInvoice"), credit && invoiceNumber],
      [say("creditNote"), credit || !note ? null : note.number],
      ...Tables.partiesOf(ofInvoice(invoice), locale),
      [say("total"), credit ? null : total],
    ]),
    credit ? null : Blocks.prose(ending),
    Blocks.action(content, say("viewInvoice"), hasPdf ? say("creditAttached") : null),
  ]);
}

/** Returns what a credit note leaves to be paid, and what was overpaid. */
function leftOf(
  { toReturn }: CreditNote,
  invoice: Invoice.Invoice,
  { merchant, locale: { say, usdc, marks } }: { merchant: string; locale: Locale },
): string {
  const { due } = Standing.of(invoice);
  const number = singleLine(invoice.number, nameLengthMax);
  const amount = (sum: Usdc.Usdc) => usdc(Usdc.formatExact(sum));
  const rest =
    due === 0n ? say("creditNothingDue", { number }) : say("creditStillDue", { number, amount: amount(due) });
  const back = toReturn === 0n ? [] : [say("creditReturn", { amount: amount(toReturn), merchant })];
  return [rest, ...back].join(marks.gap);
}
