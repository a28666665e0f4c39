import { expect, test } from "bun:test";
import { createCheckpointDoubt } from "../../src/worker/checkpoint-doubt.ts";

const block = (number: number, timestampSec: number) => ({ number, hash: "0x", timestampSec });

test("needs ten minutes of growing heads that are up to date, of every node", () => {
  const doubt = createCheckpointDoubt(2);
  for (let sec = 0; sec <= 600; sec += 5) doubt.behind("one", block(100 + sec, sec), sec * 1000);
  expect(doubt.isCertain(600_000)).toBe(false);
  for (let sec = 601; sec <= 610; sec += 1) doubt.behind("two", block(100 + sec, sec), sec * 1000);
  expect(doubt.isCertain(610_000)).toBe(true);
  doubt.cleared();
  expect(doubt.isCertain(610_000)).toBe(false);
});

test("does not arise from a node that lags, or from one that stands still", () => {
  const lagging = createCheckpointDoubt(1);
  for (let sec = 0; sec <= 900; sec += 5) lagging.behind("one", block(100 + sec, sec - 61), sec * 1000);
  expect(lagging.isCertain(900_000)).toBe(false);
  const standing = createCheckpointDoubt(1);
  for (let sec = 0; sec <= 900; sec += 5) standing.behind("one", block(100, sec), sec * 1000);
  expect(standing.isCertain(900_000)).toBe(false);
});
