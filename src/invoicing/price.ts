import * as Currency from "../domain/bill/currency.ts";
import type { Amount, Usdc } from "../domain/usdc.ts";
import { RateUnavailable } from "./rate-unavailable.ts";

/** What is billed, and in what; a rate of null is to be asked for. */
type PriceRequest = {
  merchantEmail: string;
  total: Amount;
  currency: { code: Currency.Code; rate: Currency.Rate | null } | null;
};

/** What is to be paid, and how that comes about. */
export type PriceTotal = { total: Usdc; currency: Currency.InvoiceCurrency | null };

/** Throws a RateUnavailable, and an Unpayable. */
export type Pricing = (request: PriceRequest) => Promise<PriceTotal>;

type PriceDeps = {
  /** What 1 USDC costs in a currency now; null when nobody can say. */
  quote: (code: Currency.Code) => Promise<Currency.Quote | null>;
  /** Whether 1 USDC counts as 1 USD, by the rule of this merchant. */
  hasParity: (merchantEmail: string) => boolean;
  now: () => number;
};

export function createPrice({ quote, hasParity, now }: PriceDeps): Pricing {
  const quoteFor = async (merchantEmail: string, code: Currency.Code, rate: Currency.Rate | null) => {
    if (rate !== null) return { rate, source: Currency.byCaller, fetchedAt: now() };
    if (code === "USD" && hasParity(merchantEmail))
      return { rate: "1", source: Currency.byParity, fetchedAt: now() };
    return quote(code);
  };

  return async ({ merchantEmail, total, currency }) => {
    if (currency === null) return { total, currency: null };
    const { code } = currency;
    const quoted = await quoteFor(merchantEmail, code, currency.rate);
    if (quoted === null) throw new RateUnavailable(code);
    const obstacle = Currency.obstacle(total, quoted.rate);
    if (obstacle !== null) throw new Unpayable(`1 USDC = ${quoted.rate} ${code} ${obstacle}`);
    return { total: Currency.toUsdc(total, quoted.rate), currency: { ...quoted, code, total } };
  };
}

/** At the rate of the moment the total is no amount that can be paid. */
export class Unpayable extends Error {
  override readonly name = "Unpayable";
}
