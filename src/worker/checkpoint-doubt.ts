import type { Block } from "../chain/block.ts";

/** A head that is this old is that of a node that lags. */
const headAgeMsMax = 60_000;
/** So long has every node to be below the checkpoint before the checkpoint is doubted. */
const doubtAfterMs = 600_000;

export type CheckpointDoubt = {
  /** A node's head is below the checkpoint. */
  behind(host: string, head: Block, now: number): void;
  /** The chain reaches up to the checkpoint. */
  cleared(): void;
  /** Whether it is certain by now that the checkpoint was never on the chain. */
  isCertain(now: number): boolean;
};

/**
 * A checkpoint can be above the real chain when a node made up blocks for a while. Nothing would be read until the
 * chain has grown that far. A node that lags looks the same but for one thing: the newest block it knows is old. So
 * the checkpoint is doubted when every node has, for ten minutes, had a growing head that is up to date by the
 * clock and still lower. Then the scan goes back to the last block known before that is on the chain, as after a
 * reorg. When the clock is wrong or the nodes do not agree nothing is done: `/health/ready` says what is seen.
 */
export function createCheckpointDoubt(nodeCount: number): CheckpointDoubt {
  const heads = new Map<string, { first: number; latest: number }>();
  let since: number | null = null;
  const clear = () => {
    heads.clear();
    since = null;
  };
  return {
    behind(host, { number, timestampSec }, now) {
      if (Math.abs(now - timestampSec * 1000) > headAgeMsMax) return clear();
      since ??= now;
      heads.set(host, { first: heads.get(host)?.first ?? number, latest: number });
    },
    cleared: clear,
    isCertain: (now) =>
      since !== null &&
      now - since >= doubtAfterMs &&
      heads.size === nodeCount &&
      [...heads.values()].every(({ first, latest }) => latest > first),
  };
}
