import type * as Currency from "../domain/bill/currency.ts";

/** No source knew what 1 USDC costs in a currency. The message is for whoever requested the invoice. */
export class RateUnavailable extends Error {
  override name = "RateUnavailable";

  constructor(code: Currency.Code) {
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
