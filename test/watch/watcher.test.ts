import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as Address from "../../src/domain/wallet/address.ts";
import { closeDatabase, openReadOnly } from "../../src/store/database.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { holdersIn } from "../support/chain/holdings.ts";
import { createPayer } from "../support/chain/payer.ts";
import { type RpcProxy, silence, startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { createRandom } from "../support/random.ts";
import { makeDataDir, openNewDatabase } from "../support/till/data-dir.ts";
import { storeInvoice } from "../support/till/records.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";
import { startTestWatcher } from "../support/watch/watcher.ts";

let chain: TestChain;
let proxy: RpcProxy;
let till: TestTill | null;

beforeEach(async () => {
  chain = await startTestChain();
  proxy = startRpcProxy(chain.rpcUrl);
  till = null;
});
afterEach(async () => {
  await till?.stop();
  await proxy.stop();
  await chain.stop();
});

async function start(
  environment: Record<string, string> = {},
  wsUrl: string | null = chain.wsUrl,
): Promise<TestTill> {
  till = await startTestTill({ rpcUrl: proxy.url, ...(wsUrl ? { wsUrl } : {}) }, environment);
  return till;
}

const to = (invoice: Record<string, string>) => Address.checksum(invoice["deposit_address"] ?? "");
const statusOf = async (running: TestTill, invoice: Record<string, string>): Promise<string> =>
  (await running.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`)).body.status;
const paymentsOf = async (running: TestTill, invoice: Record<string, string>) =>
  (await running.api("GET", `/api/invoices/${invoice["invoice_id"]}/payments`)).body.data;
const becomes = (running: TestTill, invoice: Record<string, string>, status: string) =>
  until(
    () => statusOf(running, invoice),
    (value) => value === status,
  );

/** Waits until the address that was just made has been looked at, and nothing more is asked. */
async function firstLook(): Promise<void> {
  await until(() => proxy.calls.some((call) => holdersIn(call)?.length), Boolean);
  await silence(proxy, 500);
}

describe("the chain watcher", () => {
  test("stays stopped, also when it was stopped while it read the deposits: the process could not end", async () => {
    const dir = makeDataDir();
    const db = openNewDatabase(dir.path);
    // More than are read in one turn.
    for (let i = 0; i < 600; i++) storeInvoice(db);
    const environment = { TILL_RPC_URL: chain.rpcUrl, TILL_RPC_WS_URL: chain.wsUrl };
    const watcher = startTestWatcher(db, environment);
    await watcher.stop();
    const connects = startTestWatcher(db, environment);
    await until(
      () => connects.logged,
      (lines) => lines.some((line) => line.includes("chain.connected")),
    );
    await connects.stop();
    expect(watcher.logged).toEqual([]);
    closeDatabase(db);
    dir.remove();
  });

  test("asks the node for nothing while there is nothing to watch, and waits for the subscription when there is", async () => {
    const running = await start();
    await until(
      () => proxy.calls.length,
      (count) => count >= 3,
    );
    await silence(proxy, 1_500);
    expect((await running.api("GET", "/health/ready")).status).toBe(200);
    await running.createInvoice();
    await firstLook();
    await silence(proxy, 2_000);
  });

  test("credits what came in a long time without it in parts, and answers others in between", async () => {
    const running = await start();
    const invoices = [await running.createInvoice(), await running.createInvoice()];
    await running.pause();
    const random = createRandom(1);
    const payer = createPayer(chain, { sent: () => {} }, random);
    const [transactions, together, amount] = [60, 10, 2_000_000n];
    for (let i = 0; i < transactions; i++) {
      await payer.payTogether(
        Array.from({ length: together }, () => ({ to: to(random.pick(invoices)), amount })),
      );
    }
    const watched = openReadOnly(running.config.dataDir);
    const look = watched.query<{ count: bigint }, []>("SELECT count(*) AS count FROM transfer");
    const seen: number[] = [];
    let isDone = false;
    const watching = (async () => {
      while (!isDone) {
        seen.push(Number(look.get()?.count));
        await new Promise(setImmediate);
      }
    })();
    await running.resume();
    const all = transactions * together;
    await until(
      () => seen.at(-1),
      (count) => count === all,
    );
    isDone = true;
    await watching;
    watched.close();
    expect(seen.some((count) => count > 0 && count < all)).toBe(true);
    const records = await Promise.all(
      invoices.map(async ({ invoice_id }) => (await running.api("GET", `/api/invoices/${invoice_id}`)).body),
    );
    const received = records.map(({ received_amount }) => Number(received_amount));
    expect(received.reduce((sum, one) => sum + one, 0)).toBe(1200);
    expect(records.map(({ status }) => status)).toEqual(["partial", "partial"]);
  });

  test("shows a payment at once with its confirmations, and counts it when they are there", async () => {
    const running = await start({ TILL_CONFIRMATIONS: "3" });
    const invoice = await running.createInvoice();
    await chain.pay(to(invoice), "1500.00");
    const [seen] = await until(
      () => paymentsOf(running, invoice),
      (payments) => payments.length === 1,
    );
    expect(seen).toMatchObject({ amount: "1500.00", confirmations: 1, confirmed: false });
    expect(await statusOf(running, invoice)).toBe("draft");
    expect(await (await fetch(invoice["invoice_url"] ?? "")).text()).toMatch(
      /Confirmed in \d+ s|Being confirmed/,
    );
    await chain.mine(1);
    await until(
      () => paymentsOf(running, invoice),
      ([payment]) => payment.confirmations === 2,
    );
    expect(await statusOf(running, invoice)).toBe("draft");
    await chain.mine(1);
    await becomes(running, invoice, "paid");
    expect((await paymentsOf(running, invoice))[0]).toMatchObject({ confirmations: 3, confirmed: true });
  });

  test("does not knock again and again at a WebSocket that takes no subscription", async () => {
    let opened = 0;
    const refusing = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request, self) =>
        self.upgrade(request, { data: undefined }) ? undefined : new Response("no", { status: 400 }),
      websocket: {
        open() {
          opened += 1;
        },
        message(socket, text) {
          const { id } = JSON.parse(String(text));
          const error = { code: -32601, message: "the method eth_subscribe does not exist" };
          socket.send(JSON.stringify({ jsonrpc: "2.0", id, error }));
        },
      },
    });
    try {
      const running = await start({}, `ws://127.0.0.1:${refusing.port}`);
      const invoice = await running.createInvoice();
      await until(() => opened, Boolean);
      await firstLook();
      proxy.reset();
      // Time itself: so often it may knock and ask in it.
      await Bun.sleep(2_500);
      expect(opened).toBeLessThan(7);
      expect(proxy.calls.length).toBeLessThan(10);
      expect(running.logged.filter((line) => line.includes("[chain.disconnected]"))).toHaveLength(1);
      await chain.pay(to(invoice), "1500.00");
      await becomes(running, invoice, "paid");
    } finally {
      await refusing.stop(true);
    }
  });

  test("watches an address from the block of its creation on, however soon it is paid", async () => {
    const running = await start();
    for (let i = 0; i < 2; i++) {
      const invoice = await running.createInvoice();
      await chain.pay(to(invoice), "1500.00");
      await becomes(running, invoice, "paid");
    }
  });

  test("credits what came while the node could not be reached, also on a first start", async () => {
    proxy.answer = () => new Response("no", { status: 503 });
    const running = await start({}, null);
    const invoice = await running.createInvoice();
    await chain.pay(to(invoice), "1500.00");
    await chain.mine(40);
    expect((await running.api("GET", "/health/ready")).status).toBe(503);
    proxy.answer = null;
    await becomes(running, invoice, "paid");
    await until(
      async () => (await running.api("GET", "/health/ready")).status,
      (status) => status === 200,
    );
  });

  test("takes a payment back when a reorg removes it, and reports the status only once", async () => {
    const receiver = await startReceiver();
    try {
      const running = await start();
      await chain.mine(3);
      const invoice = await running.createInvoice({ webhook_url: receiver.url });
      await chain.pay(to(invoice), "1500.00");
      await becomes(running, invoice, "paid");
      await chain.reorg(1);
      await chain.mine(1);
      // The subscription says nothing of a reorg; the next payment makes it look.
      const other = await running.createInvoice();
      await chain.pay(to(other), "1.00");
      await becomes(running, invoice, "draft");
      expect(running.logged.some((line) => line.includes("[payment.lost]"))).toBe(true);
      await chain.pay(to(invoice), "1500.00");
      await becomes(running, invoice, "paid");
      await chain.pay(to(invoice), "1.00");
      // What was paid again would have been told of before.
      const told = await until(
        () => receiver.received.map(({ raw }) => JSON.parse(raw.toString()).status),
        (statuses) => statuses.length > 1,
      );
      expect(told).toEqual(["paid", "excess"]);
    } finally {
      await receiver.stop();
    }
  });

  test("credits nothing on the word of a node of another chain", async () => {
    proxy.answer = ({ method }) => (method === "eth_chainId" ? { result: "0x1" } : undefined);
    const running = await start({}, null);
    const invoice = await running.createInvoice();
    await chain.pay(to(invoice), "1500.00");
    await until(
      async () => (await running.api("GET", "/health/ready")).body.reasons ?? [],
      ([reason]) => String(reason).includes("is a node of chain 1;"),
    );
    proxy.reset();
    await until(
      () => proxy.calls.filter(({ method }) => method === "eth_chainId").length,
      (count) => count >= 2,
    );
    expect(await statusOf(running, invoice)).toBe("draft");
    proxy.answer = null;
    await becomes(running, invoice, "paid");
  });
});
