import { mustBeOnChain } from "../../chain/node/block.ts";
import { readConfirmed } from "../../chain/node/confirmations.ts";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../config/log-events.ts";
import { unexplainedBalance } from "../../domain/payment/deposit.ts";
import type * as Usdc from "../../domain/usdc.ts";
import { msUntil } from "../../lib/time.ts";
import { type Db, transact } from "../../store/database.ts";
import type { WatchedDeposit } from "../../store/tables/invoicing/deposit.ts";
import * as SettlementStore from "../../store/tables/settle/settlement.ts";
import * as BalanceStore from "../../store/tables/watch/balance.ts";
import { watchedMs } from "../deposits.ts";
import type { Slice, Task } from "../reread/reread.ts";
import { createInvestigation, type Holding, planAgain } from "./investigation.ts";

const minuteMs = 60_000;
/** How often a watched deposit is compared: between half of this and all of it lies between two times. */
const watchedEveryMs = 64 * minuteMs;
/** The same for others. Late money is to be credited within a day, and its blocks have to be read in it. */
const dormantEveryMs = 16 * watchedEveryMs;
const sliceMs = 1_000;

/** A reorg may have undone a settlement that is not deep in the chain: how soon to look again, and how many at a time. */
const undoneEveryMs = 10_000;
const undoneMax = 20;

/** Multiples of half the pause, the same for all deposits: those that are compared together stay together. */
function onGrid(now: number, pauseMs: number): number {
  const grid = pauseMs / 2;
  return Math.floor((now + pauseMs) / grid) * grid;
}

/**
 * Compares what addresses hold with the books: soon after each change of the books, then hourly, and daily once they are
 * no longer watched block by block. Looks into one deposit at a time that the books do not explain.
 * `onSettlementLeft`: a settlement left the chain, and the money is to be settled again.
 */
export function createBalanceTask(config: Config, db: Db, log: Log, onSettlementLeft: () => void): Task {
  const investigation = createInvestigation(config, db, log, onSettlementLeft);
  let nextAt = 0;

  /** The balance tells nothing yet where the books know a later settlement. But its block may have left the chain. */
  async function lookForUndone(deposits: readonly WatchedDeposit[], block: number, facts: Slice) {
    const isLater = ({ index }: WatchedDeposit) =>
      (SettlementStore.listBlocks(db, index)[0]?.number ?? 0) > block;
    const later = deposits.filter(isLater).slice(0, undoneMax);
    for (const { index } of later) BalanceStore.compareAt(db, index, facts.now + undoneEveryMs);
    for (const deposit of later.length === 0 ? [] : await listWithMore(db, later, facts))
      await investigation.takeBack(deposit, facts);
  }

  return {
    dueInMs(now) {
      const at = BalanceStore.nextAt(db);
      return at === null ? null : Math.max(msUntil(at, now, dormantEveryMs), msUntil(nextAt, now, sliceMs));
    },
    async slice(facts) {
      const { node, checkpoint, now } = facts;
      const { rpc, balances } = node;
      nextAt = now + sliceMs;
      const { batch } = balances;
      const deposits = BalanceStore.listDue(db, now, now + dormantEveryMs, batch);
      const { stateBlock } = await readConfirmed(rpc, config.confirmations);
      const block = Math.min(stateBlock, checkpoint.number);
      const held = await readBalances(deposits, block, facts);
      if (balances.batch < batch)
        log.info("chain.no_multicall", "the chain has no Multicall3: late payments are looked for slowly");
      const unexplained = transact(db, () =>
        deposits.filter((deposit, at) => {
          const balance = held[at] ?? 0n;
          return isUnexplained(db, deposit, { balance, block }, now, config.settleMin);
        }),
      );
      await lookForUndone(deposits, block, facts);
      // The others keep their turn.
      const [first] = unexplained;
      if (!first) return;
      const balance = held[deposits.indexOf(first)] ?? 0n;
      await investigation.lookInto(first, { balance, block }, facts);
    },
  };
}

/** Compares one deposit and plans the next time. Returns whether it has to be looked into. */
function isUnexplained(
  db: Db,
  { index }: WatchedDeposit,
  { balance, block }: Holding,
  now: number,
  settleMin: Usdc.Usdc,
): boolean {
  const books = BalanceStore.books(db, index);
  const amount = unexplainedBalance(books, { balance, block });
  if (amount === null) {
    BalanceStore.compareAt(db, index, now + minuteMs);
    return false;
  }
  if (amount !== 0n) {
    BalanceStore.note(db, index, amount, now);
    return true;
  }
  const noted = BalanceStore.unexplained(db, index);
  const isBack = noted?.cause === "left" && balance >= noted.amount && balance >= settleMin;
  if (isBack) {
    planAgain(db, index, now);
    return false;
  }
  BalanceStore.explained(db, index, block);
  const isWatched = now - books.changedAt < watchedMs;
  BalanceStore.compareAt(db, index, onGrid(now, isWatched ? watchedEveryMs : dormantEveryMs));
  return false;
}

/** Of these deposits, those that hold more than the books explain, as of the checkpoint. */
export async function listWithMore(
  db: Db,
  deposits: readonly WatchedDeposit[],
  facts: Slice,
): Promise<WatchedDeposit[]> {
  const block = facts.checkpoint.number;
  const held = await readBalances(deposits, block, facts);
  return deposits.filter(({ index }, at) => {
    const balance = held[at] ?? 0n;
    return (unexplainedBalance(BalanceStore.books(db, index), { balance, block }) ?? 0n) > 0n;
  });
}

async function readBalances(
  deposits: readonly WatchedDeposit[],
  block: number,
  { node: { rpc, balances }, checkpoint }: Slice,
): Promise<Usdc.Usdc[]> {
  const held = await balances.read(
    deposits.map(({ address }) => address),
    block,
  );
  // The balances of another chain would say nothing.
  await mustBeOnChain(rpc, checkpoint);
  return held;
}
