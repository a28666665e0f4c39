import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { ChainMoved } from "../../src/chain/node/block.ts";
import { createRpc, type Rpc } from "../../src/chain/node/rpc.ts";
import { createTransferReader, topicOf } from "../../src/chain/transfer/transfer-log.ts";
import type { BlockRef } from "../../src/domain/payment/block.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { transact } from "../../src/store/database.ts";
import * as CheckpointStore from "../../src/store/tables/watch/checkpoint.ts";
import * as TransferStore from "../../src/store/tables/watch/transfer.ts";
import { type ScanOptions, scan } from "../../src/watch/scan.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { storeInvoice } from "../support/till/records.ts";
import { usdc } from "../support/usdc.ts";

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
  makeDatabase();
  storeInvoice(db);
  await chain.mine(1);
  start = await chain.blockAt("latest");
});
afterEach(removeDatabase);

const recipients = new Map([[topicOf(deposit), 0]]);
type Changes = Partial<ScanOptions> & { rpc?: Rpc; range?: number; checkpoint?: BlockRef };

function look({ rpc: through = rpc, range = 2000, checkpoint = start, ...changes }: Changes = {}) {
  const options: ScanOptions = {
    db,
    node: { rpc: through, reader: createTransferReader(through, chain.usdc, range) },
    deposits: { recipients, oldestCreation: () => null },
    confirmations: 1,
    check: async () => {},
    overlap: 15,
    recordedDepth: 15,
    isCheckpointFalse: false,
    now: Date.now(),
    ...changes,
  };
  return scan(options, checkpoint);
}

/** A transfer in a block as it is recorded. */
function record({ number, hash }: BlockRef, logIndex = 0): void {
  const place = {
    blockNumber: number,
    blockHash: hash,
    logIndex,
    txHash: hash,
    depositIndex: 0,
    payer: stranger,
  };
  transact(
    db,
    () => void TransferStore.insert(db, { ...place, amount: usdc("1.00") }, true, { seenAt: 1, madeAt: 1 }),
  );
}

/** An Rpc that changes some of the node's answers on their way. */
function distorted(change: (method: string, answer: unknown, params: readonly unknown[]) => unknown): Rpc {
  return {
    host: rpc.host,
    request: async (method, params) => change(method, await rpc.request(method, params), params),
  };
}

async function scanned(changes: Changes = {}) {
  const result = await look(changes);
  if (result.kind === "behind") throw new Error("the node is behind");
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
    expect(result).toMatchObject({ kind: "next", undoAbove: null, confirmedUpTo: result.head.number });
  });

  test("counts confirmations from the head, the head itself being the first", async () => {
    await chain.mine(10);
    const { head, confirmedUpTo } = await scanned({ confirmations: 5 });
    expect(head.number - confirmedUpTo).toBe(4);
  });

  test("reads a long gap range by range", async () => {
    const { blockNumber } = await chain.pay(deposit, "1.00");
    await chain.mine(20);
    let checkpoint = start;
    const found: number[] = [];
    for (let steps = 1; ; steps++) {
      const result = await scanned({ range: 8, checkpoint });
      found.push(...result.transfers.map((transfer) => transfer.blockNumber));
      checkpoint = result.checkpoint;
      if (result.kind === "gap") continue;
      expect(steps).toBe(3);
      break;
    }
    expect(found).toEqual([Number(blockNumber)]);
  });

  test("reads the overlap below the checkpoint again", async () => {
    await chain.pay(deposit, "1.00");
    await chain.mine(14);
    const checkpoint = await chain.blockAt("latest");
    expect((await scanned({ checkpoint })).transfers).toHaveLength(1);
    await chain.mine(1);
    expect((await scanned({ checkpoint: await chain.blockAt("latest") })).transfers).toHaveLength(0);
  });

  test("waits for a node whose head is below the checkpoint, because it lags", async () => {
    const checkpoint = { number: start.number + 3, hash: `0x${"ab".repeat(32)}` };
    expect((await look({ checkpoint })).kind).toBe("behind");
  });

  test("after a reorg goes back to the last common checkpoint and reads from there to the head", async () => {
    await chain.mine(3);
    for (const block of [await chain.blockAt(start.number + 1), start]) CheckpointStore.put(db, block);
    const checkpoint = await chain.blockAt("latest");
    await chain.reorg(2);
    await chain.pay(deposit, "3.00");
    const result = await scanned({ checkpoint, range: 1 });
    expect(result).toMatchObject({ kind: "replaced", undoAbove: start.number + 1 });
    expect(result.transfers.map(({ amount }) => amount as bigint)).toEqual([3_000_000n]);
  });

  test("after a reorg leaves no block out between the common one and the old checkpoint", async () => {
    await chain.pay(deposit, "1.00");
    await chain.mine(30);
    const checkpoint = await chain.blockAt("latest");
    await chain.reorg(1);
    CheckpointStore.put(db, start);
    // Every address is so new that the scan would begin near the head.
    const result = await scanned({ checkpoint, deposits: { recipients, oldestCreation: () => Date.now() } });
    expect(result.undoAbove).toBe(start.number);
    const since = result.transfers.filter(({ blockNumber }) => blockNumber > start.number);
    expect(since.map(({ amount }) => amount as bigint)).toEqual([1_000_000n]);
  });

  test("finds a recorded transfer whose block was replaced below an unchanged checkpoint", async () => {
    await chain.mine(10);
    const checkpoint = await chain.blockAt("latest");
    const stale = { number: checkpoint.number - 5, hash: `0x${"ab".repeat(32)}` };
    record(stale);
    expect(await scanned({ checkpoint })).toMatchObject({ kind: "replaced", undoAbove: stale.number - 1 });
  });

  test("asks for the addresses after the head, so that a new one is never paid in a block already read", async () => {
    const calls: string[] = [];
    const recorded = distorted((method, answer) => {
      calls.push(method);
      return answer;
    });
    const deposits = {
      get recipients() {
        calls.push("recipients");
        return recipients;
      },
      oldestCreation: () => null,
    };
    await look({ rpc: recorded, deposits });
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
      await expect(look({ rpc: lying })).rejects.toMatchObject({ name: "BadAnswer" });
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
    await expect(look({ rpc: otherBranch })).rejects.toBeInstanceOf(ChainMoved);
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
    await expect(look({ rpc: turning, range: 8 })).rejects.toBeInstanceOf(ChainMoved);
  });

  test("takes nothing when the head was replaced while it was being read", async () => {
    let reads = 0;
    const moving = distorted((method, answer) => {
      if (method !== "eth_getBlockByNumber") return answer;
      reads += 1;
      return reads === 1 ? { ...(answer as object), hash: `0x${"ef".repeat(32)}` } : answer;
    });
    await expect(look({ rpc: moving })).rejects.toBeInstanceOf(ChainMoved);
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
    await expect(look({ rpc: lying })).rejects.toThrow(`block ${blockNumber} with two different hashes`);
    const [log] = (await chain.rpc("eth_getLogs", [
      {
        address: chain.usdc,
        fromBlock: `0x${blockNumber.toString(16)}`,
        toBlock: `0x${blockNumber.toString(16)}`,
      },
    ])) as { logIndex: string }[];
    record({ number: Number(blockNumber), hash: other }, Number(log?.logIndex));
    expect((await scanned({ rpc: lying })).transfers).toHaveLength(1);
  });
});
