import type * as Currency from "../domain/bill/currency.ts";
import { createEcbRates, type EcbOptions } from "./past.ts";

type TaxRatesOptions = Omit<EcbOptions, "baseUrl"> & {
  /** Where to ask the central bank, read each time; null for nowhere. */
  ecb: () => { baseUrl: string } | null;
  /** Returns the current price of 1 USDC; null if unavailable. */
  quote: (code: Currency.Code) => Promise<Currency.Quote | null>;
};

/** `day` is in the merchant's time zone, `YYYY-MM-DD`. */
type Wanted = { from: Currency.Code; to: Currency.Code; day: string; isToday: boolean };

/**
 * Returns the price of 1 of an invoice's currency in that of the seller's country on a day, for its tax; null if
 * unavailable. Never throws.
 */
export type TaxRates = (wanted: Wanted & { isParity: boolean }) => Promise<Currency.Quote | null>;

/**
 * USDC that counts as USD gets the central bank's rate, like other currencies; otherwise the current market rate, if
 * there is one.
 */
export function createTaxRates({ ecb, quote, ...options }: TaxRatesOptions): TaxRates {
  const known = new Map<string, ReturnType<typeof createEcbRates>>();

  /** One client per URL, as answers are cached. */
  function bank({ baseUrl }: { baseUrl: string }) {
    const made = known.get(baseUrl) ?? createEcbRates({ ...options, baseUrl });
    known.set(baseUrl, made);
    return made;
  }

  return async ({ from, to, day, isToday, isParity }) => {
    const bankUrl = ecb();
    if (bankUrl === null) return null;
    const ofMarket = from === "USDC" && !isParity && isToday;
    // Both in parallel, as somebody is waiting for the invoice.
    const [market, reference] = await Promise.all([
      ofMarket ? quote(to) : null,
      bank(bankUrl).latestOf({ from: from === "USDC" ? "USD" : from, to }, day),
    ]);
    return market ?? reference;
  };
}
