import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import { createRpc } from "../../src/chain/node/rpc.ts";
import { readOutflow } from "../../src/chain/transfer/outflow.ts";
import { topicOf, transferTopic } from "../../src/chain/transfer/transfer-log.ts";
import type { Deposit } from "../../src/domain/payment/deposit.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import * as DepositAddress from "../../src/domain/wallet/deposit-address.ts";
import { otherChain } from "../../src/domain/wallet/elsewhere.ts";
import { deployment, factoryState, withFactory } from "../../src/settle/factory.ts";
import { advance, submit, waitFor } from "../../src/settle/gas-transaction.ts";
import * as Settlement from "../../src/settle/settlement.ts";
import * as MoneyReport from "../../src/store/reports/desk/money.ts";
import * as DepositStore from "../../src/store/tables/invoicing/deposit.ts";
import * as GasTransactionStore from "../../src/store/tables/settle/gas-transaction.ts";
import * as UnsettledStore from "../../src/store/tables/settle/unsettled.ts";
import * as BalanceStore from "../../src/store/tables/watch/balance.ts";
import * as DepositTransferStore from "../../src/store/tables/watch/deposit-transfer.ts";
import * as TransferStore from "../../src/store/tables/watch/transfer.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { balanceOf, encode, send } from "../support/chain/evm.ts";
import { openGasAccount, type TestGasAccount } from "../support/chain/gas-account.ts";
import { startRpcProxy } from "../support/chain/rpc-proxy.ts";
import {
  compareBalances,
  createAsStranger,
  credit,
  flushAsStranger,
  fundedDeposit,
  mint,
  newWallet,
  settleAll,
  settledTotal,
  settlementStates,
} from "../support/chain/settlement.ts";

let chain: TestChain;
let gas: TestGasAccount;
let rules: Settlement.SettlementRules;
beforeAll(async () => {
  chain = await startTestChain();
});
beforeEach(async () => {
  gas = await openGasAccount(chain);
  rules = { usdc: chain.usdc, min: Usdc.fromMicro(1_000_000n) };
});
afterEach(async () => {
  gas.close();
  await chain.rpc("evm_setAutomine", [true]);
});
afterAll(() => chain.stop());

const held = (of: Parameters<typeof balanceOf>[2]) => balanceOf(chain, chain.usdc, of);
const setBlacklisted = (deposit: Deposit, is: boolean) =>
  send(chain, {
    to: chain.usdc,
    data: encode(usdcArtifact.abi, is ? "blacklist" : "unBlacklist", [deposit.address]),
  });
async function planned() {
  const { batches } = await Settlement.plan(gas, rules);
  return batches.flat().map(({ index }) => index);
}
const submitBatch = (batch: readonly Settlement.SettleableDeposit[] = [], batchRules = rules) =>
  submit(gas, Settlement.jobOf(gas, batch, batchRules));
async function submitOnly(batch?: readonly Settlement.SettleableDeposit[]) {
  const submitted = await submitBatch(batch);
  if (submitted.kind !== "submitted") throw new Error(submitted.kind);
  return submitted.transaction;
}

async function recordedNow(view: Settlement.ChainView) {
  const all: Settlement.RecordedSettlement[] = [];
  await Settlement.recordResults(view, rules, (recorded) => all.push(...recorded));
  return all;
}

describe("settling", () => {
  test("moves 300 deposits to three payout wallets to the cent, whatever strangers and the token do meanwhile", async () => {
    const wallets = [newWallet(), newWallet(), newWallet()] as const;
    const deposits: Deposit[] = [];
    const due = new Map(wallets.map((wallet) => [wallet, 0n]));
    for (let i = 0; i < 300; i++) {
      const wallet = wallets[i % 3] ?? wallets[0];
      const amount = 1_000_000n + BigInt(i) * 10_001n;
      deposits.push(await fundedDeposit(chain, gas.db, amount, wallet));
      due.set(wallet, (due.get(wallet) ?? 0n) + amount);
    }
    await credit(gas, chain.usdc);
    const creation = await submit(gas, deployment(gas));
    if (creation.kind !== "submitted") throw new Error(creation.kind);
    await waitFor(gas, creation.transaction.id);
    const { batches } = await Settlement.plan(gas, rules);
    expect(batches.map((batch) => batch.length)).toEqual([100, 100, 100]);
    const transactions = [];
    for (const batch of batches) transactions.push(await submitOnly(batch));

    // Between the plan and the block: one of each batch is flushed, one created, one blacklisted.
    for (const at of [0, 100, 200]) {
      const [flushed, created, blocked] = deposits.slice(at + 7, at + 10);
      if (!flushed || !created || !blocked) throw new Error("there are too few deposits");
      await flushAsStranger(chain, flushed);
      await createAsStranger(chain, created);
      await setBlacklisted(blocked, true);
    }
    for (const { id } of transactions) await waitFor(gas, id);
    await Settlement.recordResults(gas, rules);
    expect(settlementStates(gas.db)).toEqual({ empty: 3, failed: 3, settled: 294 });
    const failed = () =>
      UnsettledStore.summarizeFailed(gas.db, { factory: DepositAddress.factory, min: rules.min }, 2);
    expect(failed()).toEqual({
      count: 3,
      addresses: [9, 109].map((at) => (deposits[at] as Deposit).address),
    });

    // What a stranger flushed is found by looking, what failed is tried again in time.
    expect(await Settlement.plan(gas, rules)).toEqual({ batches: [], unclear: 3 });
    await compareBalances(gas, chain);
    expect(await Settlement.plan(gas, rules)).toEqual({ batches: [], unclear: 0 });
    for (const at of [9, 109, 209]) await setBlacklisted(deposits[at] as Deposit, false);
    gas.pass(11 * 60_000);
    await settleAll(gas, rules);
    expect(settlementStates(gas.db)).toEqual({ elsewhere: 3, empty: 3, failed: 3, settled: 297 });

    for (const wallet of wallets) expect(await held(wallet)).toBe(due.get(wallet) ?? -1n);
    expect(settledTotal(gas.db)).toBe(Usdc.sum([...due.values()].map(Usdc.fromMicro)));
    expect(Settlement.anyDue(gas, rules)).toBe(false);
    expect(failed()).toEqual({ count: 0, addresses: [] });
  });

  test("sends no transaction for an address that a stranger has emptied, and asks for nothing afterwards", async () => {
    const deposit = await fundedDeposit(chain, gas.db, 5_000_000n, newWallet());
    await credit(gas, chain.usdc);
    await flushAsStranger(chain, deposit);
    expect(await Settlement.plan(gas, rules)).toEqual({ batches: [], unclear: 1 });
    await compareBalances(gas, chain);
    expect(settlementStates(gas.db)).toEqual({ elsewhere: 1 });
    expect(BalanceStore.unexplained(gas.db, deposit.index)).toBeNull();
    const proxy = startRpcProxy(chain.rpcUrl);
    await Settlement.plan({ ...gas, rpc: createRpc({ url: proxy.url }) }, rules);
    expect(proxy.calls).toEqual([]);
    await proxy.stop();
  });

  test("takes money that is not there and was never moved for missing, not for settled by somebody else", async () => {
    const deposit = await fundedDeposit(chain, gas.db, 5_000_000n, newWallet());
    await credit(gas, chain.usdc);
    const { index: depositIndex } = deposit;
    // A payment that never was.
    const [real] = DepositTransferStore.list(gas.db, depositIndex);
    if (!real) throw new Error("nothing was credited");
    TransferStore.insert(gas.db, { ...real, logIndex: 99, amount: Usdc.fromMicro(2_000_000n) }, true, {
      seenAt: gas.now(),
      madeAt: gas.now(),
    });
    DepositStore.recompute(gas.db, depositIndex, gas.now());
    await flushAsStranger(chain, deposit);
    expect(await Settlement.plan(gas, rules)).toEqual({ batches: [], unclear: 1 });
    await compareBalances(gas, chain);
    expect(BalanceStore.unexplained(gas.db, depositIndex)).toMatchObject({
      amount: -2_000_000n,
      cause: "missing",
    });
    expect(settledTotal(gas.db)).toBe(Usdc.fromMicro(5_000_000n));
    // What is missing is not asked for again and again.
    expect(Settlement.anyDue(gas, rules)).toBe(false);
  });

  test("believes no transfer away from a deposit that is not in the receipt", async () => {
    const deposit = await fundedDeposit(chain, gas.db, 5_000_000n, newWallet());
    await credit(gas, chain.usdc);
    const proxy = startRpcProxy(chain.rpcUrl);
    const head = await chain.blockAt("latest");
    proxy.answer = ({ method }) => {
      if (method !== "eth_getLogs") return undefined;
      const log = {
        address: chain.usdc,
        topics: [transferTopic, topicOf(deposit.address), topicOf(deposit.payoutWallet)],
        data: `0x${5_000_000n.toString(16).padStart(64, "0")}`,
        blockNumber: `0x${head.number.toString(16)}`,
        blockHash: head.hash,
        transactionHash: `0x${"ab".repeat(32)}`,
        logIndex: "0x0",
      };
      return { result: [log] };
    };
    const rpc = createRpc({ url: proxy.url });
    const { address, payoutWallet } = deposit;
    const blocks = { from: 1, to: head.number };
    await expect(readOutflow(rpc, chain.usdc, { address, payoutWallet }, blocks)).rejects.toThrow("receipt");
    await proxy.stop();
  });

  test("does not take money for gone that a lagging node has not seen come", async () => {
    const deposit = await fundedDeposit(chain, gas.db, 5_000_000n, newWallet());
    await credit(gas, chain.usdc);
    // A node whose head is below the payment: it shows an empty address, and it is right about that.
    const head = Number(await chain.rpc("eth_blockNumber"));
    const block = await chain.rpc("eth_getBlockByNumber", [`0x${(head - 1).toString(16)}`, false]);
    const proxy = startRpcProxy(chain.rpcUrl);
    proxy.answer = async ({ method, params }) => {
      if (method === "eth_getBlockByNumber" && params[0] === "latest") return { result: block };
      if (method !== "eth_call" || params[1] !== "latest") return undefined;
      return { result: await chain.rpc("eth_call", [params[0], `0x${(head - 1).toString(16)}`]) };
    };
    const lagging = { ...gas, rpc: createRpc({ url: proxy.url }) };
    expect(await Settlement.plan(lagging, rules)).toMatchObject({ batches: [], unclear: 1 });
    await proxy.stop();
    expect(await planned()).toEqual([deposit.index]);
  });

  test("is among what moved, and what pays out recovered deposits, of which the books know nothing, is not", async () => {
    await fundedDeposit(chain, gas.db, 2_000_000n, newWallet());
    await credit(gas, chain.usdc);
    await settleAll(gas, rules);
    const recovered = { ...deployment(gas), purpose: "settle" } as const;
    expect((await submit(gas, recovered)).kind).toBe("submitted");
    const { rows } = MoneyReport.listMovements(gas.db, { before: null, limit: 10 });
    expect(rows).toMatchObject([{ kind: "settled", amount: 2_000_000n, deposits: 1 }]);
  });

  test("leaves less than the minimum, and what is not confirmed, where it is", async () => {
    const small = await fundedDeposit(chain, gas.db, 999_999n, newWallet());
    await credit(gas, chain.usdc);
    await fundedDeposit(chain, gas.db, 9_000_000n, newWallet());
    expect(await planned()).toEqual([]);
    await mint(chain, small.address, 1n);
    await credit(gas, chain.usdc);
    // The fullest first.
    expect(await planned()).toEqual([1, 0]);
  });

  test("settles a deposit again when more arrives, and takes along what is not confirmed yet", async () => {
    const payout = newWallet();
    const deposit = await fundedDeposit(chain, gas.db, 2_000_000n, payout);
    await credit(gas, chain.usdc);
    await mint(chain, deposit.address, 3_000_000n);
    await settleAll(gas, rules);
    expect(await held(payout)).toBe(5_000_000n);
    expect(settledTotal(gas.db)).toBe(Usdc.fromMicro(5_000_000n));
    await credit(gas, chain.usdc);
    expect(await planned()).toEqual([]);
    await mint(chain, deposit.address, 1_500_000n);
    await credit(gas, chain.usdc);
    await settleAll(gas, rules);
    expect(await held(payout)).toBe(6_500_000n);
    expect(settledTotal(gas.db)).toBe(Usdc.fromMicro(6_500_000n));
  });

  test("waits longer after every failure in a row, unless a person asks for it", async () => {
    const deposit = await fundedDeposit(chain, gas.db, 2_000_000n, newWallet());
    await credit(gas, chain.usdc);
    await setBlacklisted(deposit, true);
    const delaysMin: number[] = [];
    for (let i = 0; i < 4; i++) {
      const { batches } = await Settlement.plan(gas, { ...rules, retry: true });
      const submitted = await submitBatch(batches[0], { ...rules, retry: true });
      if (submitted.kind !== "submitted") throw new Error(submitted.kind);
      await waitFor(gas, submitted.transaction.id);
      const [recorded] = await recordedNow(gas);
      if (recorded?.result.state !== "failed") throw new Error(`${recorded?.result.state}`);
      delaysMin.push(Math.round((recorded.result.retryAt - gas.now()) / 60_000));
      expect(await planned()).toEqual([]);
    }
    expect(delaysMin).toEqual([10, 60, 360, 1440]);
    // The clock was ahead when it failed.
    gas.pass(-2 * 86_400_000);
    expect(await planned()).toEqual([deposit.index]);
    gas.pass(-7 * 86_400_000);
    expect(await planned()).toEqual([deposit.index]);
  });

  test("puts a deposit into one transaction only, however many processes settle", async () => {
    await fundedDeposit(chain, gas.db, 2_000_000n, newWallet());
    await credit(gas, chain.usdc);
    const [first, second] = await Promise.all([Settlement.plan(gas, rules), Settlement.plan(gas, rules)]);
    const one = await submitBatch(first.batches[0]);
    expect(one.kind).toBe("submitted");
    expect((await submitBatch(second.batches[0])).kind).toBe("superseded");
    if (one.kind === "submitted") await waitFor(gas, one.transaction.id);
    expect((await submitBatch(second.batches[0])).kind).toBe("superseded");
    await Settlement.recordResults(gas, rules);
    expect((await submitBatch(second.batches[0])).kind).toBe("superseded");
  });

  test("records nothing for a settlement that is reorganised away, until it is in the chain again", async () => {
    const payout = newWallet();
    await fundedDeposit(chain, gas.db, 2_000_000n, payout);
    await credit(gas, chain.usdc);
    const slow = { ...gas, confirmations: 3 };
    const { batches } = await Settlement.plan(gas, rules);
    const { id } = await submitOnly(batches[0]);
    // Anvil answers before it has made the block that it makes by itself.
    await chain.rpc("evm_setAutomine", [false]);
    await advance(slow, id);
    await chain.mine(1);
    await advance(slow, id);
    expect(await held(payout)).toBe(2_000_000n);
    await chain.reorg(1);
    expect(await held(payout)).toBe(0n);
    await advance(slow, id);
    expect(await recordedNow(slow)).toEqual([]);
    expect(settledTotal(gas.db)).toBe(Usdc.zero);

    gas.pass(16_000);
    await advance(slow, id);
    await chain.mine(3);
    await advance(slow, id);
    await Settlement.recordResults(slow, rules);
    expect(await held(payout)).toBe(2_000_000n);
    expect(settledTotal(gas.db)).toBe(Usdc.fromMicro(2_000_000n));
    expect(GasTransactionStore.listAttempts(gas.db, id)).toHaveLength(1);
  });

  test("records the results also when the process that sent the transaction is gone", async () => {
    const payout = newWallet();
    await fundedDeposit(chain, gas.db, 2_000_000n, payout);
    await credit(gas, chain.usdc);
    const { batches } = await Settlement.plan(gas, rules);
    const { id } = await submitOnly(batches[0]);
    // A process that knows nothing of settlements brings it to its end, for a transaction of its own behind it.
    await waitFor(gas, id);
    expect(settlementStates(gas.db)).toEqual({ pending: 1 });
    await Settlement.recordResults(gas, rules);
    expect(await recordedNow(gas)).toEqual([]);
    expect(settledTotal(gas.db)).toBe(Usdc.fromMicro(2_000_000n));
  });

  /** A settlement that is final, and whose receipt no node shows any more. */
  async function unread(payout: Deposit["payoutWallet"]) {
    const { index } = await fundedDeposit(chain, gas.db, 2_000_000n, payout);
    await credit(gas, chain.usdc);
    const { batches } = await Settlement.plan(gas, rules);
    const { id } = await submitOnly(batches[0]);
    await waitFor(gas, id);
    const proxy = startRpcProxy(chain.rpcUrl);
    proxy.answer = ({ method }) => (method === "eth_getTransactionReceipt" ? { result: null } : undefined);
    const forgetful = { ...gas, rpc: createRpc({ url: proxy.url }) };
    const { txHash } = GasTransactionStore.byId(gas.db, id) ?? {};
    return { id, index, forgetful, txHash: String(txHash), stop: () => proxy.stop() };
  }

  test("goes by the balances once nobody has shown the receipt for ten minutes, and finds what it moved", async () => {
    const payout = newWallet();
    const { index, forgetful, txHash, stop } = await unread(payout);
    expect(await Settlement.recordResults(forgetful, rules)).toContain(
      `receipt of ${txHash}, which was final`,
    );
    expect(settlementStates(gas.db)).toEqual({ pending: 1 });
    gas.pass(601_000);
    const [recorded] = await recordedNow(forgetful);
    expect(recorded).toMatchObject({ txHash, isUnread: true, result: { state: "empty" } });
    expect(await Settlement.recordResults(forgetful, rules)).toBeNull();
    await stop();
    gas.pass(3_700_000);
    await compareBalances(gas, chain);
    expect(settlementStates(gas.db)).toEqual({ elsewhere: 1, empty: 1 });
    expect(settledTotal(gas.db)).toBe(Usdc.fromMicro(2_000_000n));
    expect(BalanceStore.unexplained(gas.db, index)).toBeNull();
    expect(await held(payout)).toBe(2_000_000n);
  });

  test("sends the same settlement again when the receipt nobody shows had left the chain", async () => {
    const payout = newWallet();
    const { id, forgetful, stop } = await unread(payout);
    await chain.reorg(1);
    await chain.rpc("anvil_dropAllTransactions");
    gas.pass(601_000);
    expect(await recordedNow(forgetful)).toEqual([]);
    await stop();
    await waitFor(gas, id);
    await Settlement.recordResults(gas, rules);
    expect(await held(payout)).toBe(2_000_000n);
    expect(settledTotal(gas.db)).toBe(Usdc.fromMicro(2_000_000n));
  });

  test("believes no receipt that moves more than all USDC there is", async () => {
    await fundedDeposit(chain, gas.db, 2_000_000n, newWallet());
    await credit(gas, chain.usdc);
    const { batches } = await Settlement.plan(gas, rules);
    const { id } = await submitOnly(batches[0]);
    await waitFor(gas, id);
    const { txHash } = GasTransactionStore.byId(gas.db, id) ?? {};
    const receipt = (await chain.rpc("eth_getTransactionReceipt", [txHash])) as { logs: object[] };
    const data = `0x${(2n ** 62n).toString(16).padStart(64, "0")}`;
    const proxy = startRpcProxy(chain.rpcUrl);
    proxy.answer = ({ method }) =>
      method === "eth_getTransactionReceipt"
        ? { result: { ...receipt, logs: receipt.logs.map((log) => ({ ...log, data })) } }
        : undefined;
    const deceived = { ...gas, rpc: createRpc({ url: proxy.url }) };
    await expect(Settlement.recordResults(deceived, rules)).rejects.toThrow("cannot be right");
    await proxy.stop();
    await Settlement.recordResults(gas, rules);
    expect(settledTotal(gas.db)).toBe(Usdc.fromMicro(2_000_000n));
  });

  test("has more gas for it on a chain that takes gas for its data", () => {
    const gasOn = (chainId: number) =>
      deployment({ ...gas, elsewhere: otherChain("base", chainId) }).gasLimit;
    expect([gasOn(8453), gasOn(1), gasOn(42161)]).toEqual([950_000n, 950_000n, 4_950_000n]);
  });

  test("does not send for the factory again and again where it cannot be created", async () => {
    const bare = await startTestChain();
    const there = await openGasAccount(bare);
    await bare.rpc("anvil_setCode", ["0x4e59b44847b379578588920cA78FbF26c0B4956C", "0x"]);
    expect(await factoryState(there)).toMatchObject({ kind: "impossible" });
    // A deployer that does nothing.
    await bare.rpc("anvil_setCode", ["0x4e59b44847b379578588920cA78FbF26c0B4956C", "0x00"]);
    expect((await factoryState(there)).kind).toBe("missing");
    const needed = await withFactory({ ...there, elsewhere: otherChain("base", 42161) }, [deployment(there)]);
    expect(needed.map(({ gasLimit }) => gasLimit)).toEqual([4_950_000n, 950_000n]);
    const submitted = await submit(there, deployment(there));
    expect((await factoryState(there)).kind).toBe("coming");
    if (submitted.kind === "submitted") await waitFor(there, submitted.transaction.id);
    expect(await factoryState(there)).toMatchObject({ kind: "impossible" });
    there.close();
    await bare.stop();
  });
});
