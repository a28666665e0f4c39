import type * as Currency from "../domain/bill/currency.ts";
import { createEcbRates, type EcbOptions } from "./past.ts";

type TaxRatesOptions = Omit<EcbOptions, "baseUrl"> & {
  /** Where the central bank is asked, read each time; null: nowhere. */
  ecb: () => { baseUrl: string } | null;
  /** What 1 USDC costs now; null when nobody can say. */
  quote: (code: Currency.Code) => Promise<Currency.Quote | null>;
};

/** Of an amount in USDC as of one in a currency; `at` in Unix milliseconds. */
type Wanted = { from: Currency.Code; to: Currency.Code; at: number };

/**
 * What 1 of an invoice's currency costs in that of the seller's country at a time, for its tax; null when nobody can say.
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

  return async ({ from, to, at, isParity }) => {
    const asked = ecb();
    if (asked === null) return null;
    const isToday = Math.abs(options.now() - at) < dayMs;
    const market = from === "USDC" && !isParity && isToday ? await quote(to) : null;
    return market ?? bank(asked).latestOf({ from: from === "USDC" ? "USD" : from, to }, at);
  };
}

const dayMs = 86_400_000;
