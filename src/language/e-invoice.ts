import type { Words } from "../domain/einvoice/einvoice.ts";
import * as Usdc from "../domain/usdc.ts";
import { shareText } from "./bill.ts";
import type { Locale } from "./locale.ts";

/** What an e-invoice says in words, as its PDF does. `network`: the chain as a payer knows it. */
export function eInvoiceWords(locale: Locale, network: string): Words {
  const { say, figure, labelled, marks } = locale;
  // A row of the PDF's taxes, without its amount.
  const reason = (key: "taxReverse" | "taxExport" | "taxOutside") =>
    say(key, { amount: "" }).replace(/\s*[:：]\s*$/, "");
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
      outside_scope: reason("taxOutside"),
    },
  };
}
