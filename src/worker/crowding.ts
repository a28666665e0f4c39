import type { Log } from "../log-events.ts";

/** How long the warning stays after the last such block. */
const warnedForMs = 600_000;

export type Crowding = {
  /** A block had more transfers than the node gives in one answer, and was read by its receipts. */
  crowded(blockNumber: number): void;
  /** What there is to say of it; null when there was no such block lately. */
  warning(): string | null;
};

/** Warns, and logs once, while somebody fills blocks with transfers to the watched addresses. */
export function createCrowding(log: Log, now: () => number): Crowding {
  let last: { block: number; at: number } | null = null;
  const lasts = () => last !== null && Math.abs(now() - last.at) < warnedForMs;
  return {
    crowded(block) {
      if (!lasts())
        log.warn("chain.crowded", "a block has more transfers than the node gives at a time", { block });
      last = { block, at: now() };
    },
    warning() {
      if (last === null || !lasts()) return null;
      return (
        `block ${last.block} had more transfers to deposit addresses than the node gives at a time: somebody may be ` +
        "flooding an address. Such blocks are read by their receipts, and payments are credited all the same"
      );
    },
  };
}
