import { describe, expect, test } from "bun:test";
import { backoffMs, createWakeable, sleep } from "../../src/lib/loop.ts";

async function timed(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
}

describe("sleep", () => {
  test("ends at once when aborted, before or meanwhile", async () => {
    expect(await timed(sleep(5_000, AbortSignal.abort()))).toBeLessThan(1_000);
    expect(await timed(sleep(5_000, AbortSignal.timeout(20)))).toBeLessThan(1_000);
  });
});

describe("backoffMs", () => {
  test("doubles from the least to the most, however many failures there were", () => {
    const delays = [1, 2, 3, 4, 5, 5_000].map((failures) => backoffMs(failures, { min: 100, max: 1_000 }));
    expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });
});

describe("createWakeable", () => {
  const never = new AbortController().signal;

  test("remembers a wake that came before the wait, once", async () => {
    const bell = createWakeable();
    bell.wake();
    bell.wake();
    // It says whether it was woken.
    expect(await bell.wait(5_000, never)).toBe(true);
    expect(await bell.wait(50, never)).toBe(false);
  });

  test("ends a wait on a wake and on an abort", async () => {
    const bell = createWakeable();
    const woken = timed(bell.wait(5_000, never));
    bell.wake();
    expect(await woken).toBeLessThan(1_000);
    expect(await timed(bell.wait(5_000, AbortSignal.timeout(20)))).toBeLessThan(1_000);
  });
});
