import * as Currency from "../domain/bill/currency.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import { type SourceName, sources } from "../domain/bill/rate/source.ts";
import { instant } from "../lib/time.ts";
import { fromTheLeft, type Locale } from "./locale.ts";

/** The currency, other than USDC, of an invoice's lines and sums or of a link's price. */
export type CurrencyText = {
  /** `EUR`. */
  code: string;
  /** Plain decimal, in the currency. */
  total: string;
  /** `1 USDC = 0.8607 EUR · Kraken and Coinbase · 22 Nov 2026, 21:03 UTC` */
  rate: string;
};

/** Returns an empty object for bills in USDC. */
export function billedOf({ currency }: Pick<Invoice, "currency">, locale: Locale): { billed?: CurrencyText } {
  if (currency === null) return {};
  const { code, rate } = currency;
  const parts = [`1 USDC = ${locale.figure(rate)} ${code}`, ...originOf(currency, locale)];
  return { billed: { code, total: Currency.format(currency.total, code), rate: inOrder(parts, locale) } };
}

/** Returns the source of a rate, and its time. */
export function originOf(
  { source, fetchedAt }: Pick<Currency.Quote, "source" | "fetchedAt">,
  locale: Locale,
): string[] {
  const because = { [Currency.byCaller]: "rateOfMerchant", [Currency.byParity]: "rateOfParity" } as const;
  if (Object.hasOwn(because, source)) return [locale.say(because[source as keyof typeof because])];
  const labels = Currency.namesOf(source).map((name) => sources[name as SourceName]?.label ?? name);
  return [locale.listed(labels), locale.minute(instant(fetchedAt))];
}

/**
 * Joins an equation and its origin. In right-to-left languages the result begins with words of the language, because
 * PDFs take the direction of a line from its first letter.
 */
export function inOrder([equation = "", ...origin]: readonly string[], locale: Locale): string {
  const shown = fromTheLeft(equation, locale);
  return (locale.dir === "rtl" ? [...origin.reverse(), shown] : [shown, ...origin]).join(" · ");
}
