import type { Node } from "../../chain/node/nodes.ts";
import { msUntil } from "../../lib/time.ts";
import { type Db, transact } from "../../store/database.ts";
import type { RereadReason } from "../../store/tables/watch/reread.ts";
import * as RereadStore from "../../store/tables/watch/reread.ts";

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

type PassPolicy = {
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
const passes = {
  recent: { everyMs: 0, blocks: 250, blocksMin: 64, callsMax: 8 },
  day: { everyMs: dayMs, blocks: 86_400, blocksMin: 0, callsMax: 6_000 },
} as const satisfies Partial<Record<RereadReason, PassPolicy>>;

export type PassName = keyof typeof passes;

/** After a long stop no pass reaches further back than this many times its usual blocks. */
const longestPass = 4;

/** Until the first pass of a day of a new installation. */
const firstAfterMs = 3_600_000;

/** A pass is spread over this part of the time until the next one. */
const spread = 0.75;

type PassFacts = {
  checkpoint: number;
  node: { reader: Pick<Node["reader"], "range"> };
  deposits: { recipients: { size: number } };
  now: number;
};

/** Begins the daily pass when it is due; the first one an hour after it was asked for. */
export function beginDayPass(db: Db, facts: PassFacts): void {
  const pass = RereadStore.passFor(db, "day");
  if (!pass)
    RereadStore.savePass(db, {
      reason: "day",
      dueAt: facts.now + firstAfterMs,
      last: null,
      beforeLast: null,
    });
  else if (msUntil(pass.dueAt, facts.now, 2 * passes.day.everyMs) <= 0) beginPass(db, "day", facts);
}

/**
 * Puts the blocks of a pass on the list: what came since the pass before the last one, so that every block is read
 * twice. Returns false when there is nothing to read, or a pass like it is under way.
 */
export function beginPass(db: Db, name: PassName, { checkpoint, node, deposits, now }: PassFacts): boolean {
  const policy: PassPolicy = passes[name];
  if (deposits.recipients.size === 0) return false;
  if (RereadStore.listOpen(db).some(({ reason }) => reason === name)) return false;
  const pass = RereadStore.passFor(db, name);
  const from = startOf(policy, checkpoint, node.reader.range, pass);
  transact(db, () => {
    if (from <= checkpoint) RereadStore.insert(db, { reason: name, from, to: checkpoint, dueAt: now });
    const last = pass?.last ?? Math.max(0, checkpoint - policy.blocks);
    RereadStore.savePass(db, {
      reason: name,
      dueAt: now + policy.everyMs,
      last: checkpoint,
      beforeLast: last,
    });
  });
  return from <= checkpoint;
}

/** The first block of a pass; above the checkpoint when it is left out. */
function startOf(
  { blocks, blocksMin, callsMax }: PassPolicy,
  checkpoint: number,
  range: number,
  pass: RereadStore.Pass | null,
): number {
  const fits = (from: number) => checkpoint - from + 1 <= callsMax * range;
  const first = checkpoint - blocks;
  const reach = (since: number | null | undefined) =>
    Math.max(checkpoint - longestPass * blocks, since ?? first) + 1;
  const least = checkpoint + 1 - Math.min(blocksMin, callsMax * range);
  const from = [reach(pass?.beforeLast ?? pass?.last), reach(pass?.last)].find(fits) ?? least;
  return Math.max(0, Math.min(from, least));
}

/** When a pass goes on after a slice that ended with a block: evenly spread, so that few calls come together. */
export function nextSliceAt(db: Db, name: PassName, left: number, range: number, now: number): number {
  const { callsPerSlice, paceMs } = policies[name];
  const { everyMs } = passes[name];
  const dueAt = RereadStore.passFor(db, name)?.dueAt ?? now;
  const leftMs = msUntil(dueAt - (1 - spread) * everyMs, now, everyMs);
  return now + Math.max(paceMs, Math.floor(leftMs / Math.ceil(left / (range * callsPerSlice))));
}
