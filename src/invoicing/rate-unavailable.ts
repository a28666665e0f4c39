import type * as Currency from "../domain/bill/currency.ts";
import * as RateSource from "../domain/bill/rate/source.ts";

/** No source knew what 1 USDC costs in a currency. The message is for whoever requested the invoice. */
export class RateUnavailable extends Error {
  override name = "RateUnavailable";

  constructor(readonly code: Currency.Code) {
    const isTold = RateSource.names.some((name) => RateSource.urlOf({ name, baseUrl: "" }, code) !== null);
    super(
      isTold
        ? `No current rate of USDC in ${code} is to be had. Try again in a minute, or send the rate yourself.`
        : `No source has a rate of USDC in ${code}. Send the rate yourself.`,
    );
  }
}
