import type { Config } from "../config/config.ts";
import * as Currency from "../domain/bill/currency.ts";
import * as RateSource from "../domain/bill/rate/source.ts";
import * as Usdc from "../domain/usdc.ts";
import { sayWhy, type Why, why } from "../language/faults.ts";
import { invalid, type Outcome, refused } from "./outcome.ts";

/** The amount billed, and its currency. */
type PriceRequest = {
  merchantEmail: string;
  billed: Usdc.Billed;
  currency: Currency.RequestedCurrency | null;
};

/** The amount to pay, and how it was calculated. */
export type PriceTotal = { total: Usdc.Usdc; currency: Currency.InvoiceCurrency | null };

/** Throws a RateUnavailable or an Unpriceable. */
export type Pricing = (request: PriceRequest) => Promise<PriceTotal>;

type PriceDeps = {
  /** Returns the current price of 1 USDC in a currency; null if unavailable. */
  quote: (code: Currency.Code) => Promise<Currency.Quote | null>;
  /** `rates` are the sources that `quote` asks. */
  config: Pick<Config, "rates">;
  /** Returns whether this merchant counts 1 USDC as 1 USD. */
  hasParity: (merchantEmail: string) => boolean;
  now: () => number;
};

export function createPrice({ quote, hasParity, now, config }: PriceDeps): Pricing {
  const quoteFor = async (merchantEmail: string, code: Currency.Code, rate: Currency.Rate | null) => {
    if (rate !== null) return { rate, source: Currency.byCaller, fetchedAt: now() };
    if (code === "USD" && hasParity(merchantEmail))
      return { rate: "1", source: Currency.byParity, fetchedAt: now() };
    if (config.rates.every((source) => RateSource.urlOf(source, code) === null))
      throw new Unpriceable(why("rate_missing", { currency: code }));
    return quote(code);
  };

  return async ({ merchantEmail, billed: total, currency }) => {
    if (currency === null) return { total: Usdc.asUsdc(total), currency: null };
    const { code } = currency;
    const quoted = await quoteFor(merchantEmail, code, currency.rate);
    if (quoted === null) throw new RateUnavailable(code);
    const fault = Currency.rateFault(total, quoted.rate);
    const at = { rate: quoted.rate, currency: code };
    if (fault?.code === "rate_high") throw new Unpriceable(why("quoted_high", at));
    if (fault?.code === "rate_low") throw new Unpriceable(why("quoted_low", { ...at, ...fault.values }));
    return { total: Currency.toUsdc(total, quoted.rate), currency: { ...quoted, code, total } };
  };
}

/**
 * Runs `make`; a missing rate becomes a refusal, and an amount that cannot be paid at the rate a fault of the field
 * named by `fieldOf`.
 */
export async function payable<T>(
  make: () => Promise<Outcome<T>>,
  fieldOf: (code: Why["code"]) => string,
): Promise<Outcome<T>> {
  try {
    return await make();
  } catch (thrown) {
    if (thrown instanceof RateUnavailable) return refused({ kind: "rate_unavailable", code: thrown.code });
    if (thrown instanceof Unpriceable)
      return invalid([
        { field: thrown.why.code === "rate_missing" ? "rate" : fieldOf(thrown.why.code), ...thrown.why },
      ]);
    throw thrown;
  }
}

/**
 * No source has this currency at all, or the total is not a payable amount at the current rate: a fault of the request.
 */
export class Unpriceable extends Error {
  override readonly name = "Unpriceable";

  constructor(readonly why: Why) {
    super(sayWhy(why));
  }
}

/** No source knew the price of 1 USDC in a currency. The message is for whoever requested the invoice. */
export class RateUnavailable extends Error {
  override name = "RateUnavailable";

  constructor(readonly code: Currency.Code) {
    super(
      `No current rate of USDC in ${code} is to be had. Try again in a minute, or send the rate yourself.`,
    );
  }
}
