import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Node } from "../../../src/chain/node/nodes.ts";
import { logCallsPerHour, paceOf } from "../../../src/chain/node/pace.ts";
import type { Transfer } from "../../../src/domain/payment/transfer.ts";
import { createLog } from "../../../src/lib/log.ts";
import * as CheckpointStore from "../../../src/store/tables/watch/checkpoint.ts";
import type { Watching } from "../../../src/watch/deposits.ts";
import { createSweep } from "../../../src/watch/reread/sweep.ts";
import { db, makeDatabase, removeDatabase } from "../../support/till/database.ts";
import { putCheckpoint } from "../../support/watch/looked.ts";

beforeEach(makeDatabase);
afterEach(removeDatabase);

const left = { blockNumber: 7_000 } as Transfer;

/** A sweep with a node that takes `range` blocks in one call, of a chain that was read up to `head`. */
function sweepOf(range: number, head: number) {
  const read: { from: number; to: number }[] = [];
  const booked: Transfer[] = [];
  const logged: string[] = [];
  let clockMs = 0;
  const reader = {
    range,
    readSome: async ({ from, to }: { from: number; to: number }) => {
      read.push({ from, to });
      return { to, transfers: from <= left.blockNumber && left.blockNumber <= to ? [left] : [] };
    },
  };
  const node = {
    id: "node",
    rpc: { host: "node.example", request: async () => null },
    reader,
  } as unknown as Node;
  const sweep = createSweep(
    {
      db,
      clock: () => clockMs,
      log: createLog({ format: "text", level: "debug", write: (line) => logged.push(line) }),
      nodes: { for: () => node },
      deposits: { recipients: new Map([["0x", 0]]) },
    } as unknown as Watching,
    async (transfers) => booked.push(...transfers),
  );
  const moveTo = (number: number) => putCheckpoint(db, { number, hash: "0x1" });
  moveTo(head);
  /** Does what is due. */
  async function work() {
    for (let ms = sweep.dueInMs(); ms !== null && ms <= 1_000; ms = sweep.dueInMs()) {
      clockMs += ms;
      await sweep.slice(node);
    }
  }
  return { sweep, node, read, booked, logged, moveTo, work };
}

test("reads the logs of every block once, as many at a time as the node takes, a while after they were made", async () => {
  const { sweep, read, moveTo, work, node } = sweepOf(2_000, 1_000);
  expect(sweep.dueInMs()).toBeNull();
  expect(CheckpointStore.sweptTo(db)).toBe(1_000);
  moveTo(10_000);
  await work();
  moveTo(10_449 + 2_000);
  await work();
  // The newest are younger than a minute and a half.
  expect(read).toEqual([
    { from: 1_001, to: 3_000 },
    { from: 3_001, to: 5_000 },
    { from: 5_001, to: 7_000 },
    { from: 7_001, to: 9_000 },
    { from: 9_001, to: 11_000 },
  ]);
  const blocksLeftMs = (11_000 + 2_000 + paceOf(node.rpc).blocks(90_000) - 12_449) * 200;
  expect(sweep.dueInMs()).toBe(blocksLeftMs);
  expect(sweep.warnings()).toEqual([]);
});

test("books what a node had left out, and tells the log", async () => {
  const { booked, logged, moveTo, work } = sweepOf(2_000, 1_000);
  await work();
  moveTo(10_000);
  await work();
  expect(booked).toEqual([left]);
  expect(logged.join()).toContain("[chain.incomplete]");
});

test("is left out where it would take too many calls, and says what that means", async () => {
  const { sweep, moveTo, read, work } = sweepOf(10, 1_000);
  await work();
  moveTo(100_000);
  await work();
  expect(read).toEqual([]);
  expect(sweep.warnings().join()).toMatch(/takes only 10 blocks .* would take 1800 calls an hour/);
});

test("takes some calls an hour on Base, and fewer where blocks are slower", () => {
  expect(logCallsPerHour(2_000, 200)).toBe(9);
  expect(logCallsPerHour(2_000, 2_000)).toBeCloseTo(0.9);
  expect(logCallsPerHour(10, 200)).toBe(1_800);
});
