import { type Call, factoryDeployment, settleCall } from "../chain/settle-call.ts";
import { messageOf } from "../lib/error.ts";
import * as GasTransactionStore from "../store/gas-transaction.ts";
import * as SettlementStore from "../store/settlement.ts";
import { describeShortage, type GasAccount, obstacleOf, quote, waitFor } from "./gas-transaction.ts";
import * as Settlement from "./settlement.ts";

/** What there is to settle, and the transactions that do it, in order. Anybody can send them, from any account. */
export type Prepared = { plan: Settlement.Plan; factory: Settlement.FactoryState; calls: Call[] };

/** Looks at what there is to settle. Throws what the node's answers make it throw. */
export async function prepare(
  looking: Settlement.Looking,
  rules: Settlement.SettlementRules,
): Promise<Prepared> {
  const plan = await Settlement.plan(looking, rules);
  const factory: Settlement.FactoryState =
    plan.batches.length === 0 ? { kind: "there" } : await Settlement.factoryState(looking);
  const settlements = plan.batches.map((batch) => settleCall(rules.usdc, batch));
  const calls = factory.kind === "missing" ? [factoryDeployment, ...settlements] : settlements;
  return { plan, factory, calls };
}

/** What a settlement would do and cost, now and at most; amounts of ETH in wei. */
export type Prospect = Prepared & {
  gasLimit: bigint;
  cost: bigint;
  costMax: bigint;
  balance: bigint;
  /** Why it cannot begin, as a sentence; null when it can. */
  obstacle: string | null;
};

/** Looks at what there is to settle, and what it takes. Throws what the node's answers make it throw. */
export async function prospect(gas: GasAccount, rules: Settlement.SettlementRules): Promise<Prospect> {
  const prepared = await prepare(gas, rules);
  const { factory, calls } = prepared;
  const { cost, costMax, balance, shortage } = await quote(gas, gas.wallet.gasAddress, calls);
  const gasLimit = calls.reduce((sum, call) => sum + call.gasLimit, 0n);
  const obstacle =
    factory.kind === "impossible"
      ? `Nothing can be settled: ${factory.reason}.`
      : shortage && calls.length > 0
        ? describeShortage(shortage)
        : null;
  return { ...prepared, gasLimit, cost, costMax, balance, obstacle };
}

export type TransactionResult = {
  txHash: string | null;
  deposits: SettlementStore.RecordedResult[];
};

/** What was done, and why it did not go on; null when it was done to the end. */
export type SettledNow = { transactions: TransactionResult[]; obstacle: string | null };

/**
 * Settles a plan with the gas account and waits for the results, beside a running server or without one: a batch that
 * the server took first is left to it. What was begun is brought to its end by the server or the next call.
 */
export async function settleNow(
  gas: GasAccount,
  rules: Settlement.SettlementRules,
  { plan, factory }: Pick<Prospect, "plan" | "factory">,
  signal?: AbortSignal,
): Promise<SettledNow> {
  const begun: number[] = [];
  let obstacle: string | null = null;
  try {
    if (factory.kind !== "there") obstacle = await createFactory(gas, signal);
    for (const batch of obstacle === null ? plan.batches : []) {
      const submitted = await Settlement.submitBatch(gas, batch, rules);
      obstacle = obstacleOf(submitted);
      if (obstacle !== null) break;
      if (submitted.kind === "submitted") begun.push(submitted.transaction.id);
    }
    for (const id of begun) obstacle = (await finished(gas, id, signal)) ?? obstacle;
    await Settlement.recordResults(gas, rules);
  } catch (thrown) {
    obstacle = messageOf(thrown);
  }
  const transactions = begun.map((id) => ({
    txHash: GasTransactionStore.byId(gas.db, id)?.txHash ?? null,
    deposits: SettlementStore.listResults(gas.db, id),
  }));
  return { transactions, obstacle };
}

/** Brings to its end what earlier runs or the server began. Returns why that is not possible; null when it is done. */
export async function finishPending(
  gas: GasAccount,
  rules: Settlement.SettlementRules,
  signal?: AbortSignal,
): Promise<string | null> {
  const last = GasTransactionStore.listPending(gas.db, gas.chainId).at(-1);
  const obstacle = last ? await finished(gas, last.id, signal) : null;
  await Settlement.recordResults(gas, rules);
  return obstacle;
}

async function createFactory(gas: GasAccount, signal?: AbortSignal): Promise<string | null> {
  const state = await Settlement.factoryState(gas);
  if (state.kind === "there") return null;
  if (state.kind === "impossible") return state.reason;
  const obstacle = state.kind === "missing" ? obstacleOf(await Settlement.submitDeployment(gas)) : null;
  if (obstacle !== null) return obstacle;
  const deployment = GasTransactionStore.latest(gas.db, gas.chainId, "deploy");
  return deployment && (await finished(gas, deployment.id, signal));
}

async function finished(gas: GasAccount, id: number, signal?: AbortSignal): Promise<string | null> {
  const progress = await waitFor(gas, id, signal);
  if (progress.kind === "final") return null;
  return obstacleOf(progress) ?? "A transaction is on its way and not confirmed yet.";
}
