import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createRpc } from "../../src/chain/node/rpc.ts";
import { parseConfig } from "../../src/config/config.ts";
import { walletWarnings } from "../../src/doctor/money-findings.ts";
import * as Usdc from "../../src/domain/usdc.ts";
import type { Address } from "../../src/domain/wallet/address.ts";
import { createLog } from "../../src/lib/log.ts";
import { deployment } from "../../src/settle/factory.ts";
import { submit, waitFor } from "../../src/settle/gas-transaction.ts";
import * as Settlement from "../../src/settle/settlement.ts";
import { type Settler, startSettler } from "../../src/settle/settler.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import * as WalletStore from "../../src/store/tables/installation/wallet.ts";
import * as GasTransactionStore from "../../src/store/tables/settle/gas-transaction.ts";
import * as SettlementStore from "../../src/store/tables/settle/settlement.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { balanceOf } from "../support/chain/evm.ts";
import { openGasAccount, type TestGasAccount } from "../support/chain/gas-account.ts";
import { type RpcProxy, silence, startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { credit, fundedDeposit, newWallet, settledTotal } from "../support/chain/settlement.ts";
import { hurry } from "../support/hurry.ts";
import { passphrase } from "../support/till/data-dir.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

function gasAddressOf({ config }: TestTill): Address {
  const db = openDatabase(config.dataDir);
  try {
    const address = WalletStore.gasAddress(db);
    if (address === null) throw new Error("there is no wallet yet");
    return address;
  } finally {
    closeDatabase(db);
  }
}

async function invoiceTo(till: TestTill, wallet: Address) {
  const invoice = await till.createInvoice({ wallet_type: "byo", wallet_address: wallet });
  return { id: invoice["invoice_id"], address: invoice["deposit_address"] as Address };
}
const paid = (till: TestTill, id: string | undefined) =>
  until(
    async () => (await till.api("GET", `/api/invoices/${id}/status`)).body.status,
    (status) => status === "paid",
  );

describe("Till", () => {
  hurry();

  test("brings what was paid to the payout wallet without being asked", async () => {
    const till = await startTestTill(chain, { TILL_SETTLE: "auto" });
    await chain.giveEth(gasAddressOf(till));
    const wallet = newWallet();
    const { id, address } = await invoiceTo(till, wallet);
    await chain.pay(address, "1500.00");
    await paid(till, id);
    await until(
      () => balanceOf(chain, chain.usdc, wallet),
      (balance) => balance === 1_500_000_000n,
    );
    const metrics = await until(
      async () => String((await till.api("GET", "/metrics")).body),
      (text) => text.includes('till_settlements{state="settled"} 1'),
    );
    expect(metrics).toContain("till_unsettled_usdc 0\n");
    expect(metrics).toMatch(/till_gas_account_eth 9\.99\d+\n/);
    expect(metrics).toMatch(/till_rpc_requests_total\{method="eth_sendRawTransaction"\} 2\n/);
    expect((await till.api("GET", "/health/ready")).body).toMatchObject({ status: "ok" });
    await till.stop();
  });

  test("says once how much ETH to send where, stays ready, and credits payments all the same", async () => {
    const till = await startTestTill(chain, { TILL_SETTLE: "auto" });
    for (let i = 0; i < 2; i++) {
      const { id, address } = await invoiceTo(till, newWallet());
      await chain.pay(address, "1500.00");
      await paid(till, id);
    }
    const asksForEth = new RegExp(`send at least 0\\.\\d+ ETH to ${gasAddressOf(till)}`);
    const ready = await until(
      () => till.api("GET", "/health/ready"),
      ({ body }) => asksForEth.test(String(body.warnings)),
    );
    expect(ready.status).toBe(200);
    expect(till.logged.filter((line) => line.includes("[settlement.waiting]"))).toHaveLength(1);
    expect((await till.api("GET", "/metrics")).body).toContain("till_unsettled_usdc 3000\n");
    await till.stop();
  });
});

describe("startSettler", () => {
  let proxy: RpcProxy;
  let gas: TestGasAccount;
  let settler: Settler;
  const logged: string[] = [];
  beforeEach(() => {
    logged.length = 0;
    proxy = startRpcProxy(chain.rpcUrl);
  });
  afterEach(async () => {
    await settler.stop();
    gas.close();
    await proxy.stop();
  });

  function start(changes: Record<string, string> = {}, blockedMs = 50) {
    const config = parseConfig({
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: proxy.url,
      TILL_DATA_DIR: gas.dataDir,
      TILL_WALLET_PASSPHRASE: passphrase,
      ...changes,
    });
    const log = createLog({ format: "text", level: "debug", write: (line) => void logged.push(line) });
    const { db, now } = gas;
    settler = startSettler({
      config,
      db,
      log,
      now,
      wallet: Promise.resolve(gas.wallet),
      blockedMs,
    });
  }

  test("says that it waits for the base fee to fall, and goes on when it has", async () => {
    gas = await openGasAccount(chain);
    const wallet = newWallet();
    await fundedDeposit(chain, gas.db, 4_000_000n, wallet);
    await credit(gas, chain.usdc);
    const before = settledTotal(gas.db);
    await chain.rpc("anvil_setNextBlockBaseFeePerGas", ["0x6fc23ac00"]);
    await chain.mine(1);
    start();
    const [warning] = await until(
      async () => settler.warnings(),
      (warnings) => warnings.length > 0,
    );
    expect(warning?.message).toContain(
      "settlement waits: The network asks more for each unit of gas than the 20 gwei",
    );
    expect(logged.filter((line) => line.includes("settlement.waiting"))).toHaveLength(1);
    await chain.rpc("anvil_setNextBlockBaseFeePerGas", ["0x3b9aca00"]);
    await chain.mine(1);
    await until(
      () => settledTotal(gas.db),
      (total) => total === before + 4_000_000n,
    );
    await until(settler.warnings, ({ length }) => length === 0);
  });

  test("settles however many payments by a signature are on their way", async () => {
    gas = await openGasAccount(chain);
    await fundedDeposit(chain, gas.db, 4_000_000n, newWallet());
    await credit(gas, chain.usdc);
    const before = settledTotal(gas.db);
    await chain.rpc("evm_setAutomine", [false]);
    try {
      for (let i = 0; i < 5; i++) {
        const relay = { purpose: "relay", to: newWallet(), data: "0x", gasLimit: 21_000n } as const;
        await submit(gas, { ...relay, reason: "on its way" });
      }
      start();
      await until(
        () => GasTransactionStore.listPending(gas.db, gas.chainId).map(({ purpose }) => purpose),
        (purposes) => purposes.includes("settle") || purposes.includes("deploy"),
      );
    } finally {
      await chain.rpc("evm_setAutomine", [true]);
      await chain.mine(1);
    }
    await until(
      () => settledTotal(gas.db),
      (total) => total === before + 4_000_000n,
    );
  });

  test("asks the node for nothing while there is nothing to settle", async () => {
    gas = await openGasAccount(chain);
    await fundedDeposit(chain, gas.db, 999_999n, newWallet());
    await credit(gas, chain.usdc);
    start();
    settler.wake();
    // Time itself: in it the node would be asked.
    await Bun.sleep(300);
    expect(proxy.calls).toEqual([]);
    const wallet = newWallet();
    await fundedDeposit(chain, gas.db, 3_000_000n, wallet);
    await credit(gas, chain.usdc);
    settler.wake();
    await until(
      () => settledTotal(gas.db),
      (total) => total === 3_000_000n,
    );
    await silence(proxy, 300);
    settler.wake();
    // Time itself: in it the node would be asked.
    await Bun.sleep(300);
    expect(proxy.calls).toEqual([]);
    expect(settler.warnings()).toEqual([]);
  });

  test("goes on when ETH arrives, and when the node is there again", async () => {
    gas = await openGasAccount(chain, { wei: 0n });
    const wallet = newWallet();
    await fundedDeposit(chain, gas.db, 3_000_000n, wallet);
    await credit(gas, chain.usdc);
    proxy.answer = () => new Response("down", { status: 503 });
    start();
    await until(settler.warnings, (warnings) =>
      warnings.some(({ message }) => message.includes("did not answer")),
    );
    proxy.answer = null;
    await until(settler.warnings, (warnings) => warnings.some(({ message }) => message.includes("ETH")));
    await chain.giveEth(gas.wallet.gasAddress);
    await until(
      () => balanceOf(chain, chain.usdc, wallet),
      (balance) => balance === 3_000_000n,
    );
    await until(settler.warnings, (warnings) => warnings.length === 0);
  });

  test("goes on once the database can be read again", async () => {
    gas = await openGasAccount(chain);
    const wallet = newWallet();
    await fundedDeposit(chain, gas.db, 3_000_000n, wallet);
    await credit(gas, chain.usdc);
    gas.db.run("ALTER TABLE gas_transaction RENAME TO out_of_reach");
    start();
    await until(settler.warnings, (warnings) =>
      warnings.some(({ message }) => message.includes("gas_transaction")),
    );
    gas.db.run("ALTER TABLE out_of_reach RENAME TO gas_transaction");
    await until(
      () => balanceOf(chain, chain.usdc, wallet),
      (balance) => balance === 3_000_000n,
    );
  });

  test("settles for whoever asks with the next node when the first does not answer", async () => {
    gas = await openGasAccount(chain);
    await fundedDeposit(chain, gas.db, 3_000_000n, newWallet());
    await credit(gas, chain.usdc);
    start({ TILL_SETTLE: "manual", TILL_RPC_URL: `http://127.0.0.1:1,${proxy.url}` });
    expect(await settler.settleNow(false)).toEqual({ kind: "begun", deposits: 1 });
    await until(
      () => settledTotal(gas.db),
      (total) => total === 3_000_000n,
    );
  });

  test("logs what one transaction settled though the next one's receipt cannot be read", async () => {
    gas = await openGasAccount(chain);
    const rules = { usdc: chain.usdc, min: Usdc.fromMicro(1_000_000n) };
    const creation = await submit(gas, deployment(gas));
    if (creation.kind === "submitted") await waitFor(gas, creation.transaction.id);
    for (let i = 0; i < 2; i++) {
      await fundedDeposit(chain, gas.db, 3_000_000n, newWallet());
      await credit(gas, chain.usdc);
      const [batch = []] = (await Settlement.plan(gas, rules)).batches;
      const submitted = await submit(gas, Settlement.jobOf(gas, batch, rules));
      if (submitted.kind !== "submitted") throw new Error(submitted.kind);
      await waitFor(gas, submitted.transaction.id);
    }
    const hashes = SettlementStore.listUnrecorded(gas.db, gas.chainId).map(({ txHash }) => txHash);
    proxy.answer = ({ method, params }) =>
      method === "eth_getTransactionReceipt" && params[0] === hashes[1]
        ? { error: { code: -32_000, message: "no such thing" } }
        : undefined;
    const done = () => logged.filter((line) => line.includes("[settlement.done]"));
    start({ TILL_SETTLE: "manual" });
    await until(settler.warnings, (warnings) =>
      warnings.some(({ message }) => message.includes("no such thing")),
    );
    expect(settledTotal(gas.db)).toBe(Usdc.fromMicro(3_000_000n));
    expect(done()).toEqual([expect.stringContaining(`count=1 amount=3.00 tx=${hashes[0]}`)]);
    proxy.answer = null;
    await until(done, (lines) => lines.length === 2);
    expect(done()[1]).toContain(`count=1 amount=3.00 tx=${hashes[1]}`);
  });

  test("says which receipt no node shows, asks for it once a minute, and decides without it after ten", async () => {
    gas = await openGasAccount(chain);
    const rules = { usdc: chain.usdc, min: Usdc.fromMicro(1_000_000n) };
    await fundedDeposit(chain, gas.db, 3_000_000n, newWallet());
    await credit(gas, chain.usdc);
    const [batch = []] = (await Settlement.plan(gas, rules)).batches;
    const submitted = await submit(gas, Settlement.jobOf(gas, batch, rules));
    if (submitted.kind !== "submitted") throw new Error(submitted.kind);
    await waitFor(gas, submitted.transaction.id);
    const minuteMs = 1_000;
    const askedAt: number[] = [];
    proxy.answer = ({ method }) => {
      if (method !== "eth_getTransactionReceipt") return undefined;
      askedAt.push(performance.now());
      return { result: null };
    };
    start({ TILL_SETTLE: "manual" }, minuteMs);
    const { txHash } = GasTransactionStore.byId(gas.db, submitted.transaction.id) ?? {};
    await until(settler.warnings, (all) =>
      all.some(({ message }) => message.includes(`the receipt of ${txHash}`)),
    );
    await until(
      () => askedAt.length,
      (count) => count >= 3,
    );
    // A timer may be a little early.
    for (const [index, at] of askedAt.slice(1).entries())
      expect(at - (askedAt[index] ?? 0)).toBeGreaterThan(minuteMs - 5);
    gas.pass(601_000);
    await until(
      () => logged.join(""),
      (text) => text.includes("[settlement.unread]"),
    );
    await until(settler.warnings, ({ length }) => length === 0);
    expect(logged.filter((line) => line.includes("[settlement.waiting]"))).toHaveLength(1);
  });

  test("says of which transaction the chain takes none, for as long as a node names a nonce too high", async () => {
    gas = await openGasAccount(chain);
    proxy.answer = ({ method }) => (method === "eth_getTransactionCount" ? { result: "0xf4240" } : undefined);
    const liar = { ...gas, rpc: createRpc({ url: proxy.url }) };
    const creation = await submit(liar, deployment(gas));
    if (creation.kind !== "submitted") throw new Error(creation.kind);
    start({ TILL_SETTLE: "manual" });
    await until(
      () => {
        gas.pass(100_000);
        return logged.join("");
      },
      (text) => text.includes("[gas.late]"),
    );
    const [late] = walletWarnings(gas.db, gas.chainId, gas.now());
    expect(late?.message).toContain("the chain has not taken transaction 1000000 of the gas account");
    proxy.answer = null;
    await until(
      () => {
        gas.pass(100_000);
        return GasTransactionStore.byId(gas.db, creation.transaction.id);
      },
      (transaction) => transaction?.state !== "pending",
    );
    expect(walletWarnings(gas.db, gas.chainId, gas.now())).toEqual([]);
    expect(logged.filter((line) => line.includes("[gas.late]"))).toHaveLength(1);
  });

  test("begins nothing in manual mode, and brings to its end what somebody began", async () => {
    gas = await openGasAccount(chain);
    const rules = { usdc: chain.usdc, min: Usdc.fromMicro(1_000_000n) };
    for (let i = 0; i < 2; i++) await fundedDeposit(chain, gas.db, 3_000_000n, newWallet());
    await credit(gas, chain.usdc);
    start({ TILL_SETTLE: "manual" });
    // Time itself: in it the node would be asked.
    await Bun.sleep(300);
    expect(proxy.calls).toEqual([]);
    const { batches } = await Settlement.plan(gas, rules);
    await submit(gas, Settlement.jobOf(gas, batches[0]?.slice(0, 1) ?? [], rules));
    settler.wake();
    await until(
      () => settledTotal(gas.db),
      (total) => total === 3_000_000n,
    );
    await silence(proxy, 300);
    expect(settledTotal(gas.db)).toBe(Usdc.fromMicro(3_000_000n));
  });
});
