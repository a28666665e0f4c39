import { hasCode } from "../chain/account.ts";
import { readTokenBalances } from "../chain/balance.ts";
import { BadAnswer } from "../chain/block.ts";
import { readConfirmed } from "../chain/confirmations.ts";
import { type Rpc, RpcError } from "../chain/rpc.ts";
import { factoryDeployment, settleCall } from "../chain/settle-call.ts";
import { type Receipt, readReceipt } from "../chain/transaction.ts";
import { topicOf, transferTopic } from "../chain/transfer-log.ts";
import type { Address } from "../domain/address.ts";
import type { Deposit } from "../domain/deposit.ts";
import * as DepositAddress from "../domain/deposit-address.ts";
import * as Retry from "../domain/retry.ts";
import * as Usdc from "../domain/usdc.ts";
import { chunks } from "../lib/chunks.ts";
import { counted } from "../lib/english.ts";
import { transact } from "../store/database.ts";
import * as GasTransactionStore from "../store/gas-transaction.ts";
import * as SettlementStore from "../store/settlement.ts";
import { type GasAccount, type Submitted, submit } from "./gas-transaction.ts";
import { type Explained, explain } from "./shortfall.ts";

const { factory } = DepositAddress;

/** What is to be settled, and with which token contract. */
export type SettlementRules = {
  usdc: Address;
  /** Deposits with less stay where they are: moving them would cost more than it is worth. */
  min: Usdc.Usdc;
  /** The most blocks that one eth_getLogs asks for. */
  logRange: number;
  /** Whether to take deposits that failed before, though their time has not come. */
  retry?: boolean;
};

export type Settleable = SettlementStore.Unsettled & {
  /** What is at the address now; more than what is confirmed when a payment has just come. */
  balance: Usdc.Usdc;
};

export type Plan = {
  /** In batches for one transaction each, the oldest deposits first. */
  batches: Settleable[][];
  /** Deposits that are to be settled, but not now: the money is gone and the chain may still bring it back. */
  unclear: number;
  /** What became of money that is not at its address: moved by somebody else, or missing. */
  gone: { deposit: Deposit; explained: Exclude<Explained, { kind: "unclear" }> }[];
};

/** What it takes to look at the chain; no key. */
export type Looking = Pick<GasAccount, "db" | "rpc" | "chainId" | "confirmations" | "now">;

/** So many calls for logs in one go find who moved money; the next plan goes on with it. */
const logCallsMax = 100;

/**
 * Finds what can be settled now: confirmed money that is still at its address. What a stranger has flushed (anybody
 * may; it can only have gone to the payout wallet) is recorded as settled when the chain has its transfer; without one
 * it is missing. Asks the node for nothing when there is nothing to settle. Throws what the node's answers make it
 * throw.
 */
export async function plan({ db, rpc, confirmations, now }: Looking, rules: SettlementRules): Promise<Plan> {
  const due = listDue({ db, now }, rules);
  if (due.length === 0) return { batches: [], unclear: 0, gone: [] };
  const { stateBlock } = await readConfirmed(rpc, confirmations);
  const addresses = due.map(({ address }) => address);
  const [confirmed, latest] = await Promise.all([
    readTokenBalances(rpc, rules.usdc, addresses, stateBlock),
    readTokenBalances(rpc, rules.usdc, addresses, "latest"),
  ]);
  const gone: Plan["gone"] = [];
  const settleable: Settleable[] = [];
  let unclear = 0;
  for (const [at, deposit] of due.entries()) {
    const held = { block: stateBlock, balance: confirmed[at] ?? 0n };
    const booked = deposit.received - deposit.settled;
    let left: bigint = booked;
    // A node that has not got the payment itself cannot tell that it is gone.
    if (held.balance < booked && deposit.lastBlock <= stateBlock) {
      left = held.balance;
      const tracing = { db, rpc, now, usdc: rules.usdc, logRange: rules.logRange };
      const explained = await explain(tracing, deposit.index, held, logCallsMax).catch(
        (thrown): Explained => {
          // What a node does not want to say of one deposit keeps no other waiting.
          if (thrown instanceof RpcError) return { kind: "unclear" };
          throw thrown;
        },
      );
      if (explained.kind === "unclear") {
        unclear += 1;
        continue;
      }
      gone.push({ deposit, explained });
    }
    const balance = Usdc.fromMicro(latest[at] ?? 0n);
    if (left < rules.min) continue;
    if (balance >= rules.min) settleable.push({ ...deposit, balance });
    else unclear += 1;
  }
  return { batches: chunks(settleable, DepositAddress.settlementDepositsMax), unclear, gone };
}

/** Whether there is anything to settle, as far as the database knows. */
export function anyDue(looking: Pick<Looking, "db" | "now">, rules: SettlementRules): boolean {
  return listDue(looking, rules).length > 0;
}

function listDue({ db, now }: Pick<Looking, "db" | "now">, { min, retry = false }: SettlementRules) {
  const latestRetry = now() + Retry.longestPauseMs(Retry.settlementScheduleMs);
  return SettlementStore.listDue(db, { factory, min, now: now(), latestRetry, retry });
}

/**
 * Makes the intent that settles a batch. `superseded` when another process has taken one of its deposits since it
 * was planned: then plan again.
 */
export async function submitBatch(
  gas: GasAccount,
  batch: readonly Settleable[],
  rules: SettlementRules,
): Promise<Submitted> {
  const { db, chainId, now } = gas;
  const total = Usdc.formatExact(Usdc.sum(batch.map(({ balance }) => balance)));
  const reason = `settle ${total} USDC of ${counted(batch.length, "deposit")}`;
  return submit(
    gas,
    { purpose: "settle", chainId, ...settleCall(rules.usdc, batch), reason },
    {
      stillWanted() {
        const due = new Map(listDue(gas, rules).map((deposit) => [deposit.index, deposit.settled]));
        return batch.every(({ index, settled }) => due.get(index) === settled);
      },
      write: ({ id }) => SettlementStore.insertBatch(db, id, batch, now()),
    },
  );
}

export type FactoryState =
  | { kind: "there" }
  /** Its transaction is on its way. */
  | { kind: "coming" }
  | { kind: "missing" }
  /** It was sent for, and still there is none, or this chain has no deterministic deployer. */
  | { kind: "impossible"; reason: string };

/** A deployment that came to nothing is not repeated sooner than this: something else is wrong. */
const redeployAfterMs = 3_600_000;

/** Whether the factory is on the chain, which every settlement goes through. */
export async function factoryState({ db, rpc, chainId, now }: Looking): Promise<FactoryState> {
  if (await hasCode(rpc, factory)) return { kind: "there" };
  const last = GasTransactionStore.latest(db, chainId, "deploy");
  if (last?.state === "pending") return { kind: "coming" };
  if (last && now() - last.createdAt < redeployAfterMs) {
    return {
      kind: "impossible",
      reason: `transaction ${last.txHash} did not create Till's factory at ${factory}`,
    };
  }
  if (await hasCode(rpc, DepositAddress.deployer)) return { kind: "missing" };
  return {
    kind: "impossible",
    reason: `this chain has no deterministic deployer at ${DepositAddress.deployer}`,
  };
}

/** Makes the intent that creates the factory, unless one is on its way. */
export function submitDeployment(gas: GasAccount): Promise<Submitted> {
  const { db, chainId } = gas;
  const before = GasTransactionStore.latest(db, chainId, "deploy")?.id;
  return submit(
    gas,
    { purpose: "deploy", chainId, ...factoryDeployment, reason: "create Till's factory" },
    { stillWanted: () => GasTransactionStore.latest(db, chainId, "deploy")?.id === before },
  );
}

export type Recorded = { deposit: Deposit; txHash: string; result: SettlementStore.Result };

/**
 * Records what the transactions did that have become final, each deposit's amount as the token's Transfer logs say
 * it. Whoever finds them final may record them; it happens once. Throws what the node's answers make it throw.
 */
export async function recordResults(
  { db, rpc, chainId, now }: Looking,
  { usdc }: SettlementRules,
): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  for (const { id, txHash } of SettlementStore.listUnrecorded(db, chainId)) {
    const deposits = SettlementStore.listPending(db, id);
    const receipt = txHash === null ? null : await readReceipt(rpc, txHash);
    if (!receipt) continue;
    const moved = movedBy(rpc, receipt, usdc, deposits);
    const unmoved = deposits.filter(({ index }) => !moved.has(index));
    const left = await readTokenBalances(
      rpc,
      usdc,
      unmoved.map(({ address }) => address),
      "latest",
    );
    const stillThere = new Set(unmoved.filter((_, at) => left[at] !== 0n).map(({ index }) => index));
    transact(db, () => {
      for (const deposit of deposits) {
        const amount = moved.get(deposit.index);
        const result: SettlementStore.Result =
          amount !== undefined
            ? { state: "settled", amount }
            : stillThere.has(deposit.index)
              ? { state: "failed", retryAt: retryAt(SettlementStore.countFailures(db, deposit.index), now()) }
              : { state: "empty" };
        if (SettlementStore.record(db, id, deposit.index, result)) {
          recorded.push({ deposit, txHash: receipt.txHash, result });
        }
      }
    });
  }
  return recorded;
}

/** What each deposit paid to its payout wallet in a transaction, by deposit index. */
function movedBy(
  rpc: Rpc,
  { logs }: Receipt,
  usdc: Address,
  deposits: readonly Deposit[],
): Map<number, Usdc.Usdc> {
  const bySender = new Map(deposits.map((deposit) => [topicOf(deposit.address), deposit]));
  const moved = new Map<number, Usdc.Usdc>();
  for (const { address, topics, data } of logs) {
    const [event, from = "", to = ""] = topics.map((topic) => topic.toLowerCase());
    if (address.toLowerCase() !== usdc.toLowerCase() || event !== transferTopic) continue;
    const deposit = bySender.get(from);
    if (!deposit || to !== topicOf(deposit.payoutWallet)) continue;
    if (!/^0x[0-9a-f]{64}$/i.test(data)) throw new BadAnswer(rpc.host, "a transfer without an amount");
    const amount = Usdc.fromMicro((moved.get(deposit.index) ?? 0n) + BigInt(data));
    if (amount > 0n) moved.set(deposit.index, amount);
  }
  return moved;
}

function retryAt(failuresBefore: number, now: number): number {
  const attempt = Math.min(failuresBefore + 1, Retry.settlementScheduleMs.length);
  const at = Retry.nextAttemptAt(Retry.settlementScheduleMs, { attempt, now, random: 0.5 });
  if (at === null) throw new Error("The schedule of settlements is empty");
  return at;
}
