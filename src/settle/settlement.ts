import { readReceipt, type TransactionReceipt } from "../chain/account/transaction.ts";
import { readBalances } from "../chain/contract/balance.ts";
import { type Call, settleCall } from "../chain/contract/settle-call.ts";
import { readConfirmed } from "../chain/node/confirmations.ts";
import type { Rpc } from "../chain/node/rpc.ts";
import { amountOf, topicOf, transferTopic } from "../chain/transfer/transfer-log.ts";
import * as Retry from "../domain/event/retry.ts";
import type { Deposit } from "../domain/payment/deposit.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Address } from "../domain/wallet/address.ts";
import * as DepositAddress from "../domain/wallet/deposit-address.ts";
import { chunks } from "../lib/loop.ts";
import { counted } from "../lib/text/english.ts";
import { transact } from "../store/database.ts";
import * as SettlementStore from "../store/tables/settle/settlement.ts";
import * as UnsettledStore from "../store/tables/settle/unsettled.ts";
import * as BalanceStore from "../store/tables/watch/balance.ts";
import type { GasAccount } from "./gas-account.ts";
import { type Job, reopenLost } from "./gas-transaction.ts";

const { factory } = DepositAddress;

/** The deposits to settle, and the token's contract. */
export type SettlementRules = {
  usdc: Address;
  /** Smaller deposits stay put, as moving them costs more than it is worth. */
  min: Usdc.Usdc;
  /** Also take deposits that failed before and are not due yet. */
  retry?: boolean;
};

export type SettleableDeposit = UnsettledStore.UnsettledDeposit & {
  /** The balance at the address now; more than is confirmed if a payment has just arrived. */
  balance: Usdc.Usdc;
};

export type SettlementPlan = {
  /** Each batch is one transaction, oldest deposits first. */
  batches: SettleableDeposit[][];
  /** Deposits that should be settled but hold less than the books say; the server investigates. */
  unclear: number;
};

/** Everything needed to read the chain, without a key. */
export type ChainView = Pick<GasAccount, "db" | "rpc" | "chainId" | "confirmations" | "now">;

/**
 * Finds what can be settled now: confirmed money still at its address. Where there is less, the watcher is made to
 * compare the address with the books at once, as a stranger may have flushed it. Does not call the node if there is
 * nothing to settle. Throws when the node fails or answers nonsense.
 */
export async function plan(
  { db, rpc, confirmations, now }: ChainView,
  rules: SettlementRules,
): Promise<SettlementPlan> {
  const due = listDue({ db, now }, rules);
  if (due.length === 0) return { batches: [], unclear: 0 };
  const { stateBlock } = await readConfirmed(rpc, confirmations);
  const addresses = due.map(({ address }) => address);
  const [confirmed, latest] = await Promise.all([
    readBalances(rpc, rules.usdc, addresses, stateBlock),
    readBalances(rpc, rules.usdc, addresses, "latest"),
  ]);
  const settleable: SettleableDeposit[] = [];
  const short: number[] = [];
  for (const [at, deposit] of due.entries()) {
    const balance = latest[at] ?? Usdc.zero;
    // A node that does not have the payment itself cannot tell that the money is gone.
    const isShort = (confirmed[at] ?? 0n) < deposit.toMove && deposit.lastBlock <= stateBlock;
    if (isShort) short.push(deposit.index);
    else if (balance >= rules.min) settleable.push({ ...deposit, balance });
  }
  transact(db, () => {
    for (const index of short) BalanceStore.compareAt(db, index, now());
  });
  const unclear = due.length - settleable.length;
  return { batches: chunks(settleable, DepositAddress.settlementDepositsMax), unclear };
}

/** Returns whether there is anything to settle, as far as the database knows. */
export function anyDue(looking: Pick<ChainView, "db" | "now">, rules: SettlementRules): boolean {
  return listDue(looking, rules).length > 0;
}

function listDue({ db, now }: Pick<ChainView, "db" | "now">, { min, retry = false }: SettlementRules) {
  const latestRetry = now() + Math.max(...Retry.longestPausesMs(Retry.settlementScheduleMs));
  return UnsettledStore.listDue(db, { factory, min, now: now(), latestRetry, retry });
}

/** The transaction that settles a batch. */
export function callOf(batch: readonly SettleableDeposit[], { usdc }: SettlementRules): Call {
  return settleCall(usdc, batch);
}

/** A batch as a job. Dropped if another process takes one of its deposits first. */
export function jobOf(
  { db, now }: Pick<GasAccount, "db" | "now">,
  batch: readonly SettleableDeposit[],
  rules: SettlementRules,
): Job {
  const total = Usdc.formatExact(Usdc.sum(batch.map(({ balance }) => balance)));
  return {
    ...callOf(batch, rules),
    purpose: "settle",
    reason: `settle ${total} USDC of ${counted(batch.length, "deposit")}`,
    stillWanted() {
      const due = new Map(listDue({ db, now }, rules).map((deposit) => [deposit.index, deposit.settled]));
      return batch.every(({ index, settled }) => due.get(index) === settled);
    },
    write: ({ id }) => SettlementStore.insertBatch(db, id, batch, now()),
  };
}

export type RecordedSettlement = {
  deposit: Deposit;
  txHash: string;
  /** Whether no node has shown its receipt. */
  isUnread: boolean;
  result: SettlementStore.SettlementResult;
};

/**
 * Nodes forget receipts, and a reorganisation removes them. After this long balances decide the result: money still
 * there is moved again, by the same transaction if that left the chain, and money that has moved is found as if a
 * stranger had moved it.
 */
const unreadMsMax = 600_000;

/**
 * Records the results of final transactions: each deposit's amount by the token's Transfer logs. Any process may record
 * them; it happens once. Calls `onRecorded` for each transaction once it is stored, because a later one may fail.
 * Returns a sentence saying which receipt no node shows; null if all are recorded. Throws when the node fails or
 * answers nonsense.
 */
export async function recordResults(
  { db, rpc, chainId, now }: ChainView,
  { usdc }: SettlementRules,
  onRecorded: (recorded: readonly RecordedSettlement[]) => void = () => {},
): Promise<string | null> {
  let unread: string | null = null;
  for (const transaction of SettlementStore.listUnrecorded(db, chainId)) {
    const { id, txHash, minedAt } = transaction;
    if (txHash === null) continue;
    const deposits = SettlementStore.listPending(db, id);
    const receipt = await readReceipt(rpc, txHash);
    if (!receipt && Math.abs(now() - (minedAt ?? 0)) < unreadMsMax) {
      unread = `The node does not show the receipt of ${txHash}, which was final. Till soon goes by the balances.`;
      continue;
    }
    const moved = receipt ? movedBy(rpc, receipt, usdc, deposits) : new Map<number, Usdc.Usdc>();
    const unmoved = deposits.filter(({ index }) => !moved.has(index));
    const left = await readBalances(
      rpc,
      usdc,
      unmoved.map(({ address }) => address),
      "latest",
    );
    const stillThere = new Set(unmoved.filter((_, at) => left[at] !== 0n).map(({ index }) => index));
    if (!receipt && stillThere.size > 0 && (await reopenLost({ db, rpc, now }, transaction))) continue;
    const recorded: RecordedSettlement[] = [];
    transact(db, () => {
      for (const deposit of deposits) {
        const { index } = deposit;
        const amount = moved.get(index);
        let result: SettlementStore.SettlementResult = { state: "empty" };
        if (amount !== undefined) result = { state: "settled", amount };
        else if (stillThere.has(index))
          result = { state: "failed", retryAt: retryAt(SettlementStore.countFailures(db, index), now()) };
        const row = { transactionId: id, depositIndex: index };
        if (SettlementStore.record(db, row, result, receipt, now())) {
          recorded.push({ deposit, txHash, isUnread: receipt === null, result });
        }
      }
    });
    onRecorded(recorded);
  }
  return unread;
}

/** The amount that each deposit paid to its payout wallet in a transaction, by deposit index. */
function movedBy(
  rpc: Rpc,
  { logs }: TransactionReceipt,
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
    const amount = Usdc.sum([moved.get(deposit.index) ?? Usdc.zero, amountOf(rpc, data)]);
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
