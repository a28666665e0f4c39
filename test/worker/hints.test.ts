import { expect, test } from "bun:test";
import { createHints } from "../../src/worker/hints.ts";

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
