import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as Address from "../../src/domain/wallet/address.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { shared } from "../support/per-file.ts";
import { linkRequest, startTestTill, until } from "../support/till/till.ts";

const dayMs = 86_400_000;

const chain = shared(startTestChain);
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const statuses = () => receiver.received.map(({ raw }) => JSON.parse(raw.toString()).status);

describe("a clock that is a day off", () => {
  test.each([
    ["fast, and is set right", dayMs],
    ["slow, and is set right", -dayMs],
  ])("loses no payment and no event: %s", async (_title, offMs) => {
    let shiftMs = offMs;
    await using running = await startTestTill(chain, {}, { now: () => Date.now() + shiftMs });
    const { invoice_id, deposit_address } = await running.createInvoice({ webhook_url: receiver.url });
    const to = Address.checksum(deposit_address ?? "");
    const status = async () => (await running.api("GET", `/api/invoices/${invoice_id}/status`)).body.status;
    await chain.pay(to, "500.00");
    await until(status, (value) => value === "partial");
    await until(statuses, (heard) => heard.includes("partial"));

    shiftMs = 0;
    await chain.pay(to, "1000.00");
    await until(status, (value) => value === "paid");
    await until(statuses, (heard) => heard.includes("paid"));

    // Found on the chain also when nobody was watching meanwhile, and by a clock that jumped again.
    const second = await running.createInvoice({ webhook_url: receiver.url });
    await running.pause();
    shiftMs = -offMs;
    await chain.pay(Address.checksum(second["deposit_address"] ?? ""), "1500.00");
    await running.resume();
    await until(
      async () => (await running.api("GET", `/api/invoices/${second["invoice_id"]}/status`)).body.status,
      (value) => value === "paid",
    );
    await until(statuses, (heard) => heard.filter((status) => status === "paid").length >= 2);
    await until(
      async () => (await running.api("GET", "/health/ready")).status,
      (code) => code === 200,
    );
    // What would come twice would have come before this.
    await chain.pay(Address.checksum(second["deposit_address"] ?? ""), "1.00");
    await until(statuses, (heard) => heard.includes("excess"));
    expect(statuses()).toEqual(["partial", "paid", "paid", "excess"]);
  });

  test("makes nothing twice for a retry once it is set right", async () => {
    let shiftMs = 0;
    await using running = await startTestTill(chain, {}, { now: () => Date.now() + shiftMs });
    const create = async (key: string) =>
      (await running.api("POST", "/api/links", linkRequest, { "idempotency-key": key })).body.slug;
    const first = await create("order-1");
    shiftMs = 2 * dayMs;
    await create("order-2");
    shiftMs = 0;
    expect(await create("order-1")).toBe(first);
    // After its day a key is free, whether or not its row is still there.
    shiftMs = 2 * dayMs;
    expect(await create("order-1")).not.toBe(first);
  });

  test("makes up for no more than one attempt of each event, a few at a time", async () => {
    receiver.answerWith(500);
    // It stands still but for the jump: nothing is due again by itself.
    let now = Date.now();
    await using running = await startTestTill(chain, {}, { now: () => now });
    const createAndPay = async () => {
      const invoice = await running.createInvoice({ webhook_url: receiver.url });
      await chain.pay(Address.checksum(invoice["deposit_address"] ?? ""), "1500.00");
      return invoice["invoice_id"];
    };
    const attempts = () =>
      new Map(
        [...Map.groupBy(receiver.received, ({ headers }) => headers["webhook-id"])].map(([id, all]) => [
          id,
          all.length,
        ]),
      );
    const ids = await Promise.all(Array.from({ length: 6 }, createAndPay));
    const recorded = async (id: string | undefined) =>
      (await running.api("GET", `/api/invoices/${id}/events`)).body.data[0]?.attempts.length;
    // When the next one is due is decided by the clock of then.
    await until(
      () => Promise.all(ids.map(recorded)),
      (counts) => counts.every((count) => count === 1),
    );
    const [first] = ids;
    now += dayMs;
    const { data } = (await running.api("GET", `/api/invoices/${first}/events`)).body;
    await running.api("POST", `/api/events/${data[0].id}/redeliver`);
    await until(attempts, (each) => [...each.values()].every((count) => count >= 2));
    // What would be made up for besides would have come before this.
    const before = [...attempts().keys()];
    await createAndPay();
    await until(attempts, ({ size }) => size === 7);
    const { [data[0].id]: byHand, ...byItself } = Object.fromEntries(
      before.map((id) => [id, attempts().get(id)]),
    );
    expect(Object.values(byItself)).toEqual(Array(5).fill(2));
    // One that was due was perhaps sent before it was asked for.
    expect(byHand).toBeLessThanOrEqual(3);
  });
});
