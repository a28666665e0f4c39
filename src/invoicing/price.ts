import * as Currency from "../domain/bill/currency.ts";
import * as RateSource from "../domain/bill/rate/source.ts";
import * as Usdc from "../domain/usdc.ts";
import { invalid, type Outcome, refused } from "./outcome.ts";

/** The amount billed, and its currency. */
type PriceRequest = {
  merchantEmail: string;
  billed: Usdc.Billed;
  currency: Currency.Asked | null;
};

/** The amount to pay, and how it was calculated. */
export type PriceTotal = { total: Usdc.Usdc; currency: Currency.InvoiceCurrency | null };

/** Throws a RateUnavailable, a RateMissing, and an Unpayable. */
export type Pricing = (request: PriceRequest) => Promise<PriceTotal>;

type PriceDeps = {
  /** The current price of 1 USDC in a currency; null when unavailable. */
  quote: (code: Currency.Code) => Promise<Currency.Quote | null>;
  /** Those it asks. */
  sources: readonly RateSource.SourceEndpoint[];
  /** Whether this merchant counts 1 USDC as 1 USD. */
  hasParity: (merchantEmail: string) => boolean;
  now: () => number;
};

export function createPrice({ quote, sources, hasParity, now }: PriceDeps): Pricing {
  const quoteFor = async (merchantEmail: string, code: Currency.Code, rate: Currency.Rate | null) => {
    if (rate !== null) return { rate, source: Currency.byCaller, fetchedAt: now() };
    if (code === "USD" && hasParity(merchantEmail))
      return { rate: "1", source: Currency.byParity, fetchedAt: now() };
    if (sources.every((source) => RateSource.urlOf(source, code) === null)) throw new RateMissing(code);
    return quote(code);
  };

  return async ({ merchantEmail, billed: total, currency }) => {
    if (currency === null) return { total: Usdc.asUsdc(total), currency: null };
    const { code } = currency;
    const quoted = await quoteFor(merchantEmail, code, currency.rate);
    if (quoted === null) throw new RateUnavailable(code);
    const obstacle = Currency.obstacle(total, quoted.rate);
    if (obstacle !== null) throw new Unpayable(`1 USDC = ${quoted.rate} ${code} ${obstacle}`);
    return { total: Currency.toUsdc(total, quoted.rate), currency: { ...quoted, code, total } };
  };
}

/** Runs `make`; no rate is a refusal, and an amount that cannot be paid at the rate is a fault of `field`. */
export async function payable<T>(make: () => Promise<Outcome<T>>, field: string): Promise<Outcome<T>> {
  try {
    return await make();
  } catch (thrown) {
    if (thrown instanceof RateUnavailable) return refused({ kind: "rate_unavailable", code: thrown.code });
    if (thrown instanceof RateMissing) return invalid([{ field: "rate", message: thrown.message }]);
    if (thrown instanceof Unpayable) return invalid([{ field, message: thrown.message }]);
    throw thrown;
  }
}

/** At the current rate the total is not a payable amount. */
export class Unpayable extends Error {
  override readonly name = "Unpayable";
}

/** No source knew what 1 USDC costs in a currency. The message is for whoever requested the invoice. */
export class RateUnavailable extends Error {
  override name = "RateUnavailable";

  constructor(readonly code: Currency.Code) {
    super(
      `No current rate of USDC in ${code} is to be had. Try again in a minute, or send the rate yourself.`,
    );
  }
}

/** No source tells of a currency at all, so it is of no use to ask again. The message follows the name of the field. */
export class RateMissing extends Error {
  override name = "RateMissing";

  constructor(code: Currency.Code) {
    super(`is required: no source has a rate of USDC in ${code}`);
  }
}
