import { afterAll, beforeAll } from "bun:test";
import { enter, world } from "../../src/lib/world.ts";

/** Nearly all timers of Till for less than this are pauses; longer ones limit how long an answer may take. */
const pauseMsMax = 10_000;

/**
 * In the tests of this file, timers of Till for less than 10 s are so many times as short: its pauses, and so it may look
 * more often than twice a second. Less time for an answer has a node that the desk or the treasury asks, and whoever
 * receives a webhook. Clocks go as ever, and so does `world.timeout`. For tests in which the point is neither when
 * something happens nor who answers late.
 */
export function hurry(times = 8): void {
  const system = { ...world };
  beforeAll(() =>
    enter({
      ...system,
      setTimeout: (run, ms) => system.setTimeout(run, ms < pauseMsMax ? ms / times : ms),
    }),
  );
  afterAll(() => enter(system));
}
