import type { Words } from "../domain/einvoice/einvoice.ts";
import * as Usdc from "../domain/usdc.ts";
import { withoutEnd } from "../lib/text/english.ts";
import type { Locale } from "./locale.ts";
import { shareText } from "./tax-words.ts";

/** Returns the words of an e-invoice, as in its PDF. `network` is the chain's name for payers. */
export function eInvoiceWords(locale: Locale, network: string): Words {
  const { say, figure, labelled, marks } = locale;
  // A row of the PDF's taxes, without its amount.
  const reason = (key: "taxReverse" | "taxExport" | "taxIntra" | "taxOutside") =>
    withoutEnd(say(key, { amount: "" }).trimEnd().replace("：", ":"), ":").trimEnd();
  return {
    discount: say("discount"),
    discountOf: (percent) => say("discountShare", { percent: shareText(percent, locale) }),
    creditedAgainst: (number) => say("creditedAgainst", { number }),
    payTo({ total, currency, deposit }) {
      const sum = `${figure(Usdc.format(total))} ${say("usdcOn", { network })}`;
      const rate = currency === null ? [] : [`1 USDC = ${figure(currency.rate)} ${currency.code}`];
      return [sum, labelled(say("depositAddress"), deposit.address), ...rate].join(marks.comma);
    },
    reasons: {
      reverse_charge: reason("taxReverse"),
      export: reason("taxExport"),
      intra_community: reason("taxIntra"),
      outside_scope: reason("taxOutside"),
    },
  };
}
