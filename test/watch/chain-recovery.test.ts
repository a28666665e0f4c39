import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as Address from "../../src/domain/wallet/address.ts";
import * as CheckpointStore from "../../src/store/tables/watch/checkpoint.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { type RpcProxy, startRpcProxy } from "../support/chain/rpc-proxy.ts";
import { hurry } from "../support/hurry.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

hurry();

let chain: TestChain;
let first: RpcProxy;
let till: TestTill | null;

beforeEach(async () => {
  chain = await startTestChain();
  first = startRpcProxy(chain.rpcUrl);
  till = null;
});
afterEach(async () => {
  await till?.stop();
  await first.stop();
  await chain.stop();
});

async function start(rpcUrl: string, environment: Record<string, string> = {}): Promise<TestTill> {
  till = await startTestTill({ rpcUrl, wsUrl: chain.wsUrl }, environment);
  return till;
}

type Created = Record<string, string>;
const to = (invoice: Created) => Address.checksum(invoice["deposit_address"] ?? "");
const statusOf = async (running: TestTill, invoice: Created): Promise<string> =>
  (await running.api("GET", `/api/invoices/${invoice["invoice_id"]}/status`)).body.status;
const becomes = (running: TestTill, invoice: Created, status: string, timeoutMs?: number) =>
  until(
    () => statusOf(running, invoice),
    (value) => value === status,
    timeoutMs,
  );

describe("a reorg of one block", () => {
  test("takes nothing away that is far below it, however long ago the last scan was", async () => {
    await chain.mine(5);
    const running = await start(first.url);
    const paid = await running.createInvoice();
    await running.pause();
    await chain.pay(to(paid), "1500.00");
    await chain.mine(80);
    await running.resume();
    await becomes(running, paid, "paid");
    await chain.reorg(1);
    const other = await running.createInvoice();
    await chain.pay(to(other), "1500.00");
    await becomes(running, other, "paid");
    expect(await statusOf(running, paid)).toBe("paid");
    expect(running.logged.some((line) => line.includes("[payment.lost]"))).toBe(false);
  });
});

describe("a node that has the block but not yet its logs", () => {
  test("is asked again for what the subscription promised, however far the head has moved", async () => {
    const running = await start(first.url);
    const invoice = await running.createInvoice();
    await until(
      () => running.logged,
      (lines) => lines.some((line) => line.includes("[chain.connected]")),
    );
    first.answer = ({ method }) => (method === "eth_getLogs" ? { result: [] } : undefined);
    first.reset();
    await chain.pay(to(invoice), "1500.00");
    await chain.mine(100);
    await until(
      () => first.calls.filter(({ method }) => method === "eth_getLogs").length,
      (count) => count >= 4,
    );
    expect(await statusOf(running, invoice)).toBe("draft");
    first.answer = null;
    await becomes(running, invoice, "paid");
  });
});

describe("an answer of another chain", () => {
  test("is no reorg: nothing is taken back, and the right chain is followed again", async () => {
    const running = await start(first.url);
    const invoice = await running.createInvoice();
    await chain.pay(to(invoice), "700.00");
    await becomes(running, invoice, "partial");
    first.answer = ({ method, params }) => {
      if (method === "eth_chainId") return { result: "0x1" };
      if (method === "eth_getLogs") return { result: [] };
      const number = params[0] === "latest" ? "0x98967f" : String(params[0]);
      return { result: { number, hash: `0x${"e".repeat(64)}`, timestamp: "0x6553f100" } };
    };
    await running.createInvoice();
    const ready = async () => (await running.api("GET", "/health/ready")).body.reasons ?? [];
    await until(ready, ([reason]) => String(reason).includes("is a node of chain 1;"));
    expect(await statusOf(running, invoice)).toBe("partial");
    first.answer = null;
    await chain.pay(to(invoice), "800.00");
    await becomes(running, invoice, "paid");
  });
});

describe("a node that has forgotten the logs of the blocks in which late money came", () => {
  test("is told of in the health check for as long as they are not read", async () => {
    const running = await start(first.url, { TILL_LOG_RANGE: "1" });
    const invoice = await running.createInvoice();
    await until(() => CheckpointStore.latest(running.db), Boolean);
    await running.pause();
    await chain.pay(to(invoice), "1500.00");
    await chain.mine(50);
    first.answer = ({ method }) =>
      method === "eth_getLogs" ? { error: { code: 4444, message: "pruned history unavailable" } } : undefined;
    await running.resume();
    const ready = () => running.api("GET", "/health/ready");
    const isTold = /late payments are not found: .*pruned history unavailable/;
    const told = await until(ready, ({ body }) => isTold.test(body.warnings?.join()));
    expect(told.status).toBe(200);
    first.answer = null;
    await becomes(running, invoice, "paid", 40_000);
    await until(ready, ({ body }) => !isTold.test(body.warnings?.join()));
  });
});
