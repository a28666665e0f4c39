import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { topicOf, transferTopic } from "../../../src/chain/transfer/transfer-log.ts";
import { paymentWarnings } from "../../../src/doctor/money-findings.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { beginEpoch } from "../../../src/store/files/restore-facts.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import * as BalanceStore from "../../../src/store/tables/watch/balance.ts";
import * as CheckpointStore from "../../../src/store/tables/watch/checkpoint.ts";
import * as DepositTransferStore from "../../../src/store/tables/watch/deposit-transfer.ts";
import * as RereadStore from "../../../src/store/tables/watch/reread.ts";
import { deployFactory } from "../../support/chain/evm.ts";
import { holdersIn, withBalances } from "../../support/chain/holdings.ts";
import { type RpcCall, type RpcProxy, startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { flushAsStranger, newWallet } from "../../support/chain/settlement.ts";
import { hurry } from "../../support/hurry.ts";
import { db } from "../../support/till/database.ts";
import { storeInvoice } from "../../support/till/records.ts";
import { until } from "../../support/till/till.ts";
import { begin, chain, end, halt, proxy, start } from "../../support/watch/proxied.ts";
import type { TestWatcher } from "../../support/watch/watcher.ts";

hurry();

beforeEach(begin);
afterEach(end);

/** An invoice of long ago, which nobody watches any more. */
function dormantInvoice() {
  const invoice = storeInvoice(db, { total: "100.00" });
  db.run("UPDATE receivable SET changed_at = changed_at - 40 * 86400000");
  return invoice;
}

async function startAtHead(): Promise<TestWatcher> {
  const watcher = start();
  await until(() => CheckpointStore.latest(db), Boolean);
  return watcher;
}

describe("a slice of blocks that are read again", () => {
  test("is not booked when its blocks left the chain before that", async () => {
    await chain.mine(3);
    const { deposit } = dormantInvoice();
    storeInvoice(db);
    const running = await startAtHead();
    const paid = Number((await chain.pay(deposit.address, "100.00")).blockNumber);
    await chain.mine(2);
    await running.readNow();
    let isReplaced = false;
    proxy.answer = async ({ method, params }) => {
      // The first header that is asked for after the logs.
      const isAsked = method === "eth_getBlockByNumber" && Number(params[0]) === paid;
      if (!isAsked || isReplaced) return undefined;
      isReplaced = true;
      await chain.reorg(4);
      return undefined;
    };
    RereadStore.request(db, { from: 0, to: null }, Date.now());
    await until(
      () => RereadStore.listByRequest(db, 1),
      (rows) => rows.every(({ finishedAt }) => finishedAt !== null),
    );
    expect(isReplaced).toBe(true);
    expect(running.logged.join("\n")).toContain(`Block ${paid} was replaced while it was being read`);
    expect(DepositTransferStore.list(db, deposit.index)).toEqual([]);
    expect(RereadStore.listByRequest(db, 1)).toMatchObject([{ transfers: 0, problem: null }]);
  });

  test("does not wait for a time that a clock planned which was ahead by hours", async () => {
    await chain.mine(3);
    dormantInvoice();
    storeInvoice(db);
    await startAtHead();
    RereadStore.request(db, { from: 0, to: null }, Date.now() + 3 * 3_600_000);
    await until(
      () => RereadStore.listByRequest(db, 1),
      (rows) => rows.length > 0 && rows.every(({ finishedAt }) => finishedAt !== null),
    );
  });

  test("is asked of the next node when one does not have the blocks, and goes on with it", async () => {
    await chain.mine(3);
    const { deposit } = dormantInvoice();
    storeInvoice(db);
    await startAtHead();
    await halt();
    await chain.pay(deposit.address, "100.00");
    await chain.mine(30);
    proxy.answer = ({ method, params }) => {
      if (method !== "eth_getLogs") return undefined;
      const [{ fromBlock }] = params as [{ fromBlock: string }];
      return Number(fromBlock) < 20
        ? { error: { code: 4444, message: "pruned history unavailable" } }
        : undefined;
    };
    const other = startRpcProxy(chain.rpcUrl);
    try {
      const nodes = { TILL_RPC_URL: `${proxy.url},${other.url}`, TILL_LOG_RANGE: "5" };
      start(nodes);
      proxy.reset();
      RereadStore.request(db, { from: 0, to: null }, Date.now());
      await until(
        () => RereadStore.listByRequest(db, 1),
        ([row]) => row?.finishedAt !== null,
      );
      expect(RereadStore.listByRequest(db, 1)).toMatchObject([{ transfers: 1, problem: null }]);
      const slices = (node: RpcProxy) => node.calls.filter(({ method }) => method === "eth_getLogs").length;
      expect(slices(other)).toBeGreaterThanOrEqual(7);
    } finally {
      await halt();
      await other.stop();
    }
  });
});

describe("blocks that a look left to be read for an address that was emptied", () => {
  const isRecorded = (index: number) =>
    until(
      () => DepositTransferStore.list(db, index),
      (transfers) => transfers.length === 1,
    );

  test("are read however often the node fails, as nothing else tells of that money", async () => {
    let aheadMs = 0;
    const now = () => Date.now() + aheadMs;
    const nodes = { TILL_LOG_RANGE: "1" };
    await deployFactory(chain);
    const { id, deposit } = storeInvoice(db, { total: "100.00", payoutWallet: newWallet() });
    start(nodes, now);
    await until(() => CheckpointStore.latest(db), Boolean);
    await halt();
    await chain.pay(deposit.address, "100.00");
    await flushAsStranger(chain, deposit);
    await chain.mine(10);
    proxy.answer = ({ method }) =>
      method === "eth_getLogs" ? { error: { code: 4444, message: "pruned history unavailable" } } : undefined;
    start(nodes, now);
    const row = () => RereadStore.listOpen(db).find(({ reason }) => reason === "rescan");
    for (let failures = 1; failures <= 12; failures++) {
      await until(row, (found) => (found?.failures ?? 0) >= failures);
      aheadMs += 30_000;
    }
    proxy.answer = null;
    await isStatus(id, "paid");
  });

  test("are read up to the newest one", async () => {
    const { deposit } = dormantInvoice();
    storeInvoice(db);
    const watcher = await startAtHead();
    const paid = Number((await chain.pay(deposit.address, "100.00")).blockNumber);
    await watcher.readNow();
    expect(CheckpointStore.latest(db)?.number).toBe(paid - 1);
    RereadStore.addRescan(db, [deposit.index], { from: paid - 1, to: paid }, Date.now());
    await isRecorded(deposit.index);
  });

  test("are read again when the node tells of nothing, as it may lag", async () => {
    const { deposit } = dormantInvoice();
    storeInvoice(db);
    const watcher = await startAtHead();
    const paid = Number((await chain.pay(deposit.address, "100.00")).blockNumber);
    await chain.mine(2);
    await watcher.readNow();
    let lagged = 0;
    proxy.answer = ({ method }) => {
      if (method !== "eth_getLogs" || lagged === 2) return undefined;
      lagged += 1;
      return { result: [] };
    };
    RereadStore.addRescan(db, [deposit.index], { from: paid - 1, to: paid }, Date.now());
    await isRecorded(deposit.index);
    await until(() => RereadStore.listOpen(db).length === 0, Boolean);
  });

  test("are read no more when nobody has told of anything for long", async () => {
    await chain.mine(5);
    const { deposit } = dormantInvoice();
    storeInvoice(db);
    const watcher = await startAtHead();
    RereadStore.addRescan(db, [deposit.index], { from: 1, to: 2 }, Date.now());
    await until(() => calls("eth_getLogs") > 0, Boolean);
    // So slow that the minute and a half in which a node may lag is over.
    await chain.rpc("anvil_mine", ["0x200", "0x1"]);
    await watcher.readNow();
    await until(() => RereadStore.listOpen(db).length === 0, Boolean);
  });
});

describe("money that no log tells of", () => {
  const warnings = (watcher: TestWatcher) => [
    ...paymentWarnings(db, Date.now()).map(({ message }) => message),
    ...watcher.state().warnings.map(({ message }) => message),
  ];
  const leavesOut = (call: RpcCall) => (call.method === "eth_getLogs" ? { result: [] } : undefined);

  test("is credited once, and soon after its logs are there, 12 s later", async () => {
    const [lateMs, pace] = [12_000, 4];
    const { id, deposit } = storeInvoice(db, { total: "100.00" });
    const begunAt = Date.now();
    /** So many times as fast as others. */
    const now = () => begunAt + (Date.now() - begunAt) * pace;
    const watcher = start({}, now);
    await until(() => CheckpointStore.latest(db), Boolean);
    proxy.answer = leavesOut;
    await chain.pay(deposit.address, "100.00");
    void watcher.readNow();
    await until(
      () => warnings(watcher).join(),
      (all) => all.includes("more is there than any node tells of: 100.00 USDC"),
    );
    // Time itself: how late they come is what is tried.
    await Bun.sleep(lateMs / pace);
    expect(InvoiceStore.byId(db, id)?.status).toBe("draft");
    proxy.answer = null;
    const backAt = now();
    await isStatus(id, "paid");
    // It is tried after 1, 3, 7, 15, 31 s, and then every 30.
    expect(now() - backAt).toBeLessThan(2 * lateMs + 3_000);
    expect(DepositTransferStore.list(db, deposit.index)).toHaveLength(1);
    await until(
      () => warnings(watcher),
      (all) => all.length === 0,
    );
    expect(RereadStore.listOpen(db)).toEqual([]);
  });

  test("is not added to what has left the chain, of which no look knows yet", async () => {
    const { deposit } = storeInvoice(db, { total: "100.00" });
    // The looks ask of two addresses, and whoever reads again of the one that holds more.
    storeInvoice(db);
    const watcher = await startAtHead();
    await chain.pay(deposit.address, "40.00");
    await watcher.readNow();
    const amounts = () => DepositTransferStore.list(db, deposit.index).map(({ amount }) => Number(amount));
    await until(amounts, ([amount]) => amount === 40_000_000);
    proxy.answer = leavesOut;
    await chain.pay(deposit.address, "50.00");
    void watcher.readNow();
    await until(
      () => RereadStore.listOpen(db).length,
      (count) => count > 0,
    );
    const held = Promise.withResolvers<void>();
    proxy.answer = async (call) => {
      const isLook = holdersIn(call)?.length === 2;
      if (isLook) await held.promise;
      return undefined;
    };
    await chain.reorg(2);
    await chain.pay(deposit.address, "60.00");
    proxy.reset();
    await until(
      () => calls("eth_getLogs"),
      (count) => count > 0,
    );
    // Time itself: nothing tells that it is not booked, and by then it is, if it is.
    await Bun.sleep(500);
    expect(amounts()).toEqual([40_000_000]);
    held.resolve();
    await until(amounts, (all) => all.length === 1 && all[0] === 60_000_000);
  });

  test("is found in few calls where the node tells what was there in old blocks", async () => {
    const { id, deposit } = storeInvoice(db, { total: "100.00" });
    await startAtHead();
    await halt();
    await chain.mine(100);
    await chain.pay(deposit.address, "100.00");
    await chain.mine(100);
    proxy.reset();
    start({ TILL_LOG_RANGE: "2" });
    await isStatus(id, "paid");
    expect(calls("eth_getLogs")).toBeLessThan(5);
  });

  test("is looked for once while that takes long, also when its balance is compared meanwhile", async () => {
    const { id, deposit } = storeInvoice(db, { total: "100.00" });
    await startAtHead();
    await halt();
    await chain.mine(300);
    await chain.pay(deposit.address, "100.00");
    proxy.answer = async ({ method }) => {
      // Time itself: a node that takes long is what is tried.
      if (method === "eth_getLogs") await Bun.sleep(20);
      return undefined;
    };
    start({ TILL_LOG_RANGE: "1" });
    await until(
      () => RereadStore.listOpen(db).length,
      (count) => count > 0,
    );
    db.run("UPDATE receivable SET compare_at = 0");
    await until(
      () => BalanceStore.books(db, deposit.index).compareAt,
      (at) => at > Date.now(),
    );
    expect(RereadStore.listOpen(db)).toMatchObject([{ reason: "late", failures: 0, finishedAt: null }]);
    await isStatus(id, "paid");
  });

  test("is found while a rescan takes long, also of addresses that are an epoch apart", async () => {
    const { id, deposit } = storeInvoice(db, { total: "100.00" });
    await startAtHead();
    await halt();
    await chain.mine(300);
    await chain.pay(deposit.address, "100.00");
    await chain.mine(10);
    beginEpoch(db, Date.now());
    storeInvoice(db);
    const request = RereadStore.request(db, { from: 0, to: null }, Date.now());
    proxy.answer = async ({ method }) => {
      // Time itself: a node that takes long is what is tried.
      if (method === "eth_getLogs") await Bun.sleep(10);
      return undefined;
    };
    start({ TILL_LOG_RANGE: "1" });
    await isStatus(id, "paid");
    const underWay = { transfers: 0, finishedAt: null };
    expect(RereadStore.listByRequest(db, request)).toMatchObject([underWay, underWay]);
  });

  test("is found where the node has forgotten that, by reading every block since", async () => {
    const { id, deposit } = storeInvoice(db, { total: "100.00" });
    await startAtHead();
    await halt();
    await chain.mine(30);
    await chain.pay(deposit.address, "100.00");
    await chain.mine(30);
    proxy.reset();
    proxy.answer = (call) =>
      holdersIn(call) && call.params[1] !== "latest"
        ? { error: { code: -32000, message: "missing trie node" } }
        : undefined;
    start({ TILL_LOG_RANGE: "2" });
    await isStatus(id, "paid");
    expect(calls("eth_getLogs")).toBeLessThan(60);
    expect(DepositTransferStore.list(db, deposit.index)).toHaveLength(1);
  });

  test("is found below the checkpoint when a node had not told that it was there", async () => {
    const { id, deposit } = storeInvoice(db, { total: "100.00" });
    const watcher = await startAtHead();
    const hides = (call: RpcCall) => {
      const holders = holdersIn(call);
      return (
        holders &&
        chain.rpc(call.method, call.params).then((answer) => ({ result: withBalances(answer, () => 0n) }))
      );
    };
    proxy.answer = (call) => hides(call) ?? undefined;
    await chain.pay(deposit.address, "100.00");
    await chain.mine(10);
    await watcher.readNow();
    proxy.answer = null;
    await watcher.readNow();
    await isStatus(id, "paid");
  });

  test("is credited in its new block when a reorganisation moved it and the node leaves it out there", async () => {
    let aheadMs = 0;
    const { id, deposit } = storeInvoice(db, { total: "100.00" });
    const watcher = start({}, () => Date.now() + aheadMs);
    await until(() => CheckpointStore.latest(db), Boolean);
    const { txHash, blockNumber } = await chain.pay(deposit.address, "100.00");
    await watcher.readNow();
    await isStatus(id, "paid");
    await chain.mine(1);
    await watcher.readNow();
    proxy.answer = leavesOut;
    const raw = await chain.rpc("debug_getRawTransaction", [txHash]);
    await chain.rpc("anvil_reorg", [2, [[raw, 1]]]);
    await chain.mine(1);
    await watcher.readNow();
    expect(watcher.logged.filter((line) => line.includes("[chain.reorg]"))).toHaveLength(1);
    await until(() => paymentWarnings(db, Date.now()).join(), Boolean);
    proxy.answer = null;
    aheadMs = 60_000;
    await until(
      () => DepositTransferStore.list(db, deposit.index),
      ([transfer]) => transfer?.blockNumber === Number(blockNumber) + 1 && transfer.confirmed,
    );
    await isStatus(id, "paid");
    expect(DepositTransferStore.list(db, deposit.index)).toMatchObject([{ txHash }]);
  });
});

describe("an address that was emptied before, and is paid and emptied by a stranger between two looks", () => {
  /** Resolves when the node has told a subscriber of a transfer to this address. */
  async function toldOf(address: string): Promise<() => Promise<void>> {
    const socket = new WebSocket(chain.wsUrl);
    const { promise, resolve } = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    socket.onmessage = ({ data }) => {
      if (String(data).includes("eth_subscription")) resolve();
      else open.resolve();
    };
    await new Promise((opened) => socket.addEventListener("open", opened));
    const filter = { address: chain.usdc, topics: [transferTopic, null, topicOf(Address.checksum(address))] };
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["logs", filter] }));
    await open.promise;
    return () => promise.finally(() => socket.close());
  }

  test("is credited what the node told of, also when it told while a look waited for its answer", async () => {
    await deployFactory(chain);
    const { id, deposit } = storeInvoice(db, { total: "100.00", payoutWallet: newWallet() });
    let aheadMs = 0;
    const watcher = start({ TILL_RPC_WS_URL: chain.wsUrl }, () => Date.now() + aheadMs);
    await chain.pay(deposit.address, "40.00");
    await isStatus(id, "partial");
    await flushAsStranger(chain, deposit);
    await watcher.readNow();
    // What is less is looked into ten seconds later, and again ten after that if a block was missing.
    await until(() => {
      aheadMs += 500;
      return watcher.logged.some((line) => line.includes("[settlement.elsewhere]"));
    }, Boolean);
    let isHeld = false;
    proxy.answer = async (call) => {
      if (isHeld || !holdersIn(call)) return undefined;
      isHeld = true;
      const told = await toldOf(deposit.address);
      await chain.pay(deposit.address, "60.00");
      await flushAsStranger(chain, deposit);
      await told();
      return undefined;
    };
    void watcher.readNow();
    await isStatus(id, "paid");
    expect(isHeld).toBe(true);
  });
});

const isStatus = (id: string, wanted: string) =>
  until(
    () => InvoiceStore.byId(db, id)?.status,
    (status) => status === wanted,
  );
const calls = (method: string) => proxy.calls.filter((call) => call.method === method).length;
