import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createRpc, type Rpc, RpcError, RpcUnreachable } from "../../../src/chain/node/rpc.ts";
import { createTransferReader, topicOf } from "../../../src/chain/transfer/transfer-log.ts";
import type { BlockRef } from "../../../src/domain/payment/block.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { enter, world } from "../../../src/lib/world.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";

const deposit = Address.checksum("0x1111111111111111111111111111111111111111");

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

/** An Rpc that changes some of the node's answers on their way. */
function distorted(change: (method: string, answer: unknown, params: readonly unknown[]) => unknown): Rpc {
  return {
    host: rpc.host,
    request: async (method, params) => change(method, await rpc.request(method, params), params),
  };
}

describe("createTransferReader", () => {
  test("asks for fewer blocks until the node takes it, and still finds everything", async () => {
    await chain.pay(deposit, "1.00");
    await chain.mine(30);
    await chain.pay(deposit, "2.00");
    const asked: number[] = [];
    const strict: Rpc = {
      host: rpc.host,
      request: (method, params) => {
        if (method === "eth_getLogs") {
          const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
          asked.push(Number(toBlock) - Number(fromBlock) + 1);
          // A refusal as the node itself words one, for a range above 10 blocks.
          if (Number(toBlock) - Number(fromBlock) >= 10) return rpc.request("eth_getLogs_too_wide", []);
        }
        return rpc.request(method, params);
      },
    };
    const reader = createTransferReader(strict, chain.usdc, 2000);
    const { number: head } = await chain.blockAt("latest");
    const transfers = await reader.read(
      { from: start.number + 1, to: head },
      new Map([[topicOf(deposit), 0]]),
    );
    expect(transfers.map(({ amount }) => amount as bigint)).toEqual([1_000_000n, 2_000_000n]);
    expect(asked[0]).toBe(head - start.number);
    expect(Math.min(...asked)).toBeLessThanOrEqual(10);
  });

  test("takes more blocks at a time again, also when each scan is a single call", async () => {
    await chain.mine(60);
    let slow = true;
    const tired: Rpc = {
      host: rpc.host,
      request: (method, params) => {
        const timedOut = slow && method === "eth_getLogs";
        return timedOut
          ? Promise.reject(new RpcUnreachable(rpc.host, method, "no answer within 1 ms", "perhaps"))
          : rpc.request(method, params);
      },
    };
    const reader = createTransferReader(tired, chain.usdc, 32);
    const recipients = new Map([[topicOf(deposit), 0]]);
    for (let i = 0; i < 5; i++) {
      const blocks = { from: start.number + 1, to: start.number + reader.range };
      await reader.read(blocks, recipients).catch(() => {});
    }
    expect(reader.range).toBe(1);
    slow = false;
    for (let i = 0; i < 20; i++) {
      await reader.read({ from: start.number + 1, to: start.number + reader.range }, recipients);
    }
    expect(reader.range).toBe(32);
  });

  test("learns nothing from a node that does not have the blocks yet", async () => {
    await chain.mine(4);
    const { number: head } = await chain.blockAt("latest");
    const lagging: Rpc = {
      host: rpc.host,
      request: (method, params) => {
        const [filter] = params as [{ toBlock: string } | undefined];
        const isAhead = method === "eth_getLogs" && Number(filter?.toBlock) > head;
        // A refusal as the node itself words one, for blocks that it does not have.
        return rpc.request(isAhead ? "eth_getLogs_ahead" : method, params);
      },
    };
    const reader = createTransferReader(lagging, chain.usdc, 32);
    const recipients = new Map([[topicOf(deposit), 0]]);
    // As many as it is ever asked for, of a chain that another node made up.
    await expect(reader.read({ from: head + 5_000, to: head + 6_000 }, recipients)).rejects.toThrow(RpcError);
    expect(reader.range).toBe(32);
    // The newest ones, of which it does not have the last.
    await reader.readSome({ from: head - 3, to: head + 4 }, recipients);
    expect(reader.range).toBe(32);
  });

  test("asks for all again an hour after the last refusal", async () => {
    await chain.mine(32);
    let uptimeMs = 1_000;
    const system = { ...world };
    enter({ ...system, uptime: () => uptimeMs });
    try {
      const slow = distorted((method) => {
        if (method === "eth_getLogs") throw new RpcUnreachable(rpc.host, method, "no answer", "perhaps");
      });
      const reader = createTransferReader(slow, chain.usdc, 32);
      const blocks = { from: start.number + 1, to: start.number + 32 };
      await expect(reader.read(blocks, new Map([[topicOf(deposit), 0]]))).rejects.toThrow("no answer");
      uptimeMs += 3_599_000;
      expect(reader.range).toBe(16);
      uptimeMs += 1_000;
      expect(reader.range).toBe(32);
    } finally {
      enter(system);
    }
  });

  test("splits more than 1,000 addresses over several calls", async () => {
    const { blockNumber } = await chain.pay(deposit, "1.00");
    const recipients = new Map(
      Array.from({ length: 2500 }, (_, i) => [
        topicOf(Address.checksum(`0x${(i + 9).toString(16).padStart(40, "0")}`)),
        i,
      ]),
    );
    recipients.set(topicOf(deposit), 2500);
    let calls = 0;
    const counted = distorted((method, answer) => {
      if (method === "eth_getLogs") calls += 1;
      return answer;
    });
    const reader = createTransferReader(counted, chain.usdc, 2000);
    const to = Number(blockNumber);
    const transfers = await reader.read({ from: to, to }, recipients);
    expect(transfers.map((transfer) => transfer.depositIndex)).toEqual([2500]);
    expect(calls).toBe(3);
  });

  test.each([
    "exceed max addresses or topics per search position",
    "query exceeds the maximum of 100 addresses or topics per search position",
    "Please, specify less number of addresses",
  ])("asks for fewer addresses when the node says: %s", async (message) => {
    const { blockNumber } = await chain.pay(deposit, "1.00");
    const recipients = new Map(
      Array.from({ length: 700 }, (_, i) => [
        topicOf(Address.checksum(`0x${(i + 9).toString(16).padStart(40, "0")}`)),
        i,
      ]),
    );
    recipients.set(topicOf(deposit), 700);
    let calls = 0;
    const narrow: Rpc = {
      host: rpc.host,
      request: (method, params) => {
        if (method === "eth_getLogs") {
          calls += 1;
          const [{ topics }] = params as [{ topics: [string, null, string[]] }];
          const error = RpcError.from(rpc.host, method, { code: -32000, message }, (text) => text);
          if (topics[2].length > 100) return Promise.reject(error);
        }
        return rpc.request(method, params);
      },
    };
    const reader = createTransferReader(narrow, chain.usdc, 2000);
    const to = Number(blockNumber);
    const transfers = await reader.read({ from: Math.max(0, to - 20), to }, recipients);
    expect(transfers.map((transfer) => transfer.depositIndex)).toContain(700);
    expect(calls).toBeLessThan(15);
    expect(reader.range).toBe(2000);
    calls = 0;
    await reader.read({ from: to, to }, recipients);
    expect(calls).toBe(Math.ceil(701 / 87));
  });
});
