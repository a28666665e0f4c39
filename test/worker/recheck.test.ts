import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { parseConfig } from "../../src/config.ts";
import { closeDatabase, type Db, openDatabase } from "../../src/store/database.ts";
import { createDeepRescan } from "../../src/worker/deep-rescan.ts";
import { createHints } from "../../src/worker/hints.ts";
import { createProviders } from "../../src/worker/providers.ts";
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
});

describe("createDeepRescan", () => {
  test("reaches down to the rescan before the last one", () => {
    const deep = createDeepRescan(0);
    expect(deep.overlap(1_000, 2_000, 0)).toBe(15);
    expect(deep.overlap(1_000, 2_000, 3 * minute)).toBe(64);
    deep.done(1_000, 3 * minute);
    deep.done(1_090, 6 * minute);
    expect(deep.overlap(1_180, 2_000, 9 * minute)).toBe(180);
    expect(deep.overlap(1_180, 10, 9 * minute)).toBe(80);
  });
});

describe("createHints", () => {
  test("asks again for a promised transfer until it is found, less and less often", () => {
    const hints = createHints();
    hints.note({ blockNumber: 50, holdsTransfer: true });
    expect(hints.depth(60)).toBe(11);
    expect(hints.review(60, new Set(), 0).retryMs).toBe(250);
    expect(hints.review(60, new Set(), 100).retryMs).toBe(150);
    expect(hints.review(60, new Set(), 250).retryMs).toBe(500);
    expect(hints.review(60, new Set([50]), 750)).toEqual({ retryMs: null, gaveUp: false });
    expect(hints.depth(60)).toBe(0);
  });

  test("gives up a block that never comes, so that a lie does not make it ask for ever", () => {
    const hints = createHints();
    hints.note({ blockNumber: 2 ** 40, holdsTransfer: true });
    let now = 0;
    let tries = 0;
    for (;;) {
      const { retryMs, gaveUp } = hints.review(60, new Set(), now);
      if (gaveUp) break;
      now += retryMs ?? 0;
      tries += 1;
    }
    expect(tries).toBe(8);
    expect(now).toBeLessThan(70_000);
  });
});

describe("createProviders", () => {
  const config = parseConfig({
    TILL_RPC_URL: "http://one.example,http://two.example",
    TILL_WALLET_PASSPHRASE: "correct horse battery staple",
  });

  test("goes on to the next node at once, waits when all have failed, and returns to the first", () => {
    const providers = createProviders(config, new AbortController().signal, () => {});
    const host = (now: number) => providers.current(now).rpc.host;
    expect(host(0)).toBe("one.example");
    expect(providers.failed(0)).toBe(true);
    expect(host(1)).toBe("two.example");
    expect(host(59_999)).toBe("two.example");
    expect(providers.failed(2)).toBe(false);
    expect(host(3)).toBe("one.example");
    providers.failed(4);
    expect(host(60_004)).toBe("one.example");
  });

  test("turns to a node that is wanted and returns to the first, each time to be identified anew", () => {
    const providers = createProviders(config, new AbortController().signal, () => {});
    const first = providers.current(0);
    first.identified = true;
    const second = providers.after(first);
    expect(second.rpc.host).toBe("two.example");
    expect(providers.after(second)).toBe(first);
    expect(providers.turnTo(first, 0)).toBe(false);
    expect(providers.turnTo(second, 0)).toBe(true);
    expect(first.identified).toBe(false);
    expect(providers.current(59_999)).toBe(second);
    second.identified = true;
    expect(providers.current(60_000)).toBe(first);
    expect(second.identified).toBe(false);
  });
});
