import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createRpc, type Rpc } from "../../src/chain/rpc.ts";
import { ChainMoved, type ScanPlan, scan } from "../../src/chain/scan.ts";
import { createTransferReader, topicOf } from "../../src/chain/transfer-log.ts";
import * as Address from "../../src/domain/address.ts";
import type { BlockRef } from "../../src/domain/block.ts";
import { startTestChain, type TestChain } from "../support/chain.ts";

const deposit = Address.checksum("0x1111111111111111111111111111111111111111");
const stranger = Address.checksum("0x2222222222222222222222222222222222222222");

let chain: TestChain;
let rpc: Rpc;
let start: BlockRef;

beforeAll(async () => {
  chain = await startTestChain();
  rpc = createRpc({ url: chain.rpcUrl });
});
afterAll(() => chain.stop());
beforeEach(async () => {
  await chain.mine(1);
  start = await chain.blockAt("latest");
});

function plan(changes: Partial<ScanPlan> = {}): ScanPlan {
  return {
    rpc,
    reader: createTransferReader(rpc, chain.usdc, 2000),
    checkpoint: start,
    olderCheckpoints: () => [],
    recorded: () => [],
    isKnown: () => false,
    confirmIdentity: async () => {},
    recipients: () => new Map([[topicOf(deposit), 0]]),
    confirmations: 1,
    overlap: 0,
    ...changes,
  };
}

/** An Rpc that changes some of the node's answers on their way. */
function distorted(change: (method: string, answer: unknown, params: readonly unknown[]) => unknown): Rpc {
  return {
    host: rpc.host,
    request: async (method, params) => change(method, await rpc.request(method, params), params),
  };
}

async function scanned(changes: Partial<ScanPlan> = {}) {
  const result = await scan(plan(changes));
  if (result.kind !== "scanned") throw new Error(`the scan ended ${result.kind}`);
  return result;
}

describe("scan", () => {
  test("finds transfers to the watched addresses only, up to the head", async () => {
    await chain.pay(stranger, "5.00");
    const { txHash, blockNumber } = await chain.pay(deposit, 1n);
    await chain.pay(deposit, "2.00");
    const result = await scanned();
    expect(result.transfers.map(({ amount, depositIndex }) => [amount as bigint, depositIndex])).toEqual([
      [1n, 0],
      [2_000_000n, 0],
    ]);
    expect(result.transfers[0]).toMatchObject({ txHash, blockNumber: Number(blockNumber) });
    expect(result.checkpoint).toEqual(await chain.blockAt("latest"));
    expect(result).toMatchObject({ caughtUp: true, undoAbove: null, confirmedUpTo: result.head.number });
  });

  test("counts confirmations from the head, the head itself being the first", async () => {
    await chain.mine(10);
    const { head, confirmedUpTo } = await scanned({ confirmations: 5 });
    expect(head.number - confirmedUpTo).toBe(4);
  });

  test("reads a long gap range by range", async () => {
    const { blockNumber } = await chain.pay(deposit, "1.00");
    await chain.mine(20);
    const reader = createTransferReader(rpc, chain.usdc, 8);
    let checkpoint = start;
    const found: number[] = [];
    for (let steps = 1; ; steps++) {
      const result = await scanned({ reader, checkpoint });
      found.push(...result.transfers.map((transfer) => transfer.blockNumber));
      checkpoint = result.checkpoint;
      if (!result.caughtUp) continue;
      expect(steps).toBe(3);
      break;
    }
    expect(found).toEqual([Number(blockNumber)]);
  });

  test("reads the overlap below the checkpoint again", async () => {
    await chain.pay(deposit, "1.00");
    await chain.mine(3);
    const checkpoint = await chain.blockAt("latest");
    expect((await scanned({ checkpoint, overlap: 0 })).transfers).toHaveLength(0);
    expect((await scanned({ checkpoint, overlap: 15 })).transfers.length).toBeGreaterThan(0);
  });

  test("waits for a node whose head is below the checkpoint, because it lags", async () => {
    const checkpoint = { number: start.number + 3, hash: `0x${"ab".repeat(32)}` };
    expect((await scan(plan({ checkpoint }))).kind).toBe("behind");
  });

  test("after a reorg goes back to the last common checkpoint and reads from there to the head", async () => {
    await chain.mine(3);
    const older = [await chain.blockAt(start.number + 1), start];
    const checkpoint = await chain.blockAt("latest");
    await chain.reorg(2);
    await chain.pay(deposit, "3.00");
    const reader = createTransferReader(rpc, chain.usdc, 1);
    const result = await scanned({ checkpoint, olderCheckpoints: () => older, reader });
    expect(result.undoAbove).toBe(start.number + 1);
    expect(result.caughtUp).toBe(true);
    expect(result.transfers.map(({ amount }) => amount as bigint)).toEqual([3_000_000n]);
  });

  test("after a reorg leaves no block out between the common one and the old checkpoint", async () => {
    await chain.pay(deposit, "1.00");
    await chain.mine(30);
    const checkpoint = await chain.blockAt("latest");
    await chain.reorg(1);
    const startAfter = () => checkpoint.number;
    const result = await scanned({ checkpoint, olderCheckpoints: () => [start], startAfter });
    expect(result.undoAbove).toBe(start.number);
    expect(result.transfers.map(({ amount }) => amount as bigint)).toEqual([1_000_000n]);
  });

  test("finds a recorded transfer whose block was replaced below an unchanged checkpoint", async () => {
    await chain.mine(10);
    const checkpoint = await chain.blockAt("latest");
    const stale = { number: checkpoint.number - 5, hash: `0x${"ab".repeat(32)}` };
    const result = await scanned({ checkpoint, recorded: () => [stale] });
    expect(result.undoAbove).toBe(stale.number - 1);
  });

  test("asks for the addresses after the head, so that a new one is never paid in a block already read", async () => {
    const calls: string[] = [];
    const recorded = distorted((method, answer) => {
      calls.push(method);
      return answer;
    });
    const recipients = () => {
      calls.push("recipients");
      return new Map([[topicOf(deposit), 0]]);
    };
    await scan(plan({ rpc: recorded, reader: createTransferReader(recorded, chain.usdc, 10), recipients }));
    expect(calls.indexOf("recipients")).toBe(1);
    expect(calls[0]).toBe("eth_getBlockByNumber");
  });

  test("believes no log that was not asked for", async () => {
    await chain.pay(deposit, "1.00");
    const changes: Record<string, unknown>[] = [
      { address: stranger },
      { topics: ["0x00", null, topicOf(deposit)] },
      {
        topics: [
          `0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef`,
          null,
          topicOf(stranger),
        ],
      },
      { blockNumber: "0xffffff" },
      { removed: true },
      { data: "0x" },
      { data: `0x${"f".repeat(64)}` },
      { blockHash: "0x12" },
      { logIndex: -1 },
    ];
    for (const change of changes) {
      const lying = distorted((method, answer) =>
        method === "eth_getLogs" ? (answer as object[]).map((log) => ({ ...log, ...change })) : answer,
      );
      const reader = createTransferReader(lying, chain.usdc, 2000);
      await expect(scan(plan({ rpc: lying, reader }))).rejects.toMatchObject({ name: "BadAnswer" });
    }
  });

  test("takes nothing from a branch that the head does not belong to", async () => {
    await chain.pay(deposit, "1.00");
    await chain.mine(2);
    const otherBranch = distorted((method, answer) =>
      method === "eth_getLogs"
        ? (answer as object[]).map((log) => ({ ...log, blockHash: `0x${"cd".repeat(32)}` }))
        : answer,
    );
    const reader = createTransferReader(otherBranch, chain.usdc, 2000);
    await expect(scan(plan({ rpc: otherBranch, reader }))).rejects.toBeInstanceOf(ChainMoved);
  });

  test("takes nothing when the node became one of another chain while a long gap was read", async () => {
    await chain.mine(20);
    let calls = 0;
    const turning = distorted((method, answer, [tag]) => {
      calls += 1;
      if (calls <= 2) return answer;
      if (method === "eth_getLogs") return [];
      return { ...(answer as object), hash: `0x${Number(tag).toString(16).padStart(64, "e")}` };
    });
    const reader = createTransferReader(turning, chain.usdc, 8);
    await expect(scan(plan({ rpc: turning, reader }))).rejects.toBeInstanceOf(ChainMoved);
  });

  test("takes nothing when the head was replaced while it was being read", async () => {
    let reads = 0;
    const moving = distorted((method, answer) => {
      if (method !== "eth_getBlockByNumber") return answer;
      reads += 1;
      return reads === 1 ? { ...(answer as object), hash: `0x${"ef".repeat(32)}` } : answer;
    });
    await expect(scan(plan({ rpc: moving }))).rejects.toBeInstanceOf(ChainMoved);
  });

  test("refuses a log far below the head whose block has another hash, unless it is recorded", async () => {
    const { blockNumber } = await chain.pay(deposit, "1.00");
    await chain.mine(100);
    const other = `0x${"cd".repeat(32)}`;
    const lying = distorted((method, answer) =>
      method === "eth_getLogs"
        ? (answer as Record<string, unknown>[]).map((log) => ({ ...log, blockHash: other }))
        : answer,
    );
    const lie = { rpc: lying, reader: createTransferReader(lying, chain.usdc, 2000) };
    await expect(scanned(lie)).rejects.toThrow(`block ${blockNumber} with two different hashes`);
    expect((await scanned({ ...lie, isKnown: () => true })).transfers).toHaveLength(1);
  });
});
