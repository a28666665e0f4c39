import { mustBeOnChain } from "../chain/scan.ts";
import type { BlockRef } from "../domain/block.ts";
import type { Log } from "../log-events.ts";
import { compare } from "../service/shortfall.ts";
import * as CheckpointStore from "../store/checkpoint.ts";
import * as ColdBalanceStore from "../store/cold-balance.ts";
import { type Db, transact } from "../store/database.ts";
import * as DepositStore from "../store/deposit.ts";
import * as ReadingStore from "../store/reading.ts";
import { type Chore, msUntil } from "./chores.ts";
import { type HotDeposits, hotMs } from "./hot-deposits.ts";

/** Late money is to be credited within a day: two hours are left for reading the blocks in which it came. */
const everyMs = 22 * 3_600_000;
const sliceMs = 1_000;

/** An address's balance is on record before it turns cold, unless Till does not run for longer than this. */
const recordAheadMs = 3 * everyMs;

/** Blocks of before the last check that are read again with those after it: a reorg may have changed them since. */
const overlapBlocks = 64;

export type ColdCheck = Chore & {
  /** The chain was scanned up to here: the first time, the first check begins to wait. */
  scanned(checkpoint: BlockRef, now: number): void;
  /** These deposits are not hot, and a transfer to each was found: they are watched again, without a gap. */
  warm(deposits: readonly number[], checkpoint: number, now: number): void;
};

/**
 * Finds money that comes to addresses that are no longer watched block by block. About once a day it reads their
 * balances. One that is not what the last check saw was moved since: when there is money, the address is watched
 * again, and the blocks since the last check are read for it. A balance that sank to nothing was settled; one that
 * merely sank was settled and paid again, as a settlement takes everything; so was one that
 * stayed the same and is more than the books have. One that is less than the books have is looked into.
 */
export function createColdCheck(db: Db, hot: HotDeposits, log: Log): ColdCheck {
  let nextAt = 0;

  function warm(deposits: readonly number[], checkpoint: number, now: number): void {
    const known = ColdBalanceStore.check(db)?.block ?? checkpoint;
    const from = Math.max(0, Math.min(known, checkpoint) + 1 - overlapBlocks);
    transact(db, () => {
      ReadingStore.addLate(db, deposits, { from, to: checkpoint }, now);
      for (const index of deposits) DepositStore.touch(db, index, now);
    });
    hot.load();
  }

  return {
    warm,
    scanned(checkpoint, now) {
      if (ColdBalanceStore.check(db)) return;
      ColdBalanceStore.saveCheck(db, { dueAt: now + everyMs, block: checkpoint.number, underWay: null });
    },
    dueInMs(now) {
      const check = ColdBalanceStore.check(db);
      if (!check) return null;
      if (check.underWay) return msUntil(nextAt, now, sliceMs);
      // Later than ever planned: the clock was wrong then, or is now.
      if (now < check.dueAt && check.dueAt <= now + everyMs) return check.dueAt - now;
      if (ColdBalanceStore.anyUnchangedSince(db, now - hotMs + recordAheadMs)) return 0;
      // Every address has been watched all the time: nothing to ask a node for.
      const block = CheckpointStore.latest(db)?.number ?? check.block;
      ColdBalanceStore.saveCheck(db, { dueAt: now + everyMs, block, underWay: null });
      return everyMs;
    },
    async slice({ provider: { rpc, balances }, checkpoint, now }) {
      const check = ColdBalanceStore.check(db);
      if (!check) return;
      const underWay = check.underWay ?? { startedAt: now, startedBlock: checkpoint.number, nextDeposit: 0 };
      const { startedAt, startedBlock, nextDeposit } = underWay;
      const { batch } = balances;
      const sinceMs = startedAt - hotMs + recordAheadMs;
      const deposits = ColdBalanceStore.listUnchangedSince(db, sinceMs, nextDeposit, batch);
      const found = await balances.read(
        deposits.map(({ address }) => address),
        checkpoint.number,
      );
      // The balances of another chain would say nothing.
      await mustBeOnChain(rpc, checkpoint);
      if (balances.batch < batch)
        log.info("chain.no_multicall", "the chain has no Multicall3: late payments are looked for slowly");
      nextAt = now + sliceMs;
      const paid: number[] = [];
      transact(db, () => {
        for (const [i, deposit] of deposits.entries()) {
          const balance = found[i];
          if (balance === undefined) throw new Error(`There is no balance of deposit ${deposit.index}`);
          const moved = balance !== 0n && balance !== deposit.balance;
          const exceeds = balance > deposit.booked && !ReadingStore.isLate(db, deposit.index);
          // A hot one is watched as it is; its balance is for the time when it has turned cold.
          if (!hot.has(deposit.index) && (moved || exceeds)) paid.push(deposit.index);
          ColdBalanceStore.save(db, deposit.index, balance, startedAt);
        }
        const short = deposits.flatMap(({ index, booked }, i) => {
          const balance = found[i] ?? 0n;
          return balance < booked ? [{ index, balance }] : [];
        });
        compare(db, short, checkpoint.number, now);
        const last = deposits.at(-1);
        if (last && deposits.length === batch) {
          const next = { startedAt, startedBlock, nextDeposit: last.index + 1 };
          ColdBalanceStore.saveCheck(db, { ...check, underWay: next });
        } else {
          ColdBalanceStore.forgetBefore(db, startedAt);
          ColdBalanceStore.saveCheck(db, { dueAt: startedAt + everyMs, block: startedBlock, underWay: null });
        }
        // The blocks to read begin at the check before this one, so what was known then decides.
        if (paid.length > 0) {
          const from = Math.max(0, check.block + 1 - overlapBlocks);
          ReadingStore.addLate(db, paid, { from, to: checkpoint.number }, now);
        }
      });
      if (paid.length === 0) return;
      log.info("payment.late", "money came to addresses that were no longer watched", { count: paid.length });
      hot.load();
    },
    failed() {},
  };
}
