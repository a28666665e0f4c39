import { overlapBlocks } from "../chain/scan.ts";

/** Now and then, and after every failure, more blocks are read again than with every scan. */
const intervalMs = 180_000;
const blocksMin = 64;
const blocksMax = 1_000;
const callsMax = 8;

export type DeepRescan = {
  /** How many blocks below the checkpoint the next scan reads again, of a node that takes `range` at a time. */
  overlap(checkpoint: number, range: number, now: number): number;
  /** A scan with that overlap went through. */
  done(head: number, now: number): void;
  /** The next scan is a deep one: the node failed, or is another one now. */
  soon(): void;
};

/** Each deep rescan reaches down to the one before the last, so that none of the blocks between is left out. */
export function createDeepRescan(startedAt: number): DeepRescan {
  let dueAt = startedAt + intervalMs;
  // A clock that was set back must not put it off.
  const isDue = (now: number) => now >= dueAt || dueAt > now + intervalMs;
  let last: number | null = null;
  let beforeLast: number | null = null;
  return {
    overlap(checkpoint, range, now) {
      if (!isDue(now)) return overlapBlocks;
      const since = checkpoint - (beforeLast ?? last ?? checkpoint);
      return Math.max(blocksMin, Math.min(since, blocksMax, callsMax * range));
    },
    done(head, now) {
      if (!isDue(now)) return;
      dueAt = now + intervalMs;
      beforeLast = last;
      last = head;
    },
    soon() {
      dueAt = 0;
    },
  };
}
