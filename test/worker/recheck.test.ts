import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeDatabase, type Db, openDatabase } from "../../src/store/database.ts";
import { createRecheck, type Recheck } from "../../src/worker/recheck.ts";
import { makeDataDir } from "../support/data-dir.ts";

const minute = 60_000;

const data = makeDataDir();
let db: Db;
beforeEach(() => {
  db = openDatabase(data.path);
  db.run("DELETE FROM recheck_pass");
});
afterEach(() => closeDatabase(db));
afterAll(data.remove);

describe("createRecheck", () => {
  test("reads every block of a day at least once more, also when Till is started again and again", () => {
    let recheck = createRecheck(db, 0);
    const seen = new Map<number, number>();
    const blocksPerMinute = 30;
    for (let now = 0; now <= 30 * 60 * minute; now += minute) {
      const checkpoint = 100_000 + (now / minute) * blocksPerMinute;
      if (now % (20 * minute) === 0) recheck = createRecheck(db, now);
      if (recheck.dueInMs(now) > 0) continue;
      const blocks = recheck.next(checkpoint, 2_000, now);
      if (!blocks) continue;
      const to = Math.min(blocks.to, blocks.from + 1_999);
      for (let block = blocks.from; block <= to; block++) seen.set(block, (seen.get(block) ?? 0) + 1);
      recheck.done({ from: blocks.from, to }, 2_000, now);
    }
    const firstDay = Array.from({ length: 24 * 60 * blocksPerMinute }, (_, i) => 100_000 + i);
    expect(firstDay.filter((block) => (seen.get(block) ?? 0) < 2)).toEqual([]);
  });

  /** The calls of an hour or a day with a node that takes `range` blocks at a time. */
  function callsOf(recheck: Recheck, range: number, fromMinute: number, toMinute: number): number {
    let calls = 0;
    for (let now = fromMinute * minute; now < toMinute * minute; now += 1_000) {
      if (recheck.dueInMs(now) > 0) continue;
      const blocks = recheck.next(200_000 + Math.floor(now / 2_000), range, now);
      if (!blocks) continue;
      calls += 1;
      recheck.done({ from: blocks.from, to: Math.min(blocks.to, blocks.from + range - 1) }, range, now);
    }
    return calls;
  }

  test("takes few calls an hour", () => {
    const recheck = createRecheck(db, 0);
    callsOf(recheck, 2_000, 0, 25 * 60);
    expect(callsOf(recheck, 2_000, 25 * 60, 26 * 60)).toBeLessThanOrEqual(6);
  });

  test("reads every block once more with a node that takes 10 at a time, in at most 4 calls a minute", () => {
    const recheck = createRecheck(db, 0);
    callsOf(recheck, 10, 0, 49 * 60);
    const day = callsOf(recheck, 10, 49 * 60, 73 * 60);
    expect(day).toBeGreaterThanOrEqual(4_320);
    expect(callsOf(recheck, 10, 73 * 60, 74 * 60)).toBeLessThanOrEqual(4 * 60 + 1);
  });

  test("leaves a pass out that would take a node too many calls, and goes on after a failure", () => {
    const recheck = createRecheck(db, 0);
    expect(recheck.next(200_000, 100, 3 * minute)).toEqual({ from: 196_401, to: 200_000 });
    recheck.giveUp();
    expect(recheck.next(200_000, 100, 3 * minute)).toBeNull();
    expect(recheck.next(201_800, 1, 64 * minute)).toBeNull();
  });

  test("reads nothing above a checkpoint that a reorg has lowered", () => {
    const recheck = createRecheck(db, 0);
    recheck.next(200_000, 2_000, 3 * minute);
    expect(recheck.next(190_000, 2_000, 3 * minute)).toBeNull();
    expect(recheck.dueInMs(3 * minute)).toBeGreaterThan(0);
  });

  test("reads older blocks again in its passes after the clock was set back in the midst of one", () => {
    const dayMs = 24 * 60 * minute;
    const recheck = createRecheck(db, 0);
    /** The slices of a time in which the clock is so far ahead. */
    function slices(fromMs: number, toMs: number, aheadMs: number): number {
      let count = 0;
      for (let ms = fromMs; ms < toMs; ms += 1_000) {
        const at = ms + aheadMs;
        if (recheck.dueInMs(at) > 0) continue;
        const blocks = recheck.next(1_000_000 + Math.floor(ms / 2_000), 2_000, at);
        if (!blocks) continue;
        count += 1;
        recheck.done({ from: blocks.from, to: Math.min(blocks.to, blocks.from + 1_999) }, 2_000, at);
      }
      return count;
    }
    const [wrongFromMs, wrongToMs] = [5 * minute, 15 * minute];
    slices(0, wrongFromMs, 0);
    slices(wrongFromMs, wrongToMs, 30 * dayMs);
    // About a hundred a day, as without that.
    expect(slices(wrongToMs, wrongToMs + dayMs, 0)).toBeGreaterThan(60);
    expect(slices(wrongToMs + dayMs, wrongToMs + 2 * dayMs, 0)).toBeGreaterThan(60);
  });
});
