import type { Node } from "../../chain/node/nodes.ts";
import { msUntil } from "../../lib/time.ts";
import { type Db, transact } from "../../store/database.ts";
import * as PassStore from "../../store/tables/watch/pass.ts";
import * as RereadStore from "../../store/tables/watch/reread.ts";
import { type PassPolicy, passes, policies } from "./policy.ts";

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
  const pass = PassStore.byReason(db, "day");
  if (!pass)
    PassStore.save(db, { reason: "day", dueAt: facts.now + firstAfterMs, last: null, beforeLast: null });
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
  const pass = PassStore.byReason(db, name);
  const from = startOf(policy, checkpoint, node.reader.range, pass);
  transact(db, () => {
    if (from <= checkpoint) RereadStore.insert(db, { reason: name, from, to: checkpoint, dueAt: now });
    const last = pass?.last ?? Math.max(0, checkpoint - policy.blocks);
    PassStore.save(db, { reason: name, dueAt: now + policy.everyMs, last: checkpoint, beforeLast: last });
  });
  return from <= checkpoint;
}

/** The first block of a pass; above the checkpoint when it is left out. */
function startOf(
  { blocks, blocksMin, callsMax }: PassPolicy,
  checkpoint: number,
  range: number,
  pass: PassStore.Pass | null,
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
  const dueAt = PassStore.byReason(db, name)?.dueAt ?? now;
  const leftMs = msUntil(dueAt - (1 - spread) * everyMs, now, everyMs);
  return now + Math.max(paceMs, Math.floor(leftMs / Math.ceil(left / (range * callsPerSlice))));
}
