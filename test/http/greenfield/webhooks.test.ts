import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { permissions } from "../../../src/domain/party/store.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import * as StoreStore from "../../../src/store/tables/invoicing/store.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import { linkRequest, startTestTill, until } from "../../support/till/till.ts";

/** What plugins of shops are told, in order, by a Till with a real chain to a real receiver. */

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain, {}, { now: () => Date.now() + clockMs }));
let clockMs = 0;
let key: string;
let full: { authorization: string };
let secret: string;
/** What the shop answers 500 to. */
const unwanted = new Set<unknown>();
const heard: { sig: string | null; text: string; body: Record<string, unknown> }[] = [];
const shop = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const text = await request.text();
    const body = JSON.parse(text);
    if (unwanted.has(body.type)) return new Response(null, { status: 500 });
    heard.push({ sig: request.headers.get("btcpay-sig"), text, body });
    return new Response();
  },
});
beforeAll(async () => {
  const merchant = "shop@one.example";
  const at = Date.now();
  const named = { id: "st_one", merchantEmail: merchant, name: "Tea Shop" };
  StoreStore.put(till.db, { ...named, wallet: null, currency: null, createdAt: at });
  const grant = { scope: "shop", merchant, storeId: "st_one", permissions } as const;
  key = createApiKey(till.db, "WooCommerce", at, grant).key;
  full = { authorization: `Bearer ${createApiKey(till.db, "all", at).key}` };
});
afterAll(async () => {
  await shop.stop(true);
});

async function call(method: string, path: string, body?: object) {
  const answer = await fetch(`${till.localUrl}/api/v1/stores/st_one/${path}`, {
    method,
    headers: { "content-type": "application/json", authorization: `token ${key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const metadata = { orderId: "7", taxIncluded: "0" };
async function make(checkout: object = {}) {
  const { body } = await call("POST", "invoices", { amount: "20", currency: "USDC", metadata, checkout });
  const { deposit_address } = (await till.api("GET", `/api/links/${body.id}`)).body;
  return { id: String(body.id), address: deposit_address as string };
}
const of = (id: string) => heard.filter(({ body }) => body["invoiceId"] === id).map(({ body }) => body);
const typesOf = (id: string) => of(id).map(({ type }) => type);
const hears = (id: string, types: string[]) =>
  until(
    () => typesOf(id),
    (told) => told.length >= types.length,
  ).then((told) => expect(told).toEqual(types));
const pay = (address: string, amount: string) => chain.pay(Address.checksum(address), amount);

test("a plugin makes a webhook, whose secret is shown once", async () => {
  const url = `http://127.0.0.1:${shop.port}/?wc-api=btcpaygf_default`;
  const wish = { url, enabled: true, automaticRedelivery: true, authorizedEvents: { everything: true } };
  const made = await call("POST", "webhooks", wish);
  expect([made.status, made.body]).toMatchObject([200, { url, enabled: true }]);
  secret = made.body.secret;
  const again = await call("GET", `webhooks/${made.body.id}`);
  expect(again.body).toEqual({ ...made.body, secret: undefined });
  const some = { ...wish, authorizedEvents: { everything: false, specificEvents: ["InvoiceSettled"] } };
  const changed = await call("PUT", `webhooks/${made.body.id}`, { ...some, secret: "a shop's own words" });
  expect(changed.body.authorizedEvents).toEqual({ everything: false, specificEvents: ["InvoiceSettled"] });
  await call("PUT", `webhooks/${made.body.id}`, { ...wish, secret });
  expect((await call("GET", "webhooks")).body).toHaveLength(1);
  expect((await call("POST", "webhooks", { ...wish, url: "ftp://x" })).body[0].path).toBe("url");
  expect((await call("GET", "webhooks/endpoint_nothing")).status).toBe(404);
  expect((await till.api("GET", "/api/webhook-endpoints", undefined, full)).body.data).toEqual([]);
});

test("an order is paid in part, then in full: signed, in order, with what the shop said of it", async () => {
  const { id, address } = await make();
  await pay(address, "5.00");
  await hears(id, ["InvoiceReceivedPayment", "InvoicePaymentSettled"]);
  await pay(address, "15.00");
  const payment = ["InvoiceReceivedPayment", "InvoicePaymentSettled"];
  await hears(id, [...payment, ...payment, "InvoiceSettled"]);
  expect(of(id).at(-1)).toMatchObject({
    storeId: "st_one",
    metadata,
    overPaid: false,
    manuallyMarked: false,
  });
  for (const { sig, text } of heard)
    expect(sig).toBe(`sha256=${createHmac("sha256", secret).update(text).digest("hex")}`);
  // The shop may have sent the goods: more money completes no order again.
  await pay(address, "1.00");
  await hears(id, [...payment, ...payment, "InvoiceSettled", ...payment]);
});

test("too much at once is settled once, and what is void is told of", async () => {
  const much = await make();
  await pay(much.address, "21.00");
  await hears(much.id, ["InvoiceReceivedPayment", "InvoicePaymentSettled", "InvoiceSettled"]);
  expect(of(much.id).at(-1)).toMatchObject({ overPaid: true });
  const gone = await make();
  await call("POST", `invoices/${gone.id}/status`, { status: "Invalid" });
  await hears(gone.id, ["InvoiceInvalid"]);
  expect(of(gone.id)[0]).toMatchObject({ manuallyMarked: true });
});

test("what the chain takes back makes an order invalid, and it is settled again once it is paid again", async () => {
  const { id, address } = await make();
  const settled = ["InvoiceReceivedPayment", "InvoicePaymentSettled", "InvoiceSettled"];
  await pay(address, "20.00");
  await hears(id, settled);
  await chain.reorg(1);
  // The chain is read while somebody owes something.
  await make();
  await chain.mine(1);
  await hears(id, [...settled, "InvoiceInvalid"]);
  expect(of(id).at(-1)).toMatchObject({ manuallyMarked: false });
  await pay(address, "20.00");
  await hears(id, [...settled, "InvoiceInvalid", ...settled]);
});

test("money that comes late settles nothing, and links of others tell a shop nothing", async () => {
  const late = await make({ expirationMinutes: 1 });
  const other = await till.api(
    "POST",
    "/api/links",
    { ...linkRequest, merchant_email: "shop@one.example" },
    full,
  );
  await chain.rpc("evm_increaseTime", [120]);
  clockMs += 120_000;
  await pay(other.body.deposit_address, other.body.expected_amount);
  await pay(late.address, "20.00");
  await hears(late.id, ["InvoiceExpired", "InvoiceReceivedPayment", "InvoicePaymentSettled"]);
  expect(of(late.id).slice(1)).toMatchObject([{ afterExpiration: true }, { afterExpiration: true }]);
  expect(of(other.body.slug)).toEqual([]);
});

test("what completes an order passes what only informs and fails, within a minute", async () => {
  unwanted.add("InvoiceReceivedPayment");
  const { id, address } = await make();
  const before = Date.now();
  await pay(address, "20.00");
  await hears(id, ["InvoicePaymentSettled", "InvoiceSettled"]);
  expect(Date.now() - before).toBeLessThan(60_000);
  // A plugin believes what it hears last.
  unwanted.clear();
  clockMs += 3_600_000;
  const next = await make();
  await pay(next.address, "20.00");
  await hears(next.id, ["InvoiceReceivedPayment", "InvoicePaymentSettled", "InvoiceSettled"]);
  expect(typesOf(id)).toEqual(["InvoicePaymentSettled", "InvoiceSettled"]);
  const { data } = (await till.api("GET", `/api/links/${id}/events`, undefined, full)).body;
  expect(data.map(({ state }: { state: string }) => state)).toEqual(["failed", "delivered", "delivered"]);
});

test("what is sent again by the id of its event is sent whole, and in order", async () => {
  const { id, address } = await make();
  await pay(address, "20.00");
  const settled = ["InvoiceReceivedPayment", "InvoicePaymentSettled", "InvoiceSettled"];
  await hears(id, settled);
  const events = () => till.api("GET", `/api/events?link=${id}&type=link.paid`, undefined, full);
  const [paid] = (await events()).body.data;
  const again = (of: string) => till.api("POST", `/api/events/${of}/redeliver`, undefined, full);
  expect((await again(paid.id)).status).toBe(200);
  await hears(id, [...settled, ...settled]);
  // By its own id, one of them alone.
  const { data } = (await till.api("GET", `/api/links/${id}/events`, undefined, full)).body;
  expect((await again(data[1].id)).status).toBe(200);
  await hears(id, [...settled, ...settled, "InvoicePaymentSettled"]);
});

test("a shop that was away hears everything, in order", async () => {
  for (const type of ["InvoiceReceivedPayment", "InvoicePaymentSettled", "InvoiceSettled"])
    unwanted.add(type);
  const { id, address } = await make();
  await pay(address, "20.00");
  const states = async () => {
    const { data } = (await till.api("GET", `/api/links/${id}/events`, undefined, full)).body;
    return data as { attempts: unknown[] }[];
  };
  // Each is tried again five seconds later, and what follows only then.
  await until(
    async () => {
      clockMs += 5_000;
      // Till looks for what is due whenever something happens.
      await call("POST", `invoices/${(await make()).id}/status`, { status: "Invalid" });
      return states();
    },
    (events) => events.length === 3 && events.every(({ attempts }) => attempts.length >= 2),
    90_000,
  );
  unwanted.clear();
  clockMs += 3_600_000;
  const next = await make();
  await pay(next.address, "20.00");
  await hears(id, ["InvoiceReceivedPayment", "InvoicePaymentSettled", "InvoiceSettled"]);
});
