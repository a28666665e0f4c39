import { expect, test } from "bun:test";
import { overlapBlocks } from "../../src/chain/scan.ts";
import { createDeepRescan } from "../../src/worker/deep-rescan.ts";

const minute = 60_000;

test("reaches down to the rescan before the last one", () => {
  const deep = createDeepRescan(0);
  expect(deep.overlap(1_000, 2_000, 0)).toBe(15);
  expect(deep.overlap(1_000, 2_000, 3 * minute)).toBe(64);
  deep.done(1_000, 3 * minute);
  deep.done(1_090, 6 * minute);
  expect(deep.overlap(1_180, 2_000, 9 * minute)).toBe(180);
  expect(deep.overlap(1_180, 10, 9 * minute)).toBe(80);
});

test("goes on after the clock was set back", () => {
  const now = 1_800_000_000_000;
  const setBackMs = 30 * 86_400_000;
  const rescan = createDeepRescan(now);
  const overlap = (at: number) => rescan.overlap(10_000, 1_000, at);
  expect(overlap(now)).toBe(overlapBlocks);
  expect(overlap(now - setBackMs)).toBeGreaterThan(overlapBlocks);
  rescan.done(10_000, now - setBackMs);
  expect(overlap(now - setBackMs)).toBe(overlapBlocks);
});
