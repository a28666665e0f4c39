import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { feeLimits, raise, readFees } from "../../../src/chain/account/fees.ts";
import { broadcast, sign, type UnsignedTransaction } from "../../../src/chain/account/transaction.ts";
import { createRpc } from "../../../src/chain/node/rpc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { openGasAccount, type TestGasAccount } from "../../support/chain/gas-account.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";

let chain: TestChain;
let gas: TestGasAccount;
beforeAll(async () => {
  chain = await startTestChain();
  gas = await openGasAccount(chain);
});
afterAll(async () => {
  gas.close();
  await chain.stop();
});

const gwei = 10n ** 9n;
const unsigned: UnsignedTransaction = {
  chainId: 31337,
  nonce: 0,
  to: Address.checksum(`0x${"ab".repeat(20)}`),
  data: "0x12",
  gasLimit: 50_000n,
  fees: { max: 5n * gwei, tip: gwei },
};
const send = async (changes: Partial<UnsignedTransaction> = {}) =>
  broadcast(gas.rpc, (await sign(gas.wallet, { ...unsigned, ...changes })).raw);

describe("sign", () => {
  test("gives the same bytes for the same transaction", async () => {
    expect(await sign(gas.wallet, unsigned)).toEqual(await sign(gas.wallet, unsigned));
  });
});

describe("broadcast", () => {
  test("tells what a real node says apart", async () => {
    await chain.rpc("evm_setAutomine", [false]);
    expect(await send()).toEqual({ kind: "sent" });
    expect(await send()).toEqual({ kind: "sent" });
    await chain.mine(1);
    expect(await send()).toEqual({ kind: "nonce-used" });
    expect(await send({ nonce: 1, fees: { max: 1n, tip: 1n } })).toEqual({ kind: "underpriced" });
    expect((await send({ nonce: 1, gasLimit: 100n })).kind).toBe("refused");
    await chain.giveEth(gas.wallet.gasAddress, 0n);
    expect(await send({ nonce: 1 })).toEqual({ kind: "insufficient-funds" });
  });

  test.each([
    ["already known", "sent"],
    ["ALREADY_EXISTS: already known", "sent"],
    ["AlreadyKnown", "sent"],
    ["nonce too low: next nonce 8, tx nonce 7", "nonce-used"],
    ["OldNonce", "nonce-used"],
    ["replacement transaction underpriced", "underpriced"],
    ["Transaction gas price below configured minimum gas price", "underpriced"],
    ["insufficient funds for gas * price + value: balance 0, tx cost 1", "insufficient-funds"],
    ["txpool is full", "refused"],
  ])("understands %p", async (message, kind) => {
    const proxy = startRpcProxy(chain.rpcUrl);
    proxy.answer = () => ({ error: { code: -32000, message } });
    expect((await broadcast(createRpc({ url: proxy.url }), "0x02")).kind).toBe(kind as never);
    await proxy.stop();
  });
});

describe("raise", () => {
  test("offers at least an eighth more, and no less than the network asks for", () => {
    expect(raise({ max: 80n, tip: 8n }, { max: 1n, tip: 1n }, feeLimits())).toEqual({ max: 101n, tip: 11n });
    expect(raise({ max: 80n, tip: 8n }, { max: 500n, tip: 50n }, feeLimits())).toEqual({
      max: 500n,
      tip: 50n,
    });
    expect(raise({ max: 0n, tip: 0n }, { max: 0n, tip: 0n }, feeLimits())).toEqual({ max: 1n, tip: 1n });
  });

  test("never offers more than the limits", () => {
    expect(raise({ max: 17n * gwei, tip: 1n }, { max: 1n, tip: 1n }, feeLimits())).toBeNull();
    expect(raise({ max: 10n * gwei, tip: 5n * gwei }, { max: 1n, tip: 1n }, feeLimits())).toBeNull();
  });
});

describe("readFees", () => {
  test("never offers a tip above the whole fee, which nodes refuse", async () => {
    const limit = gwei / 2n;
    const { fees } = await readFees(createRpc({ url: chain.rpcUrl }), feeLimits(limit));
    expect(fees).toEqual({ max: limit, tip: limit });
  });
});
