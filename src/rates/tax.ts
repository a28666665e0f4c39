import type * as Currency from "../domain/bill/currency.ts";
import { createEcbRates, type EcbOptions } from "./past.ts";

type TaxRatesOptions = Omit<EcbOptions, "baseUrl"> & {
  /** Where the central bank is asked, read each time; null: nowhere. */
  ecb: () => { baseUrl: string } | null;
  /** What 1 USDC costs now; null when nobody can say. */
  quote: (code: Currency.Code) => Promise<Currency.Quote | null>;
};

/** Of an amount in USDC as of one in a currency; `day` is the merchant's, `YYYY-MM-DD`. */
type Wanted = { from: Currency.Code; to: Currency.Code; day: string; isToday: boolean };

/**
 * What 1 of an invoice's currency costs in that of the seller's country on a day, for its tax; null when nobody can say.
 * Never throws.
 */
export type TaxRates = (wanted: Wanted & { isParity: boolean }) => Promise<Currency.Quote | null>;

/** USDC that counts as USD has the central bank's rate, as other currencies; else the market's now, where there is one. */
export function createTaxRates({ ecb, quote, ...options }: TaxRatesOptions): TaxRates {
  const known = new Map<string, ReturnType<typeof createEcbRates>>();

  /** By its address, as what it said is kept. */
  function bank({ baseUrl }: { baseUrl: string }) {
    const made = known.get(baseUrl) ?? createEcbRates({ ...options, baseUrl });
    known.set(baseUrl, made);
    return made;
  }

  return async ({ from, to, day, isToday, isParity }) => {
    const asked = ecb();
    if (asked === null) return null;
    const ofMarket = from === "USDC" && !isParity && isToday;
    // Both at once: somebody waits for the invoice.
    const [market, reference] = await Promise.all([
      ofMarket ? quote(to) : null,
      bank(asked).latestOf({ from: from === "USDC" ? "USD" : from, to }, day),
    ]);
    return market ?? reference;
  };
}
