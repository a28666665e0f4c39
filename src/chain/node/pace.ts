import type { Block } from "./block.ts";
import type { Rpc } from "./rpc.ts";

/**
 * Base makes a block every 200 ms since November 2026, and made one every 2 s before; other chains that are made the same
 * way take up to 12 s. A node that tells of a pace far beyond that is not believed.
 */
const blockMsBounds = { min: 100, max: 15_000 };

/** Until it has been measured. */
const firstBlockMs = 200;

/** Times are told in whole seconds where the node does not tell more: over less than this they say too little. */
const measuredMsMin = 10_000;

/** The same of newest blocks, which are known to the second. */
const newestMsMin = 30_000;

/** A chain that takes so much longer all at once is believed when it does so again. */
const slowerTimes = 2;

/** How fast the chain is, by the node that was asked. */
export type Pace = {
  /** Milliseconds a block. */
  readonly blockMs: number;
  /** So many blocks take at least so long. */
  blocks(ms: number): number;
  /** Takes in two blocks of one chain, in any order. */
  note(one: PacedBlock, other: PacedBlock): void;
  /** Takes in the newest block, to be compared with one some time before. */
  noteNewest(block: PacedBlock): void;
};

/** A block's number, and when it was made by the chain's clock, in ms. */
export type PacedBlock = Pick<Block, "number" | "timeMs">;

/** The only place where a duration becomes a number of blocks. `blockMs`: what was measured before. */
export function createPace(blockMs: number = firstBlockMs): Pace {
  let measured = bounded(blockMs);
  let before: PacedBlock | null = null;
  // The first measurement is believed.
  let isSlower = true;
  function note(one: PacedBlock, other: PacedBlock): void {
    const blocks = Math.abs(one.number - other.number);
    const ms = Math.abs(one.timeMs - other.timeMs);
    // Slower than that the chain stood still for a while, or a clock lies.
    if (ms >= measuredMsMin && ms / blocks <= blockMsBounds.max) measured = bounded(ms / blocks);
  }
  return {
    get blockMs() {
      return measured;
    },
    blocks: (ms) => Math.ceil(ms / measured),
    note,
    noteNewest(block) {
      before ??= block;
      const ms = block.timeMs - before.timeMs;
      // A node that lags, or a reorganisation.
      if (ms >= 0 && ms < newestMsMin) return;
      // Once, that is a chain that stood for some minutes and went on.
      const wasSlower = isSlower;
      const newMs = ms / (block.number - before.number);
      isSlower = newMs > slowerTimes * measured && newMs <= blockMsBounds.max;
      if (!isSlower || wasSlower) note(before, block);
      before = block;
    },
  };
}

function bounded(blockMs: number): number {
  return Math.min(blockMsBounds.max, Math.max(blockMsBounds.min, blockMs));
}

/**
 * No reorganisation is expected to reach blocks that are older: what the sequencer can lose when it fails over is a matter
 * of seconds.
 */
export const reorgMsMax = 10 * 60_000;

const hourMs = 3_600_000;

/** Calls in an hour that reading all logs once may take, for a thousand addresses. */
export const logCallsPerHourMax = 60;

/** The calls in an hour that it takes to read all logs once, with a node that gives those of so many blocks at a time. */
export const logCallsPerHour = (range: number, blockMs: number): number => hourMs / blockMs / range;

const paces = new WeakMap<Rpc, Pace>();

/** Begins with the pace that was measured before Till was started. */
export function beginPace(rpc: Rpc, blockMs: number): void {
  paces.set(rpc, createPace(blockMs));
}

/** The pace of the chain behind a connection, as measured by it. */
export function paceOf(rpc: Rpc): Pace {
  const pace = paces.get(rpc) ?? createPace();
  paces.set(rpc, pace);
  return pace;
}
