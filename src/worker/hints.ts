import type { Hint } from "../chain/feed.ts";

/** A hint that no scan bears out is looked into after 0.25, 0.5, 1, … s: for a minute in all. */
const retryMsMin = 250;
const triesMax = 8;

const hintsMax = 1_000;

/** How far back a hint is followed. */
const oldestHintBlocks = 1_000;

export type Hints = {
  note(hint: Hint): void;
  /** How many blocks up to the checkpoint a scan has to read again for what was promised. */
  depth(checkpoint: number): number;
  /** What a scan up to the head found. Returns when to look again for the rest, and whether any was given up. */
  review(
    head: number,
    foundIn: ReadonlySet<number>,
    now: number,
  ): { retryMs: number | null; gaveUp: boolean };
};

/**
 * What the subscription promised and the scan has not found yet. The node that is asked can be another one than
 * the one that rang, and still be without that block, or have the block and not yet its logs.
 */
export function createHints(): Hints {
  const open = new Map<number, { holdsTransfer: boolean; tries: number; retryAt: number }>();
  return {
    note({ blockNumber, holdsTransfer }) {
      const known = open.get(blockNumber);
      if (known) known.holdsTransfer ||= holdsTransfer;
      else if (open.size < hintsMax) open.set(blockNumber, { holdsTransfer, tries: 0, retryAt: 0 });
    },
    depth(checkpoint) {
      const promised = [...open]
        .filter(([, hint]) => hint.holdsTransfer)
        .map(([block]) => checkpoint - block + 1);
      return Math.min(oldestHintBlocks, Math.max(0, ...promised));
    },
    review(head, foundIn, now) {
      let retryMs: number | null = null;
      let gaveUp = false;
      for (const [block, hint] of open) {
        if (block <= head && (!hint.holdsTransfer || foundIn.has(block))) {
          open.delete(block);
          continue;
        }
        // Scans that other hints ask for in the meantime are no tries.
        if (now >= hint.retryAt) {
          hint.retryAt = now + retryMsMin * 2 ** hint.tries;
          hint.tries += 1;
        }
        if (hint.tries > triesMax || block <= head - oldestHintBlocks) {
          open.delete(block);
          gaveUp = true;
          continue;
        }
        retryMs = Math.min(retryMs ?? Number.POSITIVE_INFINITY, hint.retryAt - now);
      }
      return { retryMs, gaveUp };
    },
  };
}
