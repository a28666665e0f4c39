import * as Currency from "../../domain/bill/currency.ts";
import * as Calendar from "../../domain/calendar.ts";
import type { Refund } from "../../domain/payment/refund.ts";
import type * as Receipt from "../../domain/receipt/receipt.ts";
import { pageUrl } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import { isTestNetwork, type Network, transactionUrl } from "../../domain/wallet/network.ts";
import { fromTheLeft, type Locale, speak } from "../../language/locale.ts";
import { type SumRow, sumRows } from "../../language/sums.ts";
import { type Look, lookOf } from "../invoice/invoice-document.ts";
import * as Style from "../invoice/invoice-style.ts";
import { addressee, bottomOf, factList, masthead, onPages } from "../invoice/letterhead.ts";
import { createSheet } from "../invoice/sheet.ts";
import { createFlow } from "../type/flow.ts";
import type { Fonts } from "../type/fonts.ts";
import { tag } from "../type/tag.ts";
import type { PageItem } from "../type/typeset.ts";
import { partiesOf, type SoldTo } from "./receipt-document.ts";

/** Everything that the receipt of a refund shows. The amount is USDC without the unit. */
export type RefundDocument = SoldTo & {
  kind: "refund";
  amount: string;
  /** The amount taken off the receipt of a link with tax, and the taxes in it. */
  takenBack: readonly SumRow[];
  reason: string | null;
  /** `YYYY-MM-DD` in `timeZone`. */
  refundedOn: string;
  timeZone: string;
  /** The address that got it, the transaction, and where to look that up; null if it went another way. */
  sent: { to: string; txHash: string; url: string | null; network: string; isTest: boolean } | null;
  /** The page of the invoice or link. */
  pageUrl: string;
  /** Unix time in milliseconds; the file's creation date. */
  createdAtMs: number;
  look: Look;
};

type Options = { baseUrl: string; network: Network; timeZone: string; look: Look };

/** A refund that has come, as its PDF shows it. `receipt`: what it gives money back of. */
export function refundDocumentOf(refund: Refund, receipt: Receipt.Receipt, options: Options): RefundDocument {
  const { baseUrl, network, timeZone } = options;
  const look = lookOf(options.look, receipt.of.language);
  const { address: to, txHash } = refund;
  const at = refund.endedAt ?? refund.changedAt;
  return {
    kind: "refund",
    ...partiesOf(receipt, speak(look.language)),
    amount: Usdc.formatExact(refund.amount),
    takenBack: takenBackOf(refund, receipt, speak(look.language)),
    reason: refund.reason,
    refundedOn: Calendar.dayAt(at, timeZone),
    timeZone,
    sent:
      to === null || txHash === null
        ? null
        : {
            to,
            txHash,
            url: transactionUrl(network.explorer, txHash),
            network: network.label,
            isTest: isTestNetwork(network),
          },
    pageUrl: pageUrl(baseUrl, receipt.of),
    createdAtMs: at,
    look,
  };
}

function takenBackOf({ takenBack }: Refund, { of, issued }: Receipt.Receipt, locale: Locale): SumRow[] {
  if (of.kind !== "link" || takenBack === null) return [];
  const { bill, currency } = of;
  const pricesIncludeTax = bill?.pricesIncludeTax ?? true;
  const merchantDetails = issued?.seller.details ?? null;
  const taken = { totals: takenBack.totals, discount: null, pricesIncludeTax, merchantDetails, currency };
  return sumRows(taken, locale).map(({ label, amount }) => ({
    label,
    amount: fromTheLeft(`${amount} ${Currency.codeOf({ currency })}`, locale),
  }));
}

/** The title of the file, and of the foot of each page if there are several. */
export const refundTitle = ({ number, issued, product }: RefundDocument, { say }: Locale): string =>
  `${say("refundReceipt")} · ${issued?.number ?? number ?? product}`;

/** Lays a refund's receipt out as the receipt of a payment is, from its parts. */
export function layOutRefund(refund: RefundDocument, fonts: Fonts): PageItem[][] {
  const sheet = createSheet(refund.look, fonts);
  const { say, day, usdc, bracketed } = sheet.locale;
  const { customer, sent, reason } = refund;
  const flow = createFlow({ top: sheet.page.top, bottom: bottomOf(refund, sheet) });
  flow.place(masthead(refund, say("refundReceipt"), sheet));
  const facts = factList(sheet, [
    [say("invoiceNumberLabel"), refund.number, Style.strong],
    [say("receiptNumberLabel"), refund.issued?.number ?? null, Style.strong],
    [say("reference"), refund.reference],
    [say("refundDay"), `${day(refund.refundedOn)}${bracketed(refund.timeZone)}`],
    [say("refundedTitle"), usdc(refund.amount), Style.strong],
  ]);
  const to = customer === null ? [] : addressee(sheet, say("customer"), customer);
  flow.place({ gap: 30, columns: [to, facts] });
  const prose = { ...sheet.wide, isProse: true };
  const list = tag("L");
  const place = (label: string, text: string, url: string | null = null) => {
    const link = url === null ? undefined : { target: url, label };
    flow.place({ gap: 14, columns: [sheet.setFact(list, label, text, { ...prose, link })] });
  };
  flow.place({
    gap: 24,
    columns: [sheet.set(say("refundDoneSentence", { name: refund.merchantName }), Style.strong, prose)],
  });
  if (refund.number === null && refund.product !== "") place(say("description"), refund.product);
  for (const { label, amount } of refund.takenBack) place(label, amount);
  if (reason !== null) place(say("reason"), reason);
  if (sent === null) place(say("refundedTitle"), say("refundElsewhere"));
  else {
    place(say("network"), sent.isTest ? say("testNetworkName", { network: sent.network }) : sent.network);
    place(say("refundSentTo"), sent.to);
    place(say("transaction"), sent.txHash, sent.url);
  }
  place(say("seeOnline"), refund.pageUrl, refund.pageUrl);
  return onPages(flow.pages(), refundTitle(refund, sheet.locale), sheet, refund);
}
