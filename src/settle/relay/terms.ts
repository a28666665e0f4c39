import type { Authorization } from "../../chain/contract/authorization.ts";
import type { RelayRules } from "../../config/config.ts";
import type { Payable } from "../../domain/payment/relay.ts";
import * as RelayStore from "../../store/tables/settle/relay.ts";
import { type GasAccount, type GasQuote, quote } from "../gas-account.ts";
import { spending } from "./budget.ts";
import type { RefusalCode } from "./refusal.ts";

/** Gas for a payer with a key: 103,000 behind Circle's proxy to a new address; the rest is for token upgrades. */
export const keyGas = 160_000n;

/** The call data with a signature of 65 bytes, for its data fee. */
const relayBytes = 4 + 32 * 11;
const sample = { gasLimit: keyGas, data: `0x${"00".repeat(relayBytes)}` as const };

export const hourMs = 3_600_000;

/** The cost of one more relay, as read from a node. */
export type RelayQuote = GasQuote & {
  /** The gas limit that `cost` assumes. */
  gasLimit: bigint;
  /** Unix time in milliseconds. */
  readAt: number;
};

/** Throws when the node fails or answers nonsense. */
export async function readMeans(gas: GasAccount, call = sample): Promise<RelayQuote> {
  return { ...(await quote(gas, [call])), gasLimit: call.gasLimit, readAt: gas.now() };
}

/** Returns why no relay can be paid for now; null if one can. */
export function meansRefusal(
  { db, chainId, now }: Pick<GasAccount, "db" | "chainId" | "now">,
  rules: RelayRules,
  { baseFee, shortage, cost, gasLimit, left }: RelayQuote,
): RefusalCode | null {
  if (baseFee > rules.feeMax) return "fees";
  if (shortage !== null || left < rules.reserve) return "reserve";
  // Pending ones may have to offer as much.
  const fee = cost / gasLimit;
  return cost + spending({ db, chainId, now }, fee, { least: fee }) > rules.budget ? "budget" : null;
}

/** The terms that a signature must match, whoever signs. */
export type TransferTerms = Pick<
  Authorization,
  "from" | "to" | "amount" | "validAfterSec" | "validBeforeSec" | "nonce"
>;

/** A relay takes some seconds; a longer life only lets it be used by surprise. */
const lifeSec = { min: 6, max: 3_600 };

/** Returns why an authorisation does not match what is due, regardless of time; null if it does. */
export function termsRefusal(
  { deposit, demand }: Payable,
  auth: TransferTerms,
  min: bigint,
): RefusalCode | null {
  if (demand.kind === "crossing") return "busy";
  if (demand.kind !== "open") return demand.kind === "unpriced" ? "unpriced" : "closed";
  if (auth.to !== deposit.address) return "receiver";
  if (auth.amount !== demand.amount) return "amount";
  return demand.amount < min ? "minimum" : null;
}

/**
 * Returns why an authorisation is early, late or valid for too long; null if it is none of these. `nowSec` is the
 * chain's time, or Till's if that is ahead.
 */
export function timeRefusal(
  { validAfterSec, validBeforeSec }: Pick<TransferTerms, "validAfterSec" | "validBeforeSec">,
  nowSec: number,
): RefusalCode | null {
  if (validAfterSec >= nowSec) return "early";
  if (validBeforeSec < nowSec + lifeSec.min) return "late";
  return validBeforeSec > nowSec + lifeSec.max ? "long" : null;
}

/**
 * Returns why a payer, or anybody paying a deposit, must wait; null if they need not. Pending relays may fail too, and
 * one transaction of a payer can make them all fail at once, so their number is capped like failures per hour.
 */
export function failuresRefusal(
  { db, now }: Pick<GasAccount, "db" | "now">,
  { failuresMax }: RelayRules,
  of: { payer: Authorization["from"]; depositIndex: number },
): RefusalCode | null {
  const { ofPayer, toDeposit } = RelayStore.failures(db, of, now() - hourMs);
  if (Math.max(ofPayer, toDeposit) >= failuresMax) return "failures";
  return ofPayer + RelayStore.onTheWay(db, of.payer).count >= failuresMax ? "queue" : null;
}
