import type { Call } from "../chain/contract/settle-call.ts";
import { messageOf } from "../lib/error.ts";
import * as GasTransactionStore from "../store/tables/settle/gas-transaction.ts";
import * as SettlementStore from "../store/tables/settle/settlement.ts";
import { withFactory } from "./factory.ts";
import { type GasAccount, type GasQuote, quote } from "./gas-account.ts";
import { finish, run } from "./run.ts";
import * as Settlement from "./settlement.ts";

/** A settlement plan with its transactions in order. Any account can send them. */
type Preparation = { plan: Settlement.SettlementPlan; calls: Call[] };

/** Finds what can be settled. Throws a NoFactory, and when the node fails or answers nonsense. */
export async function prepare(
  looking: Settlement.ChainView,
  rules: Settlement.SettlementRules,
): Promise<Preparation> {
  const plan = await Settlement.plan(looking, rules);
  const settlements = plan.batches.map((batch) => Settlement.callOf(batch, rules));
  return { plan, calls: await withFactory(looking, settlements) };
}

/** A preparation and its cost. */
export type Prospect = Preparation & { fee: GasQuote };

/** Finds what can be settled, and what that costs. */
export async function prospect(gas: GasAccount, rules: Settlement.SettlementRules): Promise<Prospect> {
  const prepared = await prepare(gas, rules);
  return { ...prepared, fee: await quote(gas, prepared.calls) };
}

type TransactionResult = {
  txHash: string | null;
  deposits: SettlementStore.RecordedResult[];
};

/** The transactions made; `obstacle` says why it stopped, null if everything was done. */
export type SettleResult = { transactions: TransactionResult[]; obstacle: string | null };

/**
 * Settles a plan with the gas account and waits for the results, with or without a running server: leaves alone any
 * batch that the server took first. The server or the next call finishes what was begun.
 */
export async function settleNow(
  gas: GasAccount,
  rules: Settlement.SettlementRules,
  { batches }: Settlement.SettlementPlan,
  signal?: AbortSignal,
): Promise<SettleResult> {
  const jobs = batches.map((batch) => Settlement.jobOf(gas, batch, rules));
  let { transactions, obstacle } = await run(gas, jobs, signal);
  try {
    obstacle ??= await Settlement.recordResults(gas, rules);
  } catch (thrown) {
    obstacle ??= messageOf(thrown);
  }
  const results = transactions.map(({ id, txHash }) => ({
    txHash,
    deposits: SettlementStore.listResults(gas.db, id),
  }));
  return { transactions: results, obstacle };
}

/** Finishes what earlier runs or the server began. Returns why that is impossible; null once it is done. */
export async function finishPending(
  gas: GasAccount,
  rules: Settlement.SettlementRules,
  signal?: AbortSignal,
): Promise<string | null> {
  const pending = GasTransactionStore.listPending(gas.db, gas.chainId);
  // A payer's signed payment may wait for lower fees until something of the merchant's is behind it.
  const last = pending.findLast(({ purpose }) => purpose !== "relay");
  const obstacle = last ? await finish(gas, last.id, signal) : null;
  const unread = await Settlement.recordResults(gas, rules);
  return obstacle ?? unread;
}
