import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { BadAnswer } from "../../../src/chain/node/block.ts";
import { createRpc } from "../../../src/chain/node/rpc.ts";
import {
  createTransferReader,
  type TransferReader,
  topicOf,
} from "../../../src/chain/transfer/transfer-log.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { type Flood, startFlood, strictNode, tenth, tooManyLogs } from "../../support/chain/flood.ts";
import { type RpcCall, type RpcProxy, startRpcProxy } from "../../support/chain/rpc-proxy.ts";

const victim = Address.checksum(`0x${"aa".repeat(20)}`);
const other = Address.checksum(`0x${"bb".repeat(20)}`);
const recipients = new Map(
  Array.from({ length: 298 }, (_, i) => [
    topicOf(Address.checksum(`0x${(i + 9).toString(16).padStart(40, "0")}`)),
    i + 3,
  ]),
);
recipients.set(topicOf(victim), 1).set(topicOf(other), 2);
const rangeMax = 200;
const { logs, transfers } = tenth;

let chain: TestChain;
let flood: Flood;
let proxy: RpcProxy;
let crowded: number[];
let reader: TransferReader;
/** Of the flood, in which both were paid as well. */
let block: number;

beforeAll(async () => {
  chain = await startTestChain();
  flood = await startFlood(chain);
  await chain.mine(40);
  const payments = [other, victim, other].map((to, i) => ({ to, amount: BigInt(i + 1) }));
  block = await flood.block(victim, transfers, { payments });
  await chain.pay(other, 4n);
});
afterAll(() => chain.stop());
beforeEach(() => {
  proxy = startRpcProxy(chain.rpcUrl);
  crowded = [];
  const rpc = createRpc({ url: proxy.url });
  reader = createTransferReader(rpc, chain.usdc, rangeMax, (number) => crowded.push(number));
});
afterEach(() => proxy.stop());

async function amounts(): Promise<[number, bigint][]> {
  const transfers = await reader.read({ from: 0, to: block + 1 }, recipients);
  return transfers.map(({ depositIndex, amount }) => [depositIndex, amount as bigint]);
}
const all = [
  [2, 1n],
  [1, 2n],
  [2, 3n],
  [2, 4n],
] as [number, bigint][];
const count = (method: string) => proxy.calls.filter((call) => call.method === method).length;

describe("a block with more transfers than the node gives at a time", () => {
  test("is read by its receipts when it is refused, once", async () => {
    proxy.answer = strictNode(chain, { logs });
    expect(await amounts()).toEqual(all);
    expect(crowded).toEqual([block]);
    proxy.reset();
    // What is known of it is kept: no receipt is asked for again, and no refusal met.
    for (let i = 0; i < 12; i++) expect(await amounts()).toEqual(all);
    expect(count("eth_getBlockReceipts")).toBe(0);
    expect(crowded).toEqual([block]);
    // All that the node gives is asked for at once again: two calls, with the crowded block between them.
    proxy.reset();
    await amounts();
    expect(count("eth_getLogs")).toBe(2);
    const widths = proxy.calls.flatMap(({ method, params }) =>
      method === "eth_getLogs" ? (params[0] as { topics: [string, null, string[]] }).topics[2].length : [],
    );
    expect(widths).toEqual([300, 300]);
  });

  test.each(Object.keys(tooManyLogs))("is read whatever the refusal looks like: %s", async (name) => {
    proxy.answer = strictNode(chain, { logs, refuse: tooManyLogs[name] as never });
    const paid = await reader.read({ from: block, to: block }, recipients);
    expect(paid.map(({ amount }) => amount as bigint)).toEqual([1n, 2n, 3n]);
    expect(crowded).toEqual([block]);
  });

  test("is no reason to leave what the node gave before", async () => {
    proxy.answer = strictNode(chain, { logs, range: 10 });
    await reader.read({ from: 0, to: block - 1 }, recipients);
    const range = reader.range;
    expect(range).toBeGreaterThan(5);
    expect((await reader.read({ from: block - 5, to: block + 1 }, recipients)).length).toBe(4);
    expect(reader.range).toBeGreaterThan(5);
  });

  test("is read transaction by transaction where there is no other call, and goes on where it was cut off", async () => {
    const strict = strictNode(chain, { logs, blockReceipts: false });
    let receipts = 0;
    proxy.answer = (call: RpcCall) => {
      if (call.method !== "eth_getTransactionReceipt") return strict(call);
      receipts += 1;
      return receipts === 5 ? new Response("busy", { status: 429 }) : undefined;
    };
    await expect(amounts()).rejects.toThrow("429");
    expect(await amounts()).toEqual(all);
    expect(crowded).toEqual([block]);
  });

  test("is asked for anew when another block has taken its place", async () => {
    const own = await startTestChain();
    const small = startRpcProxy(own.rpcUrl);
    try {
      const ownFlood = await startFlood(own);
      const number = await ownFlood.block(victim, logs + 1, { payments: [{ to: other, amount: 7n }] });
      small.answer = strictNode(own, { logs });
      const ownReader = createTransferReader(createRpc({ url: small.url }), own.usdc, rangeMax);
      const read = async () =>
        (await ownReader.read({ from: number, to: number }, recipients)).map((t) => t.amount);
      expect((await read()) as bigint[]).toEqual([7n]);
      await own.reorg(1);
      expect(await read()).toEqual([]);
    } finally {
      await small.stop();
      await own.stop();
    }
  });

  type Receipt = {
    blockHash: string;
    blockNumber: string;
    transactionHash: string;
    logs: Record<string, unknown>[];
  };
  const lies: Record<string, (receipts: Receipt[]) => unknown> = {
    "a receipt left out": (receipts) => receipts.slice(1),
    "a receipt twice": (receipts) => [...receipts, receipts[0]],
    "another block": (receipts) =>
      receipts.map((receipt) => ({ ...receipt, blockHash: `0x${"e".repeat(64)}` })),
    "another number": (receipts) => receipts.map((receipt) => ({ ...receipt, blockNumber: "0x1" })),
    "no hash yet": (receipts) =>
      receipts.map((receipt) => ({ ...receipt, blockHash: `0x${"0".repeat(64)}` })),
    "another transaction": (receipts) => [
      { ...receipts[0], transactionHash: `0x${"e".repeat(64)}` },
      ...receipts.slice(1),
    ],
    "a log of another block": (receipts) =>
      receipts.map((receipt) => ({
        ...receipt,
        logs: receipt.logs.map((log) => ({ ...log, blockHash: `0x${"e".repeat(64)}` })),
      })),
    "a log of another transaction": (receipts) =>
      receipts.map((receipt) => ({
        ...receipt,
        logs: receipt.logs.map((log) => ({ ...log, transactionHash: receipts[1]?.transactionHash })),
      })),
    "an amount that cannot be": (receipts) =>
      receipts.map((receipt) => ({
        ...receipt,
        logs: receipt.logs.map((log) => ({ ...log, data: `0x${"f".repeat(64)}` })),
      })),
    "no logs": (receipts) => receipts.map(({ logs: _, ...receipt }) => receipt),
    "something else": () => "0x",
    nothing: () => null,
  };
  test.each(Object.keys(lies))("believes no receipts with %s", async (name) => {
    const strict = strictNode(chain, { logs });
    proxy.answer = async (call: RpcCall) =>
      call.method === "eth_getBlockReceipts"
        ? { result: lies[name]?.((await chain.rpc(call.method, call.params)) as Receipt[]) }
        : strict(call);
    const reading = reader.read({ from: block, to: block }, recipients);
    await expect(reading).rejects.toBeInstanceOf(BadAnswer);
    expect(crowded).toEqual([]);
  });

  test("counts no log of another contract, and nothing that goes to others", async () => {
    const strict = strictNode(chain, { logs });
    proxy.answer = async (call: RpcCall) => {
      if (call.method !== "eth_getBlockReceipts") return strict(call);
      const receipts = (await chain.rpc(call.method, call.params)) as Receipt[];
      const [first, ...rest] = receipts;
      const foreign =
        first?.logs.map((log) => ({ ...log, address: `0x${"c".repeat(40)}`, logIndex: "0x9999" })) ?? [];
      return { result: [{ ...first, logs: [...(first?.logs ?? []), ...foreign] }, ...rest] };
    };
    expect(await amounts()).toEqual(all);
    expect(await reader.read({ from: 0, to: block }, new Map([[topicOf(Address.zero), 0]]))).toEqual([]);
  });
});

test("a node that refuses whatever it is asked is not asked for receipts", async () => {
  proxy.answer = ({ method }) =>
    method === "eth_getLogs" ? { error: { code: -32000, message: "history has been pruned" } } : undefined;
  await expect(amounts()).rejects.toThrow("history has been pruned");
  expect(new Set(proxy.calls.map(({ method }) => method))).toEqual(new Set(["eth_getLogs"]));
  expect(proxy.calls.length).toBeLessThan(15);
});
