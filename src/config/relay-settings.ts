import * as Usdc from "../domain/usdc.ts";
import { decimal, integer, oneOf } from "./parse.ts";

const etherRow = { parse: decimal(18), wants: "an amount of ETH, such as 0.002" };

/** Of payments by a signature: whether Till pays their network fee, and the limits of that. */
export const relaySettings = {
  RELAY: {
    default: "auto",
    meaning:
      "whether payers can pay by a signature, without ETH: Till's gas account pays the network fee; `off`: never",
    parse: oneOf(["auto", "off"]),
    wants: '"auto" or "off"',
  },
  RELAY_MIN: {
    default: "0.05",
    meaning: "the least USDC that is paid by a signature",
    parse: (text: string) => Usdc.parse(text) || undefined,
    wants: "an amount of USDC from 0.01, such as 0.05",
  },
  RELAY_FEE_MAX: {
    default: "0.1",
    otherwise: "0.1; on anvil 20",
    meaning:
      "nobody pays by a signature while the base fee is above so many gwei; what is on its way offers at most twice as much",
    parse: decimal(9),
    wants: "a number of gwei, such as 0.1",
  },
  RELAY_GAS_MAX: {
    default: 400_000,
    meaning: "the most gas for a payment by the signature of a smart wallet",
    parse: integer(160_000, 5_000_000),
    wants: "a number from 160000 to 5000000",
  },
  RELAY_BUDGET: {
    default: "0.002",
    otherwise: "0.002; on anvil 1",
    meaning: "the most ETH that is spent in 24 hours on fees of payers",
    ...etherRow,
  },
  RELAY_RESERVE: {
    default: "0.0001",
    meaning: "ETH of the gas account that is kept for settlements",
    ...etherRow,
  },
  RELAY_FAILURES: {
    default: 3,
    meaning:
      "after so many payments by a signature that were sent and failed, one payer, one address to pay and one client each wait for an hour; so many of one payer are on their way at once",
    parse: integer(1, 1000),
    wants: "a number from 1 to 1000",
  },
} as const;
