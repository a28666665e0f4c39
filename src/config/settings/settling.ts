import * as Usdc from "../../domain/usdc.ts";
import { oneOf } from "../parse.ts";

/** More than any exchange deducts, so that nobody asks for less by a slip. */
const toleranceMax = Usdc.fromMicro(10_000_000n);

/** Moving confirmed money, and how much may be missing from a payment. */
export const settlingSettings = {
  SETTLE: {
    default: "auto",
    meaning: "`manual`: the server does not settle; run `till settle`",
    ...oneOf(["auto", "manual"]),
  },
  // Settling costs a cent or less on most days of Base, and much more on a few.
  SETTLE_MIN: {
    default: "1.00",
    meaning: "do not settle deposits with less USDC than this",
    parse: (text: string) => Usdc.parse(text) || undefined,
    wants: "an amount of USDC from 0.01, such as 1.00",
  },
  TOLERANCE: {
    page: "rates",
    default: "0.00",
    meaning:
      "accept a payment that is short by at most this much USDC, up to 10.00, and at most a tenth of what is due (exchanges deduct their fee); applies to new invoices and links",
    parse: (text: string) => {
      const amount = Usdc.parse(text);
      return amount !== null && amount <= toleranceMax ? amount : undefined;
    },
    wants: `an amount of USDC up to ${Usdc.format(toleranceMax)}, such as 0.50`,
  },
} as const;
