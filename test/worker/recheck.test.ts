import { describe, expect, test } from "bun:test";
import { parseConfig } from "../../src/config.ts";
import { createDeepRescan } from "../../src/worker/deep-rescan.ts";
import { createHints } from "../../src/worker/hints.ts";
import { createProviders } from "../../src/worker/providers.ts";
import { createRecheck } from "../../src/worker/recheck.ts";

const minute = 60_000;

describe("createRecheck", () => {
  test("reads every block of a day at least once more, also when Till started with a gap", () => {
    const recheck = createRecheck(0);
    const seen = new Map<number, number>();
    const blocksPerMinute = 30;
    for (let now = 0; now <= 30 * 60 * minute; now += minute) {
      const checkpoint = 100_000 + (now / minute) * blocksPerMinute;
      for (
        let slice = recheck.next(checkpoint, 2_000, now);
        slice;
        slice = recheck.next(checkpoint, 2_000, now)
      ) {
        for (let block = slice.from; block <= slice.to; block++) seen.set(block, (seen.get(block) ?? 0) + 1);
        recheck.done(slice);
      }
    }
    const firstDay = Array.from({ length: 24 * 60 * blocksPerMinute }, (_, i) => 100_000 + i);
    expect(firstDay.filter((block) => (seen.get(block) ?? 0) < 2)).toEqual([]);
  });

  test("leaves a pass out that would take a node too many calls, and goes on after a failure", () => {
    const recheck = createRecheck(0);
    const slice = recheck.next(200_000, 10, 3 * minute);
    expect(slice).toEqual({ from: 196_401, to: 196_410 });
    recheck.giveUp();
    expect(recheck.next(200_000, 10, 3 * minute)).toBeNull();
    expect(recheck.next(201_800, 1, 62 * minute)).toBeNull();
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
});
