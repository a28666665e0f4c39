import type { Authorization } from "../../chain/contract/authorization.ts";
import type { RelayRules } from "../../config/config.ts";
import type { Payable } from "../../domain/payment/relay.ts";
import * as GasTransactionStore from "../../store/tables/settle/gas-transaction.ts";
import * as RelayStore from "../../store/tables/settle/relay.ts";
import { type GasAccount, type GasQuote, quote } from "../gas-account.ts";
import type { RefusalCode } from "./refusal.ts";

/**
 * Gas for a payer with a key; it takes 103,000 behind Circle's proxy, to an address that has no USDC. What is above is
 * for tokens that change.
 */
export const keyGas = 160_000n;

/** A signature of 65 bytes in the call, for the fee of its data. */
const relayBytes = 4 + 32 * 11;
const sample = { gasLimit: keyGas, data: `0x${"00".repeat(relayBytes)}` as const };

const dayMs = 24 * 3_600_000;
export const hourMs = 3_600_000;

/** What it takes to carry out one more relay, as a node told. */
export type RelayQuote = GasQuote & {
  /** What `cost` is of. */
  gasLimit: bigint;
  /** Unix time in milliseconds. */
  readAt: number;
};

/** Throws when the node fails or answers nonsense. */
export async function readMeans(gas: GasAccount, call = sample): Promise<RelayQuote> {
  return { ...(await quote(gas, [call])), gasLimit: call.gasLimit, readAt: gas.now() };
}

/** Why no relay can be paid for just now; null when one can. */
export function meansRefusal(
  { db, chainId, now }: Pick<GasAccount, "db" | "chainId" | "now">,
  rules: RelayRules,
  { baseFee, shortage, cost, gasLimit, left }: RelayQuote,
): RefusalCode | null {
  if (baseFee > rules.feeMax) return "fees";
  if (shortage !== null || left < rules.reserve) return "reserve";
  const { wei, pendingGas } = GasTransactionStore.relaysSpent(db, chainId, now() - dayMs);
  return wei + (cost * (gasLimit + pendingGas)) / gasLimit > rules.budget ? "budget" : null;
}

/** What makes sense to sign for at all, of whoever signs. */
export type TransferTerms = Pick<
  Authorization,
  "from" | "to" | "amount" | "validAfterSec" | "validBeforeSec" | "nonce"
>;

/** A relay may take some seconds; of a longer life nobody has more than that it can be used by surprise. */
const lifeSec = { min: 6, max: 3_600 };

/** Why an authorisation does not fit what is asked for, whatever the time; null when it does. */
export function termsRefusal(
  { deposit, demand }: Payable,
  auth: TransferTerms,
  min: bigint,
): RefusalCode | null {
  if (demand.kind !== "open") return "closed";
  if (auth.to !== deposit.address) return "receiver";
  if (auth.amount !== demand.amount) return "amount";
  return demand.amount < min ? "minimum" : null;
}

/** Why it is not the time for an authorisation; null when it is. `nowSec` is the chain's time, or Till's where that is ahead. */
export function timeRefusal(
  { validAfterSec, validBeforeSec }: Pick<TransferTerms, "validAfterSec" | "validBeforeSec">,
  nowSec: number,
): RefusalCode | null {
  if (validAfterSec >= nowSec) return "early";
  if (validBeforeSec < nowSec + lifeSec.min) return "late";
  return validBeforeSec > nowSec + lifeSec.max ? "long" : null;
}

/**
 * Why a payer, or payers to a deposit, have to wait; null when they need not. What is on its way may fail, too, and one
 * transaction of a payer can make all of it fail at once: it is no more than what may fail in an hour.
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
