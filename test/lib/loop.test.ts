import { describe, expect, test } from "bun:test";
import { backoffMs, createWakeable, sleep } from "../../src/lib/loop.ts";

/** Longer than a test may take. */
const longMs = 86_400_000;

describe("sleep", () => {
  test("ends at once when aborted, before or meanwhile", async () => {
    await sleep(longMs, AbortSignal.abort());
    await sleep(longMs, AbortSignal.timeout(20));
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
    expect(await bell.wait(longMs, never)).toBe(true);
    expect(await bell.wait(50, never)).toBe(false);
  });

  test("ends a wait on a wake and on an abort", async () => {
    const bell = createWakeable();
    const woken = bell.wait(longMs, never);
    bell.wake();
    expect(await woken).toBe(true);
    expect(await bell.wait(longMs, AbortSignal.timeout(20))).toBe(false);
  });
});
