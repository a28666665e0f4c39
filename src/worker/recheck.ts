import { reread } from "../chain/scan.ts";
import type { BlockRange, Recipients } from "../chain/transfer-log.ts";
import type { BlockRef } from "../domain/block.ts";
import type { Transfer } from "../domain/transfer.ts";
import { messageOf } from "../lib/error.ts";
import type { Log } from "../lib/log.ts";
import type { Db } from "../store/database.ts";
import * as TransferStore from "../store/transfer.ts";
import type { Provider } from "./providers.ts";

/**
 * Nodes leave logs out without an error, sometimes for longer than the overlap of two scans. So every block is
 * read again within two hours, and once more within two days: each pass reads what came since the pass before
 * the last one. The first comes sooner, as Till does not remember the passes of the process before.
 */
const passes = [
  { everyMs: 3_600_000, firstAfterMs: 150_000, firstBlocks: 3_600 },
  { everyMs: 86_400_000, firstAfterMs: 3_600_000, firstBlocks: 86_400 },
] as const;

/** A pass that would take more calls than this is left out: a node that takes so few blocks also counts calls. */
const slicesMax = 500;

export type Recheck = {
  /** The next blocks to read again, at most `range` of them; null when nothing is due. */
  next(checkpoint: number, range: number, now: number): BlockRange | null;
  /** These blocks were read. */
  done(blocks: BlockRange): void;
  /** They cannot be read: the passes under way end here, and the next ones come in their time. */
  giveUp(): void;
};

export function createRecheck(startedAt: number): Recheck {
  const levels = passes.map((pass) => ({
    ...pass,
    dueAt: startedAt + pass.firstAfterMs,
    /** The checkpoints of the last pass and of the one before. */
    last: null as number | null,
    beforeLast: null as number | null,
    from: 0,
    to: -1,
  }));
  return {
    next(checkpoint, range, now) {
      for (const level of levels) {
        if (level.from > level.to && now >= level.dueAt) {
          const first = Math.max(0, checkpoint - level.firstBlocks);
          level.from = (level.beforeLast ?? level.last ?? first) + 1;
          level.to = checkpoint;
          level.beforeLast = level.last ?? first;
          level.last = checkpoint;
          level.dueAt = now + level.everyMs;
          if (level.to - level.from >= slicesMax * range) level.from = level.to + 1;
        }
        if (level.from <= level.to) {
          return { from: level.from, to: Math.min(level.to, level.from + range - 1) };
        }
      }
      return null;
    },
    done({ from, to }) {
      const level = levels.find((candidate) => candidate.from === from && candidate.to >= to);
      if (level) level.from = to + 1;
    },
    giveUp() {
      for (const level of levels) level.from = level.to + 1;
    },
  };
}

export type SliceFacts = {
  provider: Provider;
  db: Db;
  log: Log;
  recipients: Recipients;
  found: { checkpoint: BlockRef };
  now: number;
};

/** Reads the next slice again. Returns the transfers that were left out before; a node that cannot is no failure. */
export async function rereadSlice(
  recheck: Recheck,
  { provider, db, log, recipients, found: { checkpoint }, now }: SliceFacts,
): Promise<{ transfers: Transfer[]; mayHaveMore: boolean }> {
  const blocks = recheck.next(checkpoint.number, provider.reader.range, now);
  if (!blocks) return { transfers: [], mayHaveMore: false };
  const isKnown = (transfer: Transfer) => TransferStore.isRecorded(db, transfer);
  try {
    const transfers = await reread({ ...provider, checkpoint }, blocks, recipients, isKnown);
    recheck.done(blocks);
    if (transfers.length > 0) log.warn("the node had left transfers out", { count: transfers.length });
    return { transfers, mayHaveMore: true };
  } catch (thrown) {
    // Nodes may have forgotten old logs; what is new can be read all the same.
    log.warn(`older blocks could not be read again: ${messageOf(thrown)}`);
    recheck.giveUp();
    return { transfers: [], mayHaveMore: false };
  }
}
