import { reread } from "../chain/scan.ts";
import type { BlockRange } from "../chain/transfer-log.ts";
import type { Transfer } from "../domain/transfer.ts";
import type { Log } from "../log-events.ts";
import type { Db } from "../store/database.ts";
import * as RecheckPassStore from "../store/recheck-pass.ts";
import * as TransferStore from "../store/transfer.ts";
import { type Chore, msUntil } from "./chores.ts";
import type { HotDeposits } from "./hot-deposits.ts";

/**
 * Nodes leave logs out without an error, sometimes for longer than the overlap of two scans. So every block is
 * read again within two hours, and once more within two days: each pass reads what came since the pass before
 * the last one. A new installation begins sooner.
 *
 * A node that takes few blocks in one call also counts calls. A pass of more slices than its limit reads only what
 * came since the last one, and is left out when that is too much as well. At 10 blocks a call this leaves the hour
 * out and reads every block once more within two days, in 4,320 calls spread over 18 hours: 4 a minute. At
 * fewer than 8 there would be no end to it, and `till rescan` remains.
 */
const passes = [
  { name: "hour", everyMs: 3_600_000, firstAfterMs: 150_000, firstBlocks: 3_600, slicesMax: 60 },
  { name: "day", everyMs: 86_400_000, firstAfterMs: 3_600_000, firstBlocks: 86_400, slicesMax: 6_000 },
] as const;

/** After a long stop no pass reaches further back than this many times its usual blocks. */
const longestPass = 4;

/** A pass is spread over this part of the time until the next one. */
const spread = 0.75;
const sliceMsMin = 1_000;

/** A pass whose slice fails this often in a row ends: nodes may have forgotten old logs. */
const failuresMax = 5;

export type Recheck = {
  /** In how many ms the next slice is due. */
  dueInMs(now: number): number;
  /** The next blocks to read again; null when there are none. How many of them are read is the node's `range`. */
  next(checkpoint: number, range: number, now: number): BlockRange | null;
  /** These blocks were read, with a node that takes `range` at a time. */
  done(blocks: BlockRange, range: number, now: number): void;
  /** They cannot be read: the passes under way end here, and the next ones come in their time. */
  giveUp(): void;
};

/** The passes that are due and how far they are, kept in the database: a restart goes on with them. */
export function createRecheck(db: Db, startedAt: number): Recheck {
  const levels = passes.map((pass) => ({
    ...pass,
    ...(RecheckPassStore.byName(db, pass.name) ?? {
      dueAt: startedAt + pass.firstAfterMs,
      last: null,
      beforeLast: null,
      next: 0,
      to: -1,
    }),
  }));
  type Level = (typeof levels)[number];
  let nextAt = 0;
  let longestMs: number = sliceMsMin;
  const save = (level: Level) => RecheckPassStore.save(db, level.name, level);
  // A clock that was wrong once does not put a pass off for ever.
  const isDue = (level: Level, now: number) => now >= level.dueAt || level.dueAt > now + 2 * level.everyMs;

  function begin(level: Level, checkpoint: number, range: number, now: number): void {
    const first = Math.max(0, checkpoint - level.firstBlocks);
    const slices = (from: number) => Math.ceil((checkpoint - from + 1) / range);
    const lowest = checkpoint - longestPass * level.firstBlocks;
    let from = Math.max(lowest, level.beforeLast ?? level.last ?? first) + 1;
    if (slices(from) > level.slicesMax) from = Math.max(from, (level.last ?? first) + 1);
    level.beforeLast = level.last ?? first;
    level.last = checkpoint;
    level.next = slices(from) > level.slicesMax ? checkpoint + 1 : from;
    level.to = checkpoint;
    level.dueAt = now + level.everyMs;
    save(level);
  }

  return {
    dueInMs(now) {
      if (levels.some((level) => level.next <= level.to)) return msUntil(nextAt, now, longestMs);
      return Math.min(...levels.map((level) => (isDue(level, now) ? 0 : level.dueAt - now)));
    },
    next(checkpoint, range, now) {
      for (const level of levels) {
        if (level.next > level.to && isDue(level, now)) begin(level, checkpoint, range, now);
        // After a reorg the checkpoint can be lower; what is above it is scanned anyway.
        if (level.next > checkpoint) level.next = level.to + 1;
        if (level.next <= level.to) return { from: level.next, to: Math.min(level.to, checkpoint) };
      }
      return null;
    },
    done({ from, to }, range, now) {
      const level = levels.find((candidate) => candidate.next === from && candidate.to >= to);
      if (!level) return;
      level.next = to + 1;
      const slicesLeft = Math.ceil((level.to - to) / range);
      const msLeft = isDue(level, now) ? 0 : level.dueAt - (1 - spread) * level.everyMs - now;
      longestMs = level.everyMs;
      nextAt = now + Math.max(sliceMsMin, slicesLeft > 0 ? msLeft / slicesLeft : 0);
      save(level);
    },
    giveUp() {
      for (const level of levels) {
        level.next = level.to + 1;
        save(level);
      }
    },
  };
}

/** Reads older blocks again for the hot deposits, in their regular passes. */
export function createRecheckChore(db: Db, hot: HotDeposits, log: Log, startedAt: number): Chore {
  const recheck = createRecheck(db, startedAt);
  const isKnown = (transfer: Transfer) => TransferStore.isRecorded(db, transfer);
  return {
    dueInMs: (now) => (hot.recipients.size === 0 ? null : recheck.dueInMs(now)),
    async slice({ provider, checkpoint, now, credit }) {
      const blocks = recheck.next(checkpoint.number, provider.reader.range, now);
      if (!blocks) return;
      const { to, transfers } = await reread({ ...provider, checkpoint }, blocks, hot.recipients, isKnown);
      if (transfers.length > 0) {
        log.warn("chain.incomplete", "the node had left transfers out", { count: transfers.length });
        credit(transfers);
      }
      recheck.done({ from: blocks.from, to }, provider.reader.range, now);
    },
    failed(_, times) {
      if (times >= failuresMax) recheck.giveUp();
    },
  };
}
