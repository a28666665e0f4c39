import * as Usdc from "../../domain/usdc.ts";
import { decimal, numberFrom, oneOf } from "../parse.ts";

const etherRow = { parse: decimal(18), wants: "an amount of ETH, such as 0.002" };

/** Signed payments: whether Till pays their network fee, and the limits. */
export const relaySettings = {
  RELAY: {
    default: "auto",
    meaning:
      "let customers pay by a signature, without ETH: the gas account pays the network fee; `off`: never",
    ...oneOf(["auto", "off"]),
  },
  RELAY_MIN: {
    default: "0.05",
    meaning: "the smallest amount of USDC that can be paid by a signature",
    parse: (text: string) => Usdc.parse(text) || undefined,
    wants: "an amount of USDC from 0.01, such as 0.05",
  },
  RELAY_FEE_MAX: {
    default: "0.1",
    otherwise: "0.1; on anvil 20",
    meaning:
      "the base fee in gwei above which nobody can pay by a signature; payments already on their way offer at most twice this, unless a settlement or a withdrawal waits behind them",
    parse: decimal(9),
    wants: "a number of gwei, such as 0.1",
  },
  RELAY_GAS_MAX: {
    default: 400_000,
    meaning:
      "the most gas for a payment by a smart wallet's signature; twice as much for one that is yet to be put on the chain",
    ...numberFrom(160_000, 5_000_000),
  },
  RELAY_BUDGET: {
    default: "0.002",
    otherwise: "0.002; on anvil 1",
    meaning: "the most ETH to spend on customers' fees in 24 hours",
    ...etherRow,
  },
  RELAY_RESERVE: {
    default: "0.0001",
    meaning: "ETH in the gas account to keep for settlements",
    ...etherRow,
  },
  RELAY_FAILURES: {
    default: 3,
    meaning:
      "after this many failed payments by a signature, that payer, deposit address or client waits for an hour; also the most that one payer or client can have on their way at once",
    ...numberFrom(1, 1000),
  },
} as const;
