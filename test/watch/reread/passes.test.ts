import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeDatabase, type Db, openDatabase } from "../../../src/store/database.ts";
import * as RereadStore from "../../../src/store/tables/watch/reread.ts";
import {
  beginDayPass,
  beginPass,
  nextSliceAt,
  type PassName,
  policies,
} from "../../../src/watch/reread/policy.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";

const minute = 60_000;
const dayMs = 24 * 60 * minute;

const data = makeDataDir();
let db: Db;
beforeEach(() => {
  db = openDatabase(data.path);
  db.run("DELETE FROM pass");
  db.run("DELETE FROM reread");
});
afterEach(() => closeDatabase(db));
afterAll(data.remove);

const deposits = { recipients: new Map([["0x", 0]]) };
const facts = (checkpoint: number, range: number, now: number) => ({
  checkpoint,
  node: { reader: { range } },
  deposits,
  now,
});

/** Does one slice, if one is due, with a node that takes `range` blocks at a time. Returns the blocks that it read. */
function slice(checkpoint: number, range: number, now: number): { from: number; to: number } | null {
  beginDayPass(db, facts(checkpoint, range, now));
  const row = RereadStore.listOpen(db).find(({ dueAt }) => dueAt <= now || dueAt > now + dayMs);
  if (!row) return null;
  const name = row.reason as PassName;
  const end = row.to ?? checkpoint;
  const from = row.next ?? row.from;
  const to = Math.min(end, from + range * policies[name].callsPerSlice - 1);
  if (to === end) RereadStore.finish(db, row, null, now);
  else RereadStore.save(db, { ...row, next: to + 1, dueAt: nextSliceAt(db, name, end - to, range, now) });
  return { from, to };
}

describe("the pass of a day", () => {
  test("reads every block of a day", () => {
    const seen = new Map<number, number>();
    const blocksPerMinute = 30;
    for (let now = 0; now <= 50 * 60 * minute; now += minute) {
      const blocks = slice(100_000 + (now / minute) * blocksPerMinute, 2_000, now);
      if (!blocks) continue;
      for (let block = blocks.from; block <= blocks.to; block++) seen.set(block, (seen.get(block) ?? 0) + 1);
    }
    const firstDay = Array.from({ length: 24 * 60 * blocksPerMinute }, (_, i) => 100_000 + i);
    expect(firstDay.filter((block) => !seen.has(block))).toEqual([]);
  });

  /** The calls for logs and the slices from one minute to another, with a node that takes `range` blocks at a time. */
  function callsOf(range: number, fromMinute: number, toMinute: number): { logs: number; slices: number } {
    const calls = { logs: 0, slices: 0 };
    for (let now = fromMinute * minute; now < toMinute * minute; now += 10_000) {
      const blocks = slice(200_000 + Math.floor(now / 2_000), range, now);
      if (!blocks) continue;
      calls.logs += Math.ceil((blocks.to - blocks.from + 1) / range);
      calls.slices += 1;
    }
    return calls;
  }

  test("takes few calls an hour", () => {
    callsOf(2_000, 0, 25 * 60);
    const { logs, slices } = callsOf(2_000, 25 * 60, 26 * 60);
    expect(logs + slices).toBeLessThanOrEqual(12);
  });

  test("reads every block once more with a node that takes 10 at a time, in at most 5 calls a minute", () => {
    callsOf(10, 0, 49 * 60);
    expect(callsOf(10, 49 * 60, 73 * 60).logs).toBeGreaterThanOrEqual(4_320);
    const { logs, slices } = callsOf(10, 73 * 60, 74 * 60);
    expect(logs + slices).toBeLessThanOrEqual(5 * 60 + 5);
  });

  test("is left out when it would take a node too many calls", () => {
    expect(beginPass(db, "day", facts(200_000, 100, 0))).toBe(true);
    const [row] = RereadStore.listOpen(db);
    expect(row).toMatchObject({ reason: "day", from: 113_601, to: 200_000 });
    if (row) RereadStore.finish(db, row, null, 0);
    expect(beginPass(db, "day", facts(243_200, 1, 0))).toBe(false);
    expect(RereadStore.listOpen(db)).toEqual([]);
  });

  test("goes on after the clock was set back in the midst of one", () => {
    /** The slices of a time in which the clock is so far ahead. */
    function slices(fromMs: number, toMs: number, aheadMs: number): number {
      let count = 0;
      for (let ms = fromMs; ms < toMs; ms += 10_000)
        if (slice(1_000_000 + Math.floor(ms / 2_000), 500, ms + aheadMs)) count += 1;
      return count;
    }
    const [wrongFromMs, wrongToMs] = [5 * minute, 15 * minute];
    slices(0, wrongFromMs, 0);
    slices(wrongFromMs, wrongToMs, 30 * dayMs);
    // As many as without that.
    expect(slices(wrongToMs, wrongToMs + dayMs, 0)).toBeGreaterThan(20);
    expect(slices(wrongToMs + dayMs, wrongToMs + 2 * dayMs, 0)).toBeGreaterThan(20);
  });
});

describe("the pass over the last blocks", () => {
  test("reaches down to the one before the last one, and at least 64 blocks", () => {
    const blocksOf = (checkpoint: number, range: number) => {
      beginPass(db, "recent", facts(checkpoint, range, 0));
      const [row] = RereadStore.listOpen(db);
      if (row) RereadStore.finish(db, row, null, 0);
      return row && (row.to ?? 0) - row.from + 1;
    };
    expect(blocksOf(1_000, 2_000)).toBe(250);
    expect(blocksOf(1_090, 2_000)).toBe(340);
    expect(blocksOf(1_180, 2_000)).toBe(180);
    expect(blocksOf(1_181, 2_000)).toBe(91);
    expect(blocksOf(1_182, 2_000)).toBe(64);
    expect(blocksOf(1_400, 10)).toBe(64);
    expect(blocksOf(1_800, 2)).toBe(16);
  });
});
