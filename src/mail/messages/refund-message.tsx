import type { Refund } from "../../domain/payment/refund.ts";
import { faceOf, pageUrl, type Receivable } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import { isTestNetwork } from "../../domain/wallet/network.ts";
import { speak } from "../../language/locale.ts";
import { openText } from "../../language/receivable.ts";
import { Rich } from "../../language/rich.tsx";
import { whenFor } from "../../language/when.ts";
import { isolate, lines, nameLengthMax, singleLine, type Written, webUrl } from "../smtp/message.ts";
import * as Blocks from "./blocks.tsx";
import { mailOf } from "./blocks.tsx";
import type { MailContent, MailSettings } from "./mail-layout.tsx";
import { namesOf, sentBy } from "./payment-message.tsx";
import * as Tables from "./tables.tsx";

type RefundMail = {
  refund: Pick<Refund, "amount" | "reason" | "address" | "txHash" | "way" | "email" | "readyAt">;
  about: Receivable;
  /**
   * Asks the customer where the refund should go (`claim`) or says that it has arrived (`done`); tells the merchant
   * that the customer answered (`named`), or that it waits to be stopped (`waits`).
   */
  kind: "claim" | "done" | "named" | "waits";
  /** The button's target; null for the page of the invoice or link. */
  url: string | null;
  /** True if the receipt is attached. */
  hasPdf?: boolean;
};

const texts = {
  claim: {
    subject: "refundAskSubject",
    title: "refundAskTitle",
    sentence: "refundAskSentence",
    button: "refundAskAction",
  },
  done: {
    subject: "refundDoneSubject",
    title: "refundedTitle",
    sentence: "refundDoneSentence",
    button: null,
  },
  named: {
    subject: "refundNamedSubject",
    title: "refundNamedTitle",
    sentence: "refundNamedSentence",
    button: "refundOpenIt",
  },
  waits: {
    subject: "refundWaitsSubject",
    title: "refundWaitsTitle",
    sentence: "refundWaitsSentence",
    button: "refundOpenIt",
  },
} as const;

const reasonLengthMax = 500;

/** Writes the mails about a refund. None asks for money. Throws a RangeError if the URL is not http(s). */
export function refundMessage(
  { now, ...settings }: MailSettings & { timeZone: string; now: () => number },
  { refund, about, kind, url, hasPdf }: RefundMail,
): Written {
  const { customerName, sellerEmail } = faceOf(about);
  const isToMerchant = kind === "named" || kind === "waits";
  const locale = speak((isToMerchant ? null : about.language) ?? settings.language);
  const { say, labelled } = locale;
  const { merchantName, what } = namesOf(about, locale);
  const { brand, network } = settings;
  const amount = locale.usdc(Usdc.formatExact(refund.amount));
  const when = whenFor(locale, settings.timeZone, now()).momentInText(refund.readyAt ?? 0);
  const values = { merchant: isolate(merchantName), amount, what: isolate(what), when };
  const text = texts[kind];
  const customer = customerName ?? refund.email ?? what;
  const name = isToMerchant ? singleLine(customer, nameLengthMax) : merchantName;
  const content: MailContent = {
    subject: say(text.subject, values),
    preview: say(text.sentence, { name: isolate(name) }),
    merchantName,
    url: webUrl(url ?? pageUrl(settings.baseUrl, about)).href,
    replyTo: isToMerchant ? null : sellerEmail,
    sentBy: isToMerchant ? "noticeSentOnlyBy" : sentBy[about.kind],
    brand,
    locale,
  };
  const isElsewhere = kind === "done" && refund.way === "elsewhere";
  return mailOf(content, [
    Blocks.heading(
      {
        above: [<bdi>{what}</bdi>],
        title: say(text.title),
        below: <Rich locale={locale} text={text.sentence} values={{ name: <bdi>{name}</bdi> }} />,
      },
      [isolate(what), say(text.title), "", say(text.sentence, { name: isolate(name) }), ""],
    ),
    Blocks.figure(locale, {
      label: say("amount"),
      look: kind === "done" ? "done" : "soft",
      isTicked: kind === "done",
      amount,
      lines: isElsewhere ? [say("refundElsewhere")] : [],
    }),
    isToMerchant
      ? null
      : Blocks.quote(say("reason"), labelled(say("reason")), lines(refund.reason ?? "", reasonLengthMax)),
    isElsewhere
      ? null
      : Tables.facts(locale, [
          [say("refundSentTo"), refund.address],
          [say("transaction"), refund.txHash],
          [
            say("network"),
            isTestNetwork(network) ? say("testNetworkName", { network: network.label }) : network.label,
          ],
        ]),
    Blocks.action(content, say(text.button ?? openText[about.kind]), hasPdf ? say("receiptAttached") : null),
    kind === "claim" ? Blocks.prose(say("refundAskSafe")) : null,
  ]);
}
