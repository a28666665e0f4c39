import { afterAll, beforeAll, expect, test } from "bun:test";
import { attack } from "./attack.ts";
import { startWorld, type World } from "./world.ts";

/** `TEST_CUSTODY_SEEDS=2000` tries so many seeds, `TEST_CUSTODY_SEED=7,8` these. */
const given = process.env["TEST_CUSTODY_SEED"]?.split(",").map(Number);
const runs = Number(process.env["TEST_CUSTODY_SEEDS"] ?? 4);
const seeds = given ?? Array.from({ length: runs }, (_, at) => at + 1);

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.chain.stop());

for (const seed of seeds)
  test(`whoever does what: a deposit address pays its payout wallet and nobody else: seed ${seed}`, async () => {
    const faults = await attack(world, seed);
    const again = `TEST_CUSTODY_SEED=${seed} bun test --timeout=60000 test/chain/contract/custody`;
    expect(faults.length === 0 ? [] : [again, ...faults]).toEqual([]);
  });
