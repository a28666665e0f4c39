import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHoldingsReader } from "../../src/chain/balance.ts";
import { multicall3Address } from "../../src/chain/multicall.ts";
import { createRpc } from "../../src/chain/rpc.ts";
import * as Address from "../../src/domain/address.ts";
import { type DepositChain, startDepositChain } from "../support/deposits.ts";
import { startRpcProxy } from "../support/rpc-proxy.ts";

let chain: DepositChain;
beforeAll(async () => {
  chain = await startDepositChain();
});
afterAll(() => chain.stop());

describe("createHoldingsReader", () => {
  test("tells money and forwarders, with Multicall3 and without it", async () => {
    const deposits = Array.from({ length: 300 }, () => chain.newDeposit());
    const [empty, paid, created] = deposits;
    if (!empty || !paid || !created) throw new Error("no deposits");
    await chain.pay(paid.address, "2.50");
    await chain.create(created);
    const proxy = startRpcProxy(chain.rpcUrl);
    const rpc = createRpc({ url: proxy.url });
    for (const hasMulticall3 of [true, false]) {
      proxy.answer = ({ params }) =>
        !hasMulticall3 && JSON.stringify(params).includes(multicall3Address) ? { result: "0x" } : undefined;
      proxy.reset();
      const read = createHoldingsReader(rpc, chain.usdc);
      const holdings = await read(deposits.map(({ address }) => address));
      expect(holdings.slice(0, 3)).toEqual([
        { balance: 0n, created: false },
        { balance: 2_500_000n, created: false },
        { balance: 0n, created: true },
      ]);
      expect(holdings).toHaveLength(300);
      expect(proxy.calls.length).toBe(hasMulticall3 ? 2 : 601);
    }
    await proxy.stop();
  });

  test("takes nothing for empty because a node did not say", async () => {
    const noToken = Address.checksum(`0x${"77".repeat(20)}`);
    const read = createHoldingsReader(createRpc({ url: chain.rpcUrl }), noToken);
    await expect(read([noToken])).rejects.toThrow("is there a token?");
  });
});
