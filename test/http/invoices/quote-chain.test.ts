import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import { enter, world } from "../../../src/lib/world.ts";
import * as BalanceStore from "../../../src/store/tables/watch/balance.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { shared } from "../../support/per-file.ts";
import { overdueInEuros, startTestTill, until, untilIs, untilQuotable } from "../../support/till/till.ts";

/** Nobody is quoted again whose payment may be on the chain, or on its way back to it. */

const day = 86_400_000;

const chain = shared(startTestChain);
const node = shared(() => startRpcProxy(chain.rpcUrl));
const till = shared(() =>
  startTestTill(
    { rpcUrl: node.url, wsUrl: chain.wsUrl },
    { TILL_CONFIRMATIONS: "3" },
    { now: () => Date.now() + aheadMs },
  ),
);
let aheadMs = 0;
const system = { ...world };
afterAll(() => enter(system));
beforeEach(async () => {
  aheadMs = 0;
  node.answer = null;
});

const make = () =>
  till.createInvoice({
    ...overdueInEuros,
    line_items: [{ description: "Design", quantity: 1, unit_price: "86.07" }],
  });
type Made = Awaited<ReturnType<typeof make>>;
const to = (made: Made) => Address.checksum(made["deposit_address"] ?? "");
const quote = async ({ invoice_id }: Made) => {
  const { status, body, headers } = await till.api("POST", `/api/invoices/${invoice_id}/quote`, {
    rate: "0.8",
  });
  return { status, code: body.code, detail: body.detail, retry: headers.get("retry-after") };
};
/** The answer of a Till that has read up to now: on a busy machine that may take longer than a request waits. */
const judged = (made: Made) =>
  until(
    () => quote(made),
    ({ status }) => status !== 503,
    30_000,
  );
const payments = async ({ invoice_id }: Made) =>
  (await till.api("GET", `/api/invoices/${invoice_id}/payments`)).body.data.length;
const seen = (made: Made, count: number) => untilIs(() => payments(made), count, 30_000);
/** The books are read up to a block that is new. */
async function read(): Promise<void> {
  const other = await till.createInvoice();
  await chain.pay(to(other), "1.00");
  await seen(other, 1);
}
const unread = { status: 503, code: "node_unreachable", retry: "60" };
const refused = { status: 409, code: "quote_refused" };

describe("an overdue invoice is not quoted again", () => {
  test("while the node does not answer", async () => {
    await read();
    const made = await make();
    expect(await judged(made)).toMatchObject({ status: 200 });
    node.answer = () => new Response("no", { status: 503 });
    // Till tries for many seconds, which pass more quickly here.
    const begunAt = system.uptime();
    enter({ ...system, uptime: () => begunAt + 20 * (system.uptime() - begunAt) });
    // Wakes the watcher.
    await chain.pay(to(await make()), "1.00");
    const answer = await untilIs(() => quote(made), { status: 503 }, 90_000);
    expect(answer).toMatchObject({
      ...unread,
      detail: expect.stringContaining("a payment may not be known yet"),
    });
    const desk = `${till.baseUrl}/desk/invoices/${made["invoice_number"]}/quote`;
    const [, form = ""] = /name="form" value="([^"]+)"/.exec(await (await fetch(desk)).text()) ?? [];
    const headers = { origin: till.baseUrl };
    const said = await fetch(desk, {
      method: "POST",
      body: new URLSearchParams({ form, rate: "0.8" }),
      headers,
    });
    expect(await said.text()).toContain("Till has not caught up with the chain yet");
    const ahead = world.uptime() - system.uptime();
    enter({ ...system, uptime: () => system.uptime() + ahead });
    node.answer = null;
    await untilIs(() => quote(made), { status: 200 }, 60_000);
  }, 180_000);

  test("while a payment is on its way, and for a minute after it left the chain", async () => {
    const made = await make();
    await chain.pay(to(made), "100.00");
    await seen(made, 1);
    expect(await judged(made)).toMatchObject(refused);
    await chain.reorg(1);
    // Wakes the watcher.
    await read();
    await seen(made, 0);
    expect(await quote(made)).toMatchObject(unread);
    aheadMs = 61_000;
    expect(await judged(made)).toMatchObject({ status: 200 });
  }, 60_000);

  test("once it was paid, however lately", async () => {
    for (let each = 0; each < 5; each++) {
      const made = await make();
      await chain.pay(to(made), "100.00");
      expect(await judged(made)).toMatchObject(refused);
    }
  }, 60_000);

  test("while the newest block of the node is old, but for the local chain", async () => {
    const base = startRpcProxy(chain.rpcUrl);
    base.answer = ({ method }) => (method === "eth_chainId" ? { result: "0x2105" } : undefined);
    const other = await startTestTill(
      { rpcUrl: base.url },
      { TILL_CHAIN: "base", TILL_CONFIRMATIONS: "3" },
      { now: () => Date.now() + aheadMs },
    );
    try {
      await chain.mine(1);
      await untilQuotable(other);
      const { invoice_id } = await other.createInvoice(overdueInEuros);
      const ask = () => other.api("POST", `/api/invoices/${invoice_id}/quote`, { rate: "0.8" });
      expect(await ask()).toMatchObject({ status: 200 });
      aheadMs = 120_000;
      expect(await ask()).toMatchObject({ status: 503, body: { code: "node_unreachable" } });
    } finally {
      await other.stop();
      await base.stop();
    }
  }, 60_000);

  test("for a day after a confirmed payment left the chain", async () => {
    const made = await make();
    await chain.pay(to(made), "100.00");
    await chain.mine(5);
    await read();
    await seen(made, 1);
    expect(await judged(made)).toMatchObject(refused);
    await chain.reorg(8);
    await read();
    await seen(made, 0);
    expect(await judged(made)).toMatchObject({
      ...refused,
      detail: expect.stringContaining("left the chain"),
    });
    aheadMs = day + 61_000;
    // Its balance is compared first.
    await untilIs(() => quote(made), { status: 200 }, 30_000);
  }, 60_000);

  test("before its address was looked at, when it is not watched any more", async () => {
    const [paid, unpaid] = [await make(), await make()];
    aheadMs = 40 * day;
    await till.pause();
    await till.resume();
    // Its balance is not compared again for half a day, however long the next lines take.
    await until(
      () => BalanceStore.nextAt(till.db) ?? 0,
      (at) => at > Date.now() + aheadMs,
      30_000,
    );
    await chain.pay(to(paid), "100.00");
    await chain.mine(5);
    await read();
    expect(await payments(paid)).toBe(0);
    for (const made of [paid, unpaid]) expect(await quote(made)).toMatchObject(unread);
    await seen(paid, 1);
    expect(await judged(paid)).toMatchObject(refused);
    aheadMs += 61_000;
    await untilIs(() => quote(unpaid), { status: 200 }, 30_000);
  }, 90_000);
});
