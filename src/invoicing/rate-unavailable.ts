/** Nobody could say what 1 USDC costs in a currency. The message is for whoever asked for the invoice. */
export class RateUnavailable extends Error {
  override name = "RateUnavailable";

  constructor(readonly code: string) {
    super(
      `No current rate of USDC in ${code} is to be had. Try again in a minute, or send the rate yourself.`,
    );
  }
}
