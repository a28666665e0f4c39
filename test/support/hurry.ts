import { afterAll, beforeAll } from "bun:test";
import { enter, world } from "../../src/lib/world.ts";

/** Till gives nothing less than this for an answer: what is shorter is a pause. */
const pauseMsMax = 10_000;

/**
 * In the tests of this file, pauses of Till are so many times as short, where how long they are is not the point. Clocks
 * go as ever, and what somebody has for an answer stays.
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
