import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { ChainMoved } from "../../src/chain/node/block.ts";
import { beginPace } from "../../src/chain/node/pace.ts";
import { createRpc, type Rpc, RpcError } from "../../src/chain/node/rpc.ts";
import { createTransferReader, topicOf, transferTopic } from "../../src/chain/transfer/transfer-log.ts";
import { paymentWarnings } from "../../src/doctor/money-findings.ts";
import type { BlockRef } from "../../src/domain/payment/block.ts";
import type { Deposit } from "../../src/domain/payment/deposit.ts";
import type { Transfer } from "../../src/domain/payment/transfer.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { transact } from "../../src/store/database.ts";
import * as DepositStore from "../../src/store/tables/invoicing/deposit.ts";
import * as BalanceStore from "../../src/store/tables/watch/balance.ts";
import * as DepositTransferStore from "../../src/store/tables/watch/deposit-transfer.ts";
import * as TransferStore from "../../src/store/tables/watch/transfer.ts";
import { createWatchedDeposits, type WatchedDeposits } from "../../src/watch/deposits.ts";
import { type LookOptions, look } from "../../src/watch/look.ts";
import { applyScan } from "../../src/watch/payment/payment.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { deployFactory } from "../support/chain/evm.ts";
import { flushAsStranger, newWallet } from "../support/chain/settlement.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";
import { recordSettings, storeInvoice } from "../support/till/records.ts";
import { usdc } from "../support/usdc.ts";

const stranger = Address.checksum("0x2222222222222222222222222222222222222222");
const logCallsMax = 8;
/** On a chain that is so slow, so many are made in the ten minutes in which it may be reorganised. */
const [slowMs, forgottenBlocks] = [15_000, 40];

let chain: TestChain;
let rpc: Rpc;
let start: BlockRef;
let deposit: Deposit;
let deposits: WatchedDeposits;

beforeAll(async () => {
  chain = await startTestChain();
  await deployFactory(chain);
  rpc = createRpc({ url: chain.rpcUrl });
});
afterAll(() => chain.stop());
beforeEach(async () => {
  makeDatabase();
  deposit = newDeposit();
  deposits = createWatchedDeposits(db, Date.now, () => 0);
  await deposits.load();
  await chain.mine(1);
  start = await chain.blockAt("latest");
});
afterEach(removeDatabase);

/** Each test has an address of its own, as they share a chain. */
const newDeposit = () => storeInvoice(db, { payoutWallet: newWallet() }).deposit;

type Changes = Partial<LookOptions> & { rpc?: Rpc; range?: number; from?: BlockRef };

function lookOnce({ rpc: through = rpc, range = 2_000, from = start, ...changes }: Changes = {}) {
  const options: LookOptions = {
    db,
    node: { rpc: through, reader: createTransferReader(through, chain.usdc, range) },
    usdc: chain.usdc,
    deposits,
    confirmations: 1,
    announced: new Map(),
    check: async () => {},
    isClose: false,
    isCheckpointFalse: () => false,
    isCountWanted: false,
    now: () => 1,
    ...changes,
  };
  return look(options, from);
}

async function looked(changes: Changes = {}) {
  const result = await lookOnce(changes);
  if (result.kind === "behind") throw new Error("the node is behind");
  return result;
}

/** An Rpc that changes some of the node's answers on their way. */
function distorted(change: (method: string, answer: unknown, params: readonly unknown[]) => unknown): Rpc {
  return {
    host: rpc.host,
    request: async (method, params) => change(method, await rpc.request(method, params), params),
  };
}
/** A node, or one of several behind a URL, that knows no block above this one. */
const behindAt = (head: number): Rpc => ({
  host: rpc.host,
  request: async (method, [first, tag]) => {
    if (method === "eth_getBlockByNumber" && Number(first) > head) return null;
    return rpc.request(method, tag === "latest" ? [first, `0x${head.toString(16)}`] : [first, tag]);
  },
});
/** A node that has forgotten the header of this block, or does not know it yet, and says so in this way. */
function withoutHeader(block: number, says: "null" | "an error"): Rpc {
  const without: Rpc = {
    host: rpc.host,
    async request(method, params) {
      if (method !== "eth_getBlockByNumber" || Number(params[0]) !== block)
        return rpc.request(method, params);
      if (says === "null") return null;
      throw new RpcError(rpc.host, method, 4444, "pruned history unavailable");
    },
  };
  beginPace(without, slowMs);
  return without;
}
const withLogs = (change: (logs: Record<string, unknown>[]) => unknown) =>
  distorted((method, answer) =>
    method === "eth_getLogs" ? change(answer as Record<string, unknown>[]) : answer,
  );

/** Records a payment as a look found it. */
function record(transfers: readonly Transfer[], isConfirmed = false): void {
  const times = { seenAt: 1, madeAt: 1 };
  transact(db, () => {
    for (const transfer of transfers) TransferStore.insert(db, transfer, isConfirmed, times);
    for (const { depositIndex } of transfers) DepositStore.recompute(db, depositIndex, 1);
  });
  deposits.changed(transfers.map(({ depositIndex }) => depositIndex));
}

const amounts = (transfers: readonly Transfer[]) => transfers.map(({ amount }) => amount as bigint);
const pay = async (amount: string | bigint, to = deposit.address) =>
  Number((await chain.pay(to, amount)).blockNumber);

describe("a look", () => {
  test("finds what came to the watched addresses, up to the newest block", async () => {
    await pay("5.00", stranger);
    const { txHash, blockNumber } = await chain.pay(deposit.address, 1n);
    const newest = await pay("2.00");
    const result = await looked();
    expect(amounts(result.transfers)).toEqual([1n, 2_000_000n]);
    expect(result.transfers[0]).toMatchObject({ txHash, blockNumber: Number(blockNumber), depositIndex: 0 });
    expect(result).toMatchObject({ confirmedUpTo: newest, replaced: [], late: [], isReorganised: false });
    // What is complete is known with its hash: the block before the newest.
    expect(result.checkpoint).toEqual(await chain.blockAt(newest - 1));
    expect(result.head.number).toBe(newest);
  });

  test("asks for nothing but what addresses hold while nothing came", async () => {
    await chain.mine(3);
    const methods: string[] = [];
    const recorded = distorted((method, answer) => {
      methods.push(method);
      return answer;
    });
    await looked({ rpc: recorded });
    expect(methods).toEqual(["eth_call"]);
  });

  test("knows with one call that nothing came, however long the last look was ago", async () => {
    await chain.mine(200);
    const methods: string[] = [];
    const recorded = distorted((method, answer) => {
      methods.push(method);
      return answer;
    });
    const { checkpoint } = await looked({ rpc: recorded, range: 1 });
    expect(methods).toEqual(["eth_call"]);
    expect(checkpoint).toEqual(await chain.blockAt(start.number + 199));
  });

  test("says which block is the newest also when there is nothing to watch", async () => {
    deposits = createWatchedDeposits(db, Date.now, () => 0);
    const { checkpoint, confirmedUpTo, transfers } = await looked({ isCountWanted: true });
    expect(checkpoint).toEqual(await chain.blockAt(start.number - 1));
    expect({ confirmedUpTo, transfers }).toEqual({ confirmedUpTo: start.number, transfers: [] });
  });

  test("counts confirmations from the newest block, itself being the first", async () => {
    await pay("1.00");
    await chain.mine(10);
    const { head, confirmedUpTo } = await looked({ confirmations: 5 });
    expect(head.number - confirmedUpTo).toBe(4);
  });

  test("takes money for late that no log tells of, and the rest of what logs tell of in part", async () => {
    await pay("1.00");
    const late = { indices: [0], from: start.number + 1 };
    expect(await looked({ rpc: withLogs(() => []) })).toMatchObject({
      transfers: [],
      late: [{ ...late, amount: 1_000_000n }],
    });
    await pay("2.00");
    const { transfers, late: rest } = await looked({ rpc: withLogs((logs) => logs.slice(0, 1)) });
    expect(amounts(transfers)).toEqual([1_000_000n]);
    expect(rest).toEqual([{ ...late, amount: 2_000_000n }]);
  });

  test("reads only the blocks that a node told of when all would take too many calls", async () => {
    const told = await pay("1.00");
    await chain.mine(2 * logCallsMax);
    const untold = await pay("2.00");
    const asked: unknown[] = [];
    const recorded = distorted((method, answer, params) => {
      if (method === "eth_getLogs") asked.push(params[0]);
      return answer;
    });
    const announced = new Map([[told, new Set([0])]]);
    const { transfers, late } = await looked({ rpc: recorded, range: 1, announced });
    expect(amounts(transfers)).toEqual([1_000_000n]);
    expect(late).toEqual([{ indices: [0], from: start.number + 1, amount: 2_000_000n }]);
    expect(asked).toHaveLength(1);
    expect(untold).toBeGreaterThan(told);
  });

  test("says of which of many announced payments it has read the blocks, and reads the others the next time", async () => {
    const told = new Map<number, Set<number>>();
    for (let i = 0; i < 6; i++) {
      told.set(await pay(BigInt(i + 1)), new Set([0]));
      await chain.mine(3);
    }
    const first = await looked({ range: 1, announced: told });
    expect([...first.told.keys()]).toEqual([...told.keys()].slice(0, 4));
    expect(first.unread).toEqual([...told.keys()].slice(4));
    expect(amounts(first.transfers)).toEqual([1n, 2n, 3n, 4n]);
    for (const block of first.told.keys()) told.delete(block);
    const second = await looked({ range: 1, announced: told });
    expect([...second.told.keys()]).toEqual([...told.keys()]);
    expect(second.unread).toEqual([]);
    expect(amounts(second.transfers)).toEqual([5n, 6n]);
  });

  test("does not take what was announced for read where the node tells of no logs yet", async () => {
    const announced = new Map([[await pay("1.00"), new Set([0])]]);
    expect(await looked({ announced, rpc: withLogs(() => []) })).toMatchObject({
      told: new Map(),
      unread: [],
    });
    expect((await looked({ announced })).told).toEqual(announced);
  });

  test("waits for a node whose newest block is below the checkpoint, because it lags", async () => {
    const from = { number: start.number + 3, hash: `0x${"ab".repeat(32)}` };
    expect(await lookOnce({ from })).toMatchObject({ kind: "behind", lacks: from.number });
  });

  test("finds the block of a payment that is about to count replaced, and what came there instead", async () => {
    await pay("1.00");
    record((await looked()).transfers);
    await chain.reorg(1);
    await pay("3.00");
    const { replaced, transfers, isReorganised } = await looked();
    expect(isReorganised).toBe(true);
    expect(replaced).toHaveLength(1);
    expect(amounts(transfers)).toEqual([3_000_000n]);
  });

  test("finds it replaced when the address holds less, though the payment counted long ago", async () => {
    await pay("1.00");
    record((await looked()).transfers, true);
    await chain.mine(4);
    const from = await chain.blockAt("latest");
    await chain.reorg(6);
    await chain.mine(3);
    const { replaced, transfers } = await looked({ from });
    expect(replaced).toHaveLength(1);
    expect(transfers).toEqual([]);
  });

  test("finds it replaced though a node that answered from both branches hid it once, and the address is known to hold less", async () => {
    await pay("1.00");
    record((await looked()).transfers, true);
    await chain.reorg(1);
    await chain.mine(2);
    const from = await chain.blockAt("latest");
    transact(db, () => BalanceStore.note(db, deposit.index, -1_000_000n, 1));
    await chain.mine(1);
    const { replaced, isReorganised, unclear } = await looked({ from });
    expect({ replaced: replaced.length, isReorganised, unclear }).toEqual({
      replaced: 1,
      isReorganised: true,
      unclear: [],
    });
  });

  test("finds it replaced though the address holds more by what came on the other branch", async () => {
    await pay("1.00");
    record((await looked()).transfers, true);
    await chain.reorg(1);
    await chain.mine(2);
    const from = await chain.blockAt("latest");
    await pay("3.00");
    const { replaced, transfers } = await looked({ from });
    expect(replaced).toHaveLength(1);
    expect(amounts(transfers)).toEqual([3_000_000n]);
  });

  test("finds it replaced by as much in another transaction, half a minute after a node that answered from both branches hid it", async () => {
    await pay("1.00");
    record((await looked()).transfers, true);
    await chain.reorg(1);
    await pay("1.00");
    await chain.mine(1);
    const from = await chain.blockAt("latest");
    expect(await looked({ from, isClose: true })).toMatchObject({ replaced: [], transfers: [] });
    const later = await looked({ from, isClose: true, now: () => 30_001 });
    expect(later.replaced).toHaveLength(1);
    expect(amounts(later.transfers)).toEqual([1_000_000n]);
  });

  test("finds it replaced when more comes, though the address holds what it is to hold", async () => {
    await pay("1.00");
    record((await looked()).transfers, true);
    await chain.reorg(1);
    await pay("1.00");
    const from = await chain.blockAt("latest");
    await pay("2.00");
    const { replaced, transfers } = await looked({ from });
    expect(replaced).toHaveLength(1);
    expect(amounts(transfers)).toEqual([2_000_000n, 1_000_000n]);
  });

  test("does not take a payment for gone that came back and that the node leaves out: it is looked for", async () => {
    const paid = await pay("1.00");
    record((await looked()).transfers, true);
    await chain.mine(1);
    const from = await chain.blockAt("latest");
    const raw = await chain.rpc("debug_getRawTransaction", [
      (
        (await chain.rpc("eth_getBlockByNumber", [`0x${paid.toString(16)}`, false])) as {
          transactions: string[];
        }
      ).transactions[0],
    ]);
    await chain.rpc("anvil_reorg", [2, [[raw, 1]]]);
    const result = await looked({ from, rpc: withLogs(() => []), isClose: true });
    expect(result.replaced).toMatchObject([{ number: paid }]);
    expect(result.late).toEqual([{ indices: [0], from: paid, amount: null }]);
    // With its logs it is there at once, in its new block.
    const { transfers } = await looked({ from, isClose: true });
    expect(transfers).toMatchObject([{ blockNumber: paid + 1, txHash: expect.any(String) }]);
  });

  test("sees a payment in its new block though the address holds the same, and it counted before", async () => {
    const paid = await pay("1.00");
    const { txHash } = (await looked()).transfers[0] ?? {};
    record((await looked()).transfers, true);
    await chain.mine(2);
    const from = await chain.blockAt("latest");
    const raw = await chain.rpc("debug_getRawTransaction", [txHash]);
    await chain.rpc("anvil_reorg", [3, [[raw, 2]]]);
    await chain.mine(4);
    const { replaced, transfers } = await looked({ from });
    expect(replaced).toMatchObject([{ number: paid }]);
    expect(transfers).toMatchObject([{ txHash, blockNumber: paid + 2 }]);
  });

  test("sees it also in the newest block of the last look, which is above the checkpoint", async () => {
    const paid = await pay("1.00");
    const { transfers: before } = await looked();
    record(before, true);
    const from = await chain.blockAt(paid - 1);
    const raw = await chain.rpc("debug_getRawTransaction", [before[0]?.txHash]);
    await chain.rpc("anvil_reorg", [1, []]);
    await chain.rpc("eth_sendRawTransaction", [raw]);
    await chain.mine(2);
    const { replaced, transfers } = await looked({ from });
    expect(replaced).toMatchObject([{ number: paid }]);
    expect(transfers).toMatchObject([{ txHash: before[0]?.txHash }]);
    expect(transfers[0]?.blockNumber).toBeGreaterThan(paid);
  });

  test("sees it in its new block also when 60 blocks were replaced and the node gives the logs of ten at a time", async () => {
    const paid = await pay("1.00");
    const { txHash } = (await looked()).transfers[0] ?? {};
    record((await looked()).transfers, true);
    await chain.mine(58);
    const from = await chain.blockAt("latest");
    const raw = await chain.rpc("debug_getRawTransaction", [txHash]);
    await chain.rpc("anvil_reorg", [60, [[raw, 2]]]);
    await chain.mine(3);
    const { replaced, transfers } = await looked({ from, range: 10 });
    expect(replaced).toMatchObject([{ number: paid }]);
    expect(transfers).toMatchObject([{ txHash }]);
    expect(transfers[0]?.blockNumber).toBeGreaterThan(paid);
  });

  test("compares the checkpoint with the chain when it looks closely, and believes no node of another chain", async () => {
    await pay("1.00", stranger);
    const from = await chain.blockAt("latest");
    await chain.reorg(1);
    await chain.mine(3);
    expect(await looked({ from })).toMatchObject({ isReorganised: false });
    expect(await looked({ from, isClose: true })).toMatchObject({ isReorganised: true, replaced: [] });
    const check = () => Promise.reject(new Error("another chain"));
    await expect(lookOnce({ from, isClose: true, check })).rejects.toThrow("another chain");
  });

  test("reads the logs of an address that a stranger emptied between two looks", async () => {
    await pay("7.00");
    await flushAsStranger(chain, deposit);
    const { transfers, emptied, late } = await looked();
    expect(amounts(transfers)).toEqual([7_000_000n]);
    expect(emptied).toEqual([0]);
    expect(late).toEqual([]);
  });

  test("has all logs of such an address read beside when that takes too many calls", async () => {
    await pay("7.00");
    await flushAsStranger(chain, deposit);
    await chain.mine(2 * logCallsMax);
    const { transfers, late } = await looked({ range: 1 });
    expect(transfers).toEqual([]);
    expect(late).toEqual([{ indices: [0], from: start.number + 1, amount: null, isAllRead: true }]);
  });

  test("reads what came to an address that holds too little, each time that it holds something else", async () => {
    await pay("1.00");
    const [found] = (await looked()).transfers;
    if (!found) throw new Error("it was not found");
    record([found, { ...found, logIndex: 99, amount: usdc("5.00") }], true);
    transact(db, () => BalanceStore.note(db, 0, -5_000_000n, 1));
    const from = await chain.blockAt("latest");
    const read: unknown[] = [];
    const recorded = distorted((method, answer) => {
      if (method === "eth_getLogs") read.push(answer);
      return answer;
    });
    const lookAgain = async (range?: number) => {
      const result = await looked({ from, rpc: recorded, ...(range ? { range } : {}) });
      deposits.sawShort(result.short);
      return result;
    };
    await chain.mine(1);
    await lookAgain();
    expect(read.splice(0)).toHaveLength(1);
    expect([(await lookAgain()).transfers, read]).toEqual([[], []]);
    await pay("2.00");
    expect(amounts((await lookAgain()).transfers)).toEqual([2_000_000n]);
    await pay("0.50");
    await chain.mine(2 * logCallsMax);
    const isAllRead = { indices: [0], from: from.number + 1, amount: null, isAllRead: true };
    expect((await lookAgain(1)).late).toEqual([isAllRead]);
  });

  test("looks for money below its checkpoint after a reorganisation that came while it did not look", async () => {
    await chain.mine(1);
    const from = { number: start.number + 1, hash: `0x${"ab".repeat(32)}` };
    await pay("1.00");
    await chain.mine(2 * forgottenBlocks);
    const untold = withLogs(() => []);
    beginPace(untold, slowMs);
    const { isReorganised, settledNumber, late } = await looked({ from, rpc: untold, isClose: true });
    expect(isReorganised).toBe(true);
    expect(settledNumber).toBeGreaterThan(from.number);
    expect(late).toContainEqual({ indices: [0], from: from.number + 1, amount: 1_000_000n });
  });

  test("reads what a node told of, though the address was emptied before and holds nothing", async () => {
    BalanceStore.setCode(db, 0);
    await deposits.load();
    const told = await pay("7.00");
    await flushAsStranger(chain, deposit);
    expect((await looked()).transfers).toEqual([]);
    const { transfers } = await looked({ announced: new Map([[told, new Set([0])]]) });
    expect(amounts(transfers)).toEqual([7_000_000n]);
    // The node may tell of it when another look has gone further.
    await chain.mine(5);
    const from = await chain.blockAt("latest");
    expect(amounts((await looked({ from, announced: new Map([[told, new Set([0])]]) })).transfers)).toEqual([
      7_000_000n,
    ]);
  });

  test("believes no log that was not asked for", async () => {
    await pay("1.00");
    const changes: Record<string, unknown>[] = [
      { address: stranger },
      { topics: ["0x00", null, topicOf(deposit.address)] },
      { topics: [transferTopic, null, topicOf(stranger)] },
      { blockNumber: "0xffffff" },
      { removed: true },
      { data: "0x" },
      { data: `0x${"f".repeat(64)}` },
      { blockHash: "0x12" },
      { logIndex: -1 },
    ];
    for (const change of changes) {
      const lying = withLogs((logs) => logs.map((log) => ({ ...log, ...change })));
      await expect(lookOnce({ rpc: lying })).rejects.toMatchObject({ name: "BadAnswer" });
    }
  });

  test("takes nothing of a block that is not on the chain, however deep", async () => {
    await pay("1.00");
    const lying = withLogs((logs) => logs.map((log) => ({ ...log, blockHash: `0x${"cd".repeat(32)}` })));
    await expect(lookOnce({ rpc: lying })).rejects.toBeInstanceOf(ChainMoved);
    await chain.mine(100);
    await expect(lookOnce({ rpc: lying })).rejects.toBeInstanceOf(ChainMoved);
  });

  test("takes nothing back when the node that answers is one block behind the payment", async () => {
    const paid = await pay("1.00");
    record((await looked()).transfers, true);
    const from = await chain.blockAt(paid - 1);
    const methods: string[] = [];
    const lagging = behindAt(paid - 1);
    const counted: Rpc = {
      ...lagging,
      request: (method, params) => {
        methods.push(method);
        return lagging.request(method, params);
      },
    };
    for (const isClose of [true, false])
      expect(await looked({ from, rpc: counted, isClose })).toMatchObject({
        isReorganised: false,
        replaced: [],
        late: [],
        unclear: [],
      });
    // Below the books a balance says nothing, and no log has to be looked for.
    expect(methods).not.toContain("eth_getLogs");
  });

  test("takes back what stood on a block that was replaced, also when it is above the node's head", async () => {
    await chain.mine(1);
    await pay("2.00", stranger);
    const paid = await pay("1.00");
    record((await looked()).transfers, true);
    const [from, { hash }] = [await chain.blockAt(paid - 1), await chain.blockAt("latest")];
    await chain.reorg(3);
    expect(await looked({ from, rpc: behindAt(paid - 1), isClose: true })).toMatchObject({
      isReorganised: true,
      replaced: [{ number: paid, hash }],
    });
  });

  for (const says of ["null", "an error"] as const)
    test(`counts no payment whose block the node does not know and says ${says}, and no other is kept from it`, async () => {
      const paid = await pay("1.00");
      record((await looked()).transfers);
      await chain.mine(3);
      const from = await chain.blockAt("latest");
      await chain.mine(1);
      const unknown = withoutHeader(paid, says);
      // A node that lags knows it soon, and one that refuses to tell of a new block fails.
      const soon = await lookOnce({ from, rpc: unknown }).catch(({ name }) => ({ name }));
      expect(soon).toMatchObject(says === "null" ? { kind: "behind", lacks: paid } : { name: "RpcError" });
      // One that has forgotten it never will.
      await chain.mine(forgottenBlocks);
      const other = newDeposit();
      await deposits.load();
      const otherPaid = await pay("2.00", other.address);
      const old = await looked({ from, rpc: unknown });
      expect(old).toMatchObject({ isReorganised: false, replaced: [], confirmedUpTo: otherPaid });
      const { confirmed } = applyScan(db, old, 1, { receipts: false, recordSettings });
      expect(confirmed).toBe(1);
      expect(DepositTransferStore.list(db, deposit.index)).toMatchObject([{ confirmed: false }]);
      const warnings = () => paymentWarnings(db, Date.now()).map(({ message }) => message);
      expect(warnings()).toEqual([]);
      // Two hours of blocks later it is told of.
      db.run("UPDATE checkpoint SET block_number = block_number + 2 * 3600000000 / block_us");
      expect(warnings()).toEqual([
        expect.stringMatching(/^1 payment of more than two hours ago does not count yet: 0x[0-9a-f]{64}$/),
      ]);
    });

  for (const says of ["null", "an error"] as const)
    test(`goes on from a checkpoint whose block the node has forgotten and says ${says}`, async () => {
      await chain.mine(forgottenBlocks);
      await pay("1.00");
      const unknown = withoutHeader(start.number, says);
      const { transfers, isReorganised } = await looked({ rpc: unknown, isClose: true });
      expect(amounts(transfers)).toEqual([1_000_000n]);
      expect(isReorganised).toBe(false);
    });

  test("takes nothing of a chain that was reorganised once more while it was read again", async () => {
    await pay("1.00");
    record((await looked()).transfers);
    await chain.reorg(1);
    await pay("3.00");
    const check = () => chain.reorg(1);
    await expect(lookOnce({ check })).rejects.toBeInstanceOf(ChainMoved);
    const { replaced, transfers } = await looked();
    expect([replaced.length, transfers]).toEqual([1, []]);
  });

  test("takes nothing when the node became one of another chain between two of its answers", async () => {
    await pay("1.00");
    const turning = distorted((method, answer, [tag]) =>
      method === "eth_getBlockByNumber"
        ? { ...(answer as object), hash: `0x${Number(tag).toString(16).padStart(64, "e")}` }
        : answer,
    );
    await expect(lookOnce({ rpc: turning })).rejects.toBeInstanceOf(ChainMoved);
  });

  test("finds nothing again that is recorded, confirmed or not", async () => {
    await pay("1.00");
    record((await looked()).transfers);
    expect(await looked()).toMatchObject({
      transfers: [],
      late: [],
      unclear: [],
      confirmedUpTo: expect.any(Number),
    });
    await chain.mine(1);
    expect(await looked()).toMatchObject({ transfers: [], late: [], unclear: [] });
  });
});
