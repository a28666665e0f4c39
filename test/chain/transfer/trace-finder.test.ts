import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createRpc } from "../../../src/chain/node/rpc.ts";
import { findTraces } from "../../../src/chain/transfer/trace-finder.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";
import { type DepositChain, startDepositChain } from "../../support/chain/deposits.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";

let chain: DepositChain;
beforeAll(async () => {
  chain = await startDepositChain();
});
afterAll(() => chain.stop());

describe("findTraces", () => {
  test("tells money and forwarders, in several calls of several groups", async () => {
    const deposits = Array.from({ length: 300 }, () => chain.newDeposit());
    const paid = deposits[299];
    const created = deposits[7];
    if (!paid || !created) throw new Error("no deposits");
    await chain.pay(paid.address, "0.01");
    await chain.create(created);
    const proxy = startRpcProxy(chain.rpcUrl);
    const walletOf = (payoutWallet: Address.Address) => ({
      payoutWallet,
      codeHash: DepositAddress.codeHashOf(payoutWallet),
    });
    const strangers = Array.from({ length: 12 }, (_, i) =>
      Address.checksum(`0x${(100 + i).toString(16).repeat(20)}`),
    );
    const wallets = [...new Set([...strangers, ...deposits.map(({ payoutWallet }) => payoutWallet)])].map(
      walletOf,
    );
    const groups = [
      { wallets, salts: deposits.slice(0, 10) },
      { wallets, salts: deposits.slice(10) },
    ];
    const found = await findTraces(createRpc({ url: proxy.url }), chain.usdc, groups);
    expect(found.map(({ wallet, salt }) => [wallet.payoutWallet, salt.salt])).toEqual(
      [created, paid].map(({ payoutWallet, salt }) => [payoutWallet, salt]),
    );
    expect(proxy.calls.length).toBe(Math.ceil((wallets.length * 300) / 1_500));
    await proxy.stop();
  });

  test("takes nothing for empty because a node did not say", async () => {
    const wallet = { codeHash: DepositAddress.factoryCodeHash } as const;
    const groups = [{ wallets: [wallet], salts: [{ salt: DepositAddress.factorySalt }] }];
    const noToken = Address.checksum(`0x${"77".repeat(20)}`);
    await expect(findTraces(createRpc({ url: chain.rpcUrl }), noToken, groups)).rejects.toThrow();
    const proxy = startRpcProxy(chain.rpcUrl);
    for (const result of ["0x", "0x0000", "0x02", null]) {
      proxy.answer = () => ({ result });
      await expect(findTraces(createRpc({ url: proxy.url }), chain.usdc, groups)).rejects.toThrow(
        "is there a token",
      );
    }
    await proxy.stop();
  });
});
