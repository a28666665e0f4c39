import type { Block } from "./block.ts";
import type { Rpc } from "./rpc.ts";

/**
 * Base has made a block every 200 ms since November 2026, and every 2 s before; other chains of its kind take up to 12
 * s. A node that reports a pace far beyond that is not trusted.
 */
const blockMsBounds = { min: 100, max: 15_000 };

/** Assumed until it is measured. */
const firstBlockMs = 200;

/** Without more precision from the node, times are whole seconds, which say too little over less than this. */
const measuredMsMin = 10_000;

/** The same for newest blocks, whose times are known to the second. */
const newestMsMin = 30_000;

/** A chain that suddenly gets this much slower is trusted only if it does so again. */
const slowerTimes = 2;

/** The pace of the chain according to the node that was asked. */
export type Pace = {
  /** Milliseconds per block. */
  readonly blockMs: number;
  /** The number of blocks that take at least this long. */
  blocks(ms: number): number;
  /** Records two blocks of one chain, in any order. */
  note(one: PacedBlock, other: PacedBlock): void;
  /** Records the newest block, to be compared with one some time earlier. */
  noteNewest(block: PacedBlock): void;
};

/** A block's number and its time by the chain's clock, in ms. */
export type PacedBlock = Pick<Block, "number" | "timeMs">;

/** The only place where a duration becomes a number of blocks. `blockMs`: an earlier measurement. */
export function createPace(blockMs: number = firstBlockMs): Pace {
  let measured = bounded(blockMs);
  let before: PacedBlock | null = null;
  // The first measurement is trusted.
  let isSlower = true;
  function note(one: PacedBlock, other: PacedBlock): void {
    const ms = one.timeMs - other.timeMs;
    const newMs = ms / (one.number - other.number);
    // If it is slower than that, the chain stood still for a while, or a clock is wrong. If a later block is older, it
    // replaced others.
    if (Math.abs(ms) >= measuredMsMin && newMs > 0 && newMs <= blockMsBounds.max) measured = bounded(newMs);
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
      // The node lags, or there was a reorganisation.
      if (ms >= 0 && ms < newestMsMin) return;
      // If it happens once, the chain stood still for some minutes and went on.
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
 * No reorganisation is expected to reach older blocks: what the sequencer can lose in a failover is a matter of
 * seconds.
 */
export const reorgMsMax = 10 * 60_000;

const hourMs = 3_600_000;

/** Maximum calls per hour for reading all logs once, for a thousand addresses. */
export const logCallsPerHourMax = 60;

/** Calls per hour for reading all logs once, with a node that returns this many blocks at a time. */
export const logCallsPerHour = (range: number, blockMs: number): number => hourMs / blockMs / range;

const paces = new WeakMap<Rpc, Pace>();

/** Sets the pace measured before Till was started. */
export function beginPace(rpc: Rpc, blockMs: number): void {
  paces.set(rpc, createPace(blockMs));
}

/** The pace of the chain behind a connection, as measured by it. */
export function paceOf(rpc: Rpc): Pace {
  const pace = paces.get(rpc) ?? createPace();
  paces.set(rpc, pace);
  return pace;
}
