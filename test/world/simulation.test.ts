import { describe, expect, test } from "bun:test";
import { type Plan, simulate } from "./simulate.ts";

/**
 * `TEST_WORLD_SEEDS=100` tries so many seeds, `TEST_WORLD_SEED=7,8` these, and `TEST_WORLD_DAYS=1` of so many days each. A
 * seed is the same only with the same number of days.
 */
const days = Number(process.env["TEST_WORLD_DAYS"] ?? 0.05);
const given = process.env["TEST_WORLD_SEED"]?.split(",").map(Number);
const runs = Number(process.env["TEST_WORLD_SEEDS"] ?? 0);
/** Two lives that bring, between them, nearly all that can go wrong: lies, lags, silence, full blocks, failing disks. */
const always = [3, 18];
const seeds = given ?? (runs > 0 ? Array.from({ length: runs }, (_, at) => at + 1) : always);

/** The longer, the less happens in an hour. */
const busy =
  days < 1 ? { paymentsPerDay: 400, troublesPerDay: 180 } : { paymentsPerDay: 200, troublesPerDay: 40 };
/** It gives up by itself: a test that is cut off would leave its world to the tests after it. */
const realMsMax = 60_000 + 120_000 * days;
const timeoutMs = realMsMax + 30_000;
const plan = (seed: number): Plan => ({ seed, days, realMsMax, ...busy });

const lives = new Map<number, ReturnType<typeof simulate>>();
function live(seed: number): ReturnType<typeof simulate> {
  const life = simulate(plan(seed));
  lives.set(seed, life);
  return life;
}

describe("all of Till in a simulated world", () => {
  for (const seed of seeds)
    test(
      `loses nothing and invents nothing: seed ${seed}`,
      async () => {
        const { faults } = await live(seed);
        const again = `TEST_WORLD_SEED=${seed} TEST_WORLD_DAYS=${days} bun test test/world/simulation.test.ts`;
        expect(faults.length === 0 ? [] : [again, ...faults]).toEqual([]);
      },
      timeoutMs,
    );

  test(
    "happens twice in the same way, down to the last byte, and otherwise with another seed",
    async () => {
      // The first life has more to do: it loads what the others find loaded.
      const last = seeds.at(-1) ?? 1;
      const before = await ((seeds.length > 1 && lives.get(last)) || live(last));
      expect(await simulate(plan(last))).toEqual(before);
      const digests = (await Promise.all(lives.values())).map(({ digest }) => digest);
      expect(new Set(digests).size).toBe(lives.size);
    },
    2 * timeoutMs,
  );
});
