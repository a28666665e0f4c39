import type { RereadReason } from "../../store/tables/watch/reread.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

type Policy = {
  /** What comes first when several are due. */
  rank: number;
  /** Minimum pause between two slices for this reason. */
  paceMs: number;
  /** Calls for logs per slice, at most. */
  callsPerSlice: number;
  /** The pause after a failure: the shortest, the double each time, the longest. The next node is asked then. */
  retryMs: { min: number; max: number };
  /** Failures after which the row is given up; null for never. */
  failuresMax: number | null;
};

const short = { min: 1_000, max: 5 * minuteMs };

/** What each reason to read blocks again asks for. */
export const policies: Record<RereadReason, Policy> = {
  // A node promised transfers in this block, and gives none: in a minute another one has them, or none ever will.
  announced: { rank: 1, paceMs: 100, callsPerSlice: 1, retryMs: { min: 250, max: minuteMs }, failuresMax: 9 },
  // `till rescan`: somebody is waiting.
  rescan: { rank: 2, paceMs: 20, callsPerSlice: 1, retryMs: short, failuresMax: 8 },
  // Money that no log explains: looked for as long as it is there.
  late: {
    rank: 3,
    paceMs: 1_000,
    callsPerSlice: 1,
    retryMs: { min: 1_000, max: 6 * hourMs },
    failuresMax: null,
  },
  // The passes. Nodes may have forgotten old logs, and the next pass comes anyway.
  recent: { rank: 4, paceMs: 1_000, callsPerSlice: 8, retryMs: short, failuresMax: 5 },
  day: { rank: 5, paceMs: 1_000, callsPerSlice: 4, retryMs: short, failuresMax: 5 },
};

/** No row of the list is planned further ahead than this: the pass of a day is spread over it. */
export const longestPauseMs = (reason: RereadReason): number =>
  reason === "day" ? dayMs : policies[reason].retryMs.max;

export type PassPolicy = {
  /** How long after one begins the next is due; 0 for whenever it is asked for. */
  everyMs: number;
  /** Its usual blocks. After a long stop it reaches back to four times as many. */
  blocks: number;
  /** Reads at least this many, however few are new. */
  blocksMin: number;
  /** A pass of more calls reads only what is new since the last one, or is left out when that is too much as well. */
  callsMax: number;
};

/**
 * Nodes leave logs out without an error, sometimes for longer than the overlap of two scans. So the last blocks are read
 * again every three minutes, and after a failure; and every block once more within two days. What is still not found then
 * shows in the balances, which are compared hourly.
 *
 * A node that takes few blocks in one call also counts calls. At 10 blocks a call a day takes 4,320 calls spread over 18
 * hours: 4 a minute, and one more to see that it is of the same chain. At fewer than 8 there would be no end to it, and
 * `till rescan` remains.
 */
export const passes = {
  recent: { everyMs: 0, blocks: 250, blocksMin: 64, callsMax: 8 },
  day: { everyMs: dayMs, blocks: 86_400, blocksMin: 0, callsMax: 6_000 },
} as const satisfies Partial<Record<RereadReason, PassPolicy>>;
