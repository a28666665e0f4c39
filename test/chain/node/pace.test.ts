import { describe, expect, test } from "bun:test";
import { countsUpTo } from "../../../src/chain/node/confirmations.ts";
import { createPace, paceOf } from "../../../src/chain/node/pace.ts";
import type { Rpc } from "../../../src/chain/node/rpc.ts";

/** A chain whose blocks were made at these times, in ms, as a node of Base tells of them, or one that tells only seconds. */
function nodeOf(
  timeOf: (block: number) => number,
  { head, tells = "ms" }: { head: number; tells?: "ms" | "s" | "lies" },
) {
  const calls = { count: 0 };
  const hex = (value: number) => `0x${Math.floor(value).toString(16)}`;
  const rpc: Rpc = {
    host: "node.example",
    request: async (_, [tag]) => {
      calls.count += 1;
      const number = tag === "latest" ? head : Number(tag);
      const timeMs = timeOf(number);
      const exact = tells === "ms" ? { timestampMs: hex(timeMs) } : {};
      const lie = tells === "lies" ? { timestampMs: hex(timeMs - 3_600_000) } : {};
      const hash = `0x${number.toString(16).padStart(64, "0")}`;
      return { number: hex(number), hash, timestamp: hex(timeMs / 1_000), ...exact, ...lie };
    },
  };
  const newest = {
    number: head,
    timeMs: tells === "ms" ? timeOf(head) : Math.floor(timeOf(head) / 1_000) * 1_000,
  };
  const countsAt = (ms: number) => countsUpTo(rpc, { ms }, newest);
  return { rpc, calls, countsAt };
}
const start = 1_800_000_000_000;
const every = (blockMs: number) => (block: number) => start + block * blockMs;
const head = 100_000;

describe("the pace of a chain", () => {
  test("is a fifth of a second a block until it is measured", () => {
    const pace = createPace();
    expect(pace.blockMs).toBe(200);
    expect([pace.blocks(10_000), pace.blocks(1), pace.blocks(0)]).toEqual([50, 1, 0]);
    // Over so short a time the seconds of a block say nothing.
    pace.note({ number: 1, timeMs: 0 }, { number: 2, timeMs: 9_000 });
    expect(pace.blockMs).toBe(200);
  });

  test.each([200, 2_000, 12_000])(
    "of %d ms a block is measured by newest blocks, and when it changes",
    (blockMs) => {
      const pace = createPace();
      const other = blockMs === 2_000 ? 200 : 2_000;
      for (let block = 0; block * blockMs <= 60_000; block++)
        pace.noteNewest({ number: block, timeMs: block * blockMs });
      expect(pace.blockMs).toBe(blockMs);
      const [from, at] = [60_000 / blockMs, 60_000];
      for (let more = 0; more * other <= 90_000; more++)
        pace.noteNewest({ number: from + more, timeMs: at + more * other });
      expect(pace.blockMs).toBe(other);
    },
  );

  test("is not taken from blocks that replaced later ones", () => {
    const pace = createPace();
    pace.noteNewest({ number: 100, timeMs: 100_000 });
    // Twenty blocks more, and half a minute earlier.
    pace.noteNewest({ number: 120, timeMs: 70_000 });
    expect(pace.blockMs).toBe(200);
    pace.note({ number: 130, timeMs: 60_000 }, { number: 100, timeMs: 100_000 });
    expect(pace.blockMs).toBe(200);
    pace.note({ number: 130, timeMs: 100_000 }, { number: 100, timeMs: 40_000 });
    expect(pace.blockMs).toBe(2_000);
  });

  test("is not taken from a chain that stood still, from a node that lags, or from a lie", () => {
    const pace = createPace();
    pace.noteNewest({ number: 100, timeMs: 100_000 });
    pace.noteNewest({ number: 101, timeMs: 3_700_000 });
    expect(pace.blockMs).toBe(200);
    // It stood for ten minutes between two looks, and went on for half a minute.
    pace.noteNewest({ number: 101 + 150, timeMs: 3_700_000 + 630_000 });
    expect(pace.blockMs).toBe(200);
    pace.noteNewest({ number: 101 + 300, timeMs: 3_700_000 + 660_000 });
    expect(pace.blockMs).toBe(200);
    pace.noteNewest({ number: 90, timeMs: 0 });
    pace.noteNewest({ number: 90, timeMs: 50_000 });
    expect(pace.blockMs).toBe(200);
    pace.note({ number: 1, timeMs: 0 }, { number: 2_000_000, timeMs: 20_000 });
    expect(pace.blockMs).toBe(100);
  });
});

describe("a payment that is to be ten seconds old", () => {
  for (const tells of ["ms", "s"] as const)
    for (const blockMs of [200, 2_000, 12_000])
      test(`counts then at ${blockMs} ms a block, with a node that tells of ${tells}`, async () => {
        const { countsAt, calls, rpc } = nodeOf(every(blockMs), { head, tells });
        const isBetween = (depth: number) => {
          // By less than a second or a block too late, and never too early.
          const ageMs = depth * blockMs;
          expect(ageMs).toBeGreaterThan(tells === "ms" ? 9_999 : 9_000);
          expect(ageMs).toBeLessThan(20_000 + blockMs);
        };
        isBetween(head - (await countsAt(10_000)));
        expect(calls.count).toBeLessThanOrEqual(6);
        expect(paceOf(rpc).blockMs).toBeGreaterThan(blockMs * 0.9);
        expect(paceOf(rpc).blockMs).toBeLessThan(blockMs * 1.1 + 1);
        // Once the pace is known it takes one call.
        calls.count = 0;
        isBetween(head - (await countsAt(10_000)));
        expect(calls.count).toBe(1);
      });

  test("counts then where the node lies about milliseconds", async () => {
    const { countsAt } = nodeOf(every(200), { head, tells: "lies" });
    const depth = head - (await countsAt(10_000));
    expect(depth).toBeGreaterThanOrEqual(45);
    expect(depth).toBeLessThan(101);
  });

  test("counts no sooner when the pace changes, and then again as soon as that is ten seconds ago", async () => {
    // Two seconds a block, and a fifth from some block on.
    const changedAt = head - 25;
    const timeOf = (block: number) =>
      start + Math.min(block, changedAt) * 2_000 + Math.max(0, block - changedAt) * 200;
    const ageAt = async (newest: number) =>
      timeOf(newest) - timeOf(await nodeOf(timeOf, { head: newest }).countsAt(10_000));
    expect(await ageAt(head)).toBeGreaterThanOrEqual(10_000);
    expect(await ageAt(head + 25)).toBe(10_000);
  });

  test("counts no block that is younger on a chain that stood still, and the last one before as soon as there is another", async () => {
    const stoodMs = 3_600_000;
    const timeOf = (block: number) => every(200)(block) + (block === head ? stoodMs : 0);
    const { countsAt } = nodeOf(timeOf, { head });
    expect(await countsAt(10_000)).toBeLessThan(head);
    expect(await countsAt(10_000)).toBeGreaterThan(head - 51);
  });

  test("counts nothing on a chain that is younger than that", async () => {
    const { countsAt } = nodeOf(every(200), { head: 20 });
    expect(await countsAt(10_000)).toBe(-1);
  });
});

/** What is a number of blocks by nature, and why. */
const numbersOfBlocks: Record<string, string> = {
  "src/chain/node/confirmations.ts stateDepthBlocksMax": "nodes keep the state of so many blocks",
  "src/chain/dev/anvil.ts historyBlocksMax": "the local chain keeps the state of so many blocks",
  "src/chain/transfer/crowded-block.ts blocksKeptMax": "so many are remembered",
  "src/doctor/check-node.ts paceBlocks": "the pace is measured over so many",
  "src/store/tables/settle/settlement.ts blocksMax": "the blocks of so many settlements are compared",
};

test("turns times into blocks, and no other file does: a number of blocks needs a reason", async () => {
  const found: string[] = [];
  for await (const file of new Bun.Glob("src/**/*.{ts,tsx}").scan(".")) {
    const text = await Bun.file(file).text();
    for (const [, name = ""] of text.matchAll(/\b(?:const )?(\w*[bB]locks?\w*)\s*[=:]\s*[\d_]{2,}\b/g))
      if (!/Ms|Us|Sec|^eth_/.test(name)) found.push(`${file} ${name}`);
  }
  expect(found.toSorted()).toEqual(Object.keys(numbersOfBlocks).toSorted());
});
