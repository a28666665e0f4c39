import { beforeAll, describe, expect, test } from "bun:test";
import { type Permission, permissions } from "../../../src/domain/party/store.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { routes } from "../../../src/http/routes.ts";
import * as StoreStore from "../../../src/store/tables/invoicing/store.ts";
import * as EndpointStore from "../../../src/store/tables/outbox/endpoint.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import { startTestTill, untilIs } from "../../support/till/till.ts";

/** The Greenfield API as plugins of shops call it, byte by byte where they compare bytes. */

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain, {}, { now: () => Date.now() + clockMs }));
let clockMs = 0;
let key: string;
let other: string;
beforeAll(async () => {
  key = connect("st_one", "shop@one.example");
  other = connect("st_two", "shop@two.example");
});

function connect(
  id: string,
  merchantEmail: string,
  granted: readonly Permission[] = permissions,
  at = till,
): string {
  const store = { id, merchantEmail, name: "Tea Shop", wallet: null, currency: null, createdAt: Date.now() };
  const { id: storeId } = StoreStore.put(at.db, store);
  const grant = { scope: "shop", merchant: merchantEmail, storeId, permissions: granted } as const;
  return createApiKey(at.db, "WooCommerce", Date.now(), grant).key;
}

/** A call as the PHP client sends it. */
async function call(method: string, path: string, body?: string | object, token = key) {
  const answer = await fetch(`${till.localUrl}/api/v1/${path}`, {
    method,
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      authorization: `token ${token}`,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) };
}

const order = { amount: "20", currency: "USDC", metadata: { orderId: "1042" }, checkout: null };
const make = async (changes: object = {}) => {
  const { status, body } = await call("POST", "stores/st_one/invoices", { ...order, ...changes });
  expect([status, body]).toMatchObject([200, { storeId: "st_one" }]);
  return body;
};
const read = async (id: string) => (await call("GET", `stores/st_one/invoices/${id}`)).body;
const pay = async (id: string, amount: string) => {
  const [method] = (await call("GET", `stores/st_one/invoices/${id}/payment-methods`)).body;
  await chain.pay(Address.checksum(method.destination), amount);
};
const becomes = (id: string, status: string, additionalStatus: string) =>
  untilIs(() => read(id), { status, additionalStatus });

test("a plugin finds what it looks for before it connects", async () => {
  expect((await call("GET", "server/info")).body).toMatchObject({ version: "2.1.0", fullySynched: true });
  expect((await call("GET", "api-keys/current")).body).toEqual({
    apiKey: key,
    label: "WooCommerce",
    permissions: permissions.map((name) => `${name}:st_one`),
  });
  expect((await call("GET", "stores")).body).toMatchObject([{ id: "st_one", name: "Tea Shop" }]);
  expect((await call("GET", "stores/st_one")).body).toMatchObject({ id: "st_one" });
  expect((await call("GET", "stores/st_one/payment-methods")).body).toEqual([
    { paymentMethodId: "USDC-BASE", enabled: true, config: null },
  ]);
});

test("metadata come back byte for byte, and no payer sees them", async () => {
  const metadata = '{"taxIncluded":1.10, "orderId" :"7", "2":1e3,"1":"\\u00e9","posData":{"a":[{}]}}';
  const sent = `{"amount":"12.500","currency":null,"checkout":null,"metadata": ${metadata} }`;
  const { status, text, body } = await call("POST", "stores/st_one/invoices", sent);
  expect([status, body.amount, body.currency]).toEqual([200, "12.50", "USDC"]);
  expect(text).toContain(`"metadata":${metadata}}`);
  expect((await call("GET", `stores/st_one/invoices/${body.id}`)).text).toContain(`"metadata":${metadata}}`);
  expect((await call("GET", "stores/st_one/invoices?orderId=7")).text).toContain(`"metadata":${metadata}}`);
  const page = await (await fetch(`${till.localUrl}/pay/${body.id}`)).text();
  expect(page).not.toContain("taxIncluded");
});

describe("an invoice", () => {
  test("is New, partly paid, and Settled once all of it is confirmed", async () => {
    const { id, checkoutLink, ...made } = await make({
      checkout: { redirectURL: "https://shop.example/ok" },
    });
    expect(made).toMatchObject({
      amount: "20.00",
      paidAmount: "0.00",
      status: "New",
      additionalStatus: "None",
      availableStatusesForManualMarking: ["Invalid"],
    });
    expect(made.expirationTime - made.createdTime).toBe(86_400);
    expect(checkoutLink).toBe(`${till.baseUrl}/pay/${id}`);
    await pay(id, "5.00");
    expect(await becomes(id, "New", "PaidPartial")).toMatchObject({
      paidAmount: "5.00",
      availableStatusesForManualMarking: [],
    });
    await pay(id, "15.00");
    expect(await becomes(id, "Settled", "None")).toMatchObject({ paidAmount: "20.00" });
    const [method] = (await call("GET", `stores/st_one/invoices/${id}/payment-methods`)).body;
    expect(method).toMatchObject({ totalPaid: "20.00", due: "0.00", rate: "1" });
    expect(method.payments.map((payment: { status: string }) => payment.status)).toEqual([
      "Settled",
      "Settled",
    ]);
  });

  test("is over, or late, and then never Settled", async () => {
    const much = await make();
    await pay(much.id, "21.00");
    await becomes(much.id, "Settled", "PaidOver");
    const late = await make({ checkout: { expirationMinutes: 1 } });
    const { deposit_address } = (await till.api("GET", `/api/links/${late.id}`)).body;
    await chain.rpc("evm_increaseTime", [120]);
    clockMs += 120_000;
    expect(await read(late.id)).toMatchObject({ status: "Expired", additionalStatus: "None" });
    await chain.pay(Address.checksum(deposit_address), "20.00");
    await becomes(late.id, "Expired", "PaidLate");
  });

  test("becomes Invalid when the buyer pays otherwise, and not once money has come", async () => {
    const { id } = await make();
    const itsDeposit = "(SELECT deposit_index FROM link WHERE slug = ?)";
    till.db.run(`UPDATE receivable SET language = 'de' WHERE deposit_index = ${itsDeposit}`, [id]);
    const void_ = await call("POST", `stores/st_one/invoices/${id}/status`, { status: "Invalid" });
    expect([void_.status, void_.body.status, void_.body.additionalStatus]).toEqual([
      200,
      "Invalid",
      "Marked",
    ]);
    const page = String((await till.api("GET", `/pay/${id}`)).body);
    expect(page).toContain("Die Bestellung wurde im Shop geändert.");
    const settled = await call("POST", `stores/st_one/invoices/${id}/status`, { status: "Settled" });
    expect([settled.status, settled.body[0].path]).toEqual([422, "status"]);
  });
});

test("what cannot be made is told by field, and nothing exists", async () => {
  for (const [changes, path] of [
    [{ amount: null }, "amount"],
    [{ amount: "1.234" }, "amount"],
    [{ amount: "0" }, "amount"],
    [{ currency: "XXX" }, "currency"],
    [{ checkout: { expirationMinutes: 0 } }, "checkout.expirationMinutes"],
    [{ metadata: { posData: "x".repeat(20_000) } }, "metadata"],
  ] as const) {
    const { status, body } = await call("POST", "stores/st_one/invoices", { ...order, ...changes });
    expect([status, body[0].path]).toEqual([422, path]);
  }
  expect((await call("POST", "stores/st_one/invoices", "[]")).status).toBe(422);
  const noRate = await call("POST", "stores/st_one/invoices", { ...order, currency: "EUR" });
  expect([noRate.status, noRate.body.code]).toEqual([503, "rate-unavailable"]);
});

test("what is no text where text is expected is told by field", async () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const path = "stores/st_one/invoices";
  for (const [body, field] of [
    [{ amount: { toString: 1 } }, "amount"],
    [`{"amount":${deep}}`, "amount"],
    [{ amount: "1", currency: {} }, "currency"],
    [{ amount: "1", metadata: "text" }, "metadata"],
    [{ amount: "1", metadata: { orderId: { toString: 1 } } }, "metadata.orderId"],
    [`{"amount":"1","metadata":{"orderId":${deep}}}`, "metadata.orderId"],
    [{ amount: "1", checkout: [] }, "checkout"],
    [{ amount: "1", checkout: { redirectURL: [1] } }, "checkout.redirectURL"],
    [{ amount: "1", checkout: { expirationMinutes: { valueOf: 1 } } }, "checkout.expirationMinutes"],
  ] as const) {
    const { status, body: answer } = await call("POST", path, body);
    expect([status, answer[0]?.path]).toEqual([422, field]);
  }
});

test("a long text in a request holds nobody up", async () => {
  const amount = `1.${"0".repeat(100_000)}x`;
  const before = process.threadCpuUsage();
  expect((await call("POST", "stores/st_one/invoices", { ...order, amount })).status).toBe(422);
  // Of processor: that says little of what else is running.
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

test("a list has each invoice once, and at most 50", async () => {
  const store = connect("st_many", "shop@many.example");
  const metadata = (orderId: string) => ({ orderId, posData: "x".repeat(15_000) });
  const ids: string[] = [];
  for (let i = 0; i < 52; i++) {
    const body = { ...order, metadata: metadata(i < 51 ? "1" : "2") };
    ids.unshift((await call("POST", "stores/st_many/invoices", body, store)).body.id);
  }
  const list = async (query: string) => {
    const { status, body } = await call("GET", `stores/st_many/invoices${query}`, undefined, store);
    return status === 200 ? body.map(({ id }: { id: string }) => id) : [status, body[0].path];
  };
  const again = "&orderId=1".repeat(1_500);
  expect(await list(`?${again}`)).toEqual(ids.slice(1, 51));
  expect(await list(`?orderId=2${again}&take=2`)).toEqual(ids.slice(0, 2));
  expect(await list("")).toEqual(ids.slice(0, 50));
  expect(await list("?skip=50&take=1000")).toEqual(ids.slice(50));
  expect(await list("?orderId=3")).toEqual([]);
  const many = Array.from({ length: 51 }, (_, i) => `orderId=${i}`).join("&");
  expect(await list(`?${many}`)).toEqual([422, "orderId"]);
});

test("what an order can do without fails no checkout", async () => {
  const orderId = "7".repeat(101);
  const { id, metadata } = await make({
    metadata: { orderId },
    checkout: { redirectURL: "javascript:alert(1)" },
  });
  expect(metadata).toEqual({ orderId });
  const page = String((await till.api("GET", `/pay/${id}`)).body);
  for (const left of ["javascript:", orderId]) expect(page).not.toContain(left);
});

test("amounts are read as plugins write them", async () => {
  for (const [amount, read] of [
    ["20", "20.00"],
    [20.5, "20.50"],
    ["19.9900", "19.99"],
    [0.1 + 0.2, "0.30"],
    [30.299999999999997, "30.30"],
  ])
    expect(await make({ amount })).toMatchObject({ amount: read });
  const { status } = await call("POST", "stores/st_one/invoices", { ...order, amount: 1.005 });
  expect(status).toBe(422);
});

test("a buyer who returns finds the checkout, and the merchant the link at the desk", async () => {
  const { id } = await make();
  for (const [path, to] of [
    [`/i/${id}`, `/pay/${id}`],
    [`/invoices/${id}`, `/desk/links/${id}`],
    ["/invoices/%2F%2Fevil.example", "/desk/links/%2F%2Fevil.example"],
  ]) {
    const answer = await fetch(`${till.localUrl}${path}`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, to ?? ""]);
  }
  expect((await fetch(`${till.localUrl}/i/nothing`)).status).toBe(404);
});

test("what was refused before a call is told as BTCPay tells it", async () => {
  const nothing = await call("GET", "nothing");
  expect([nothing.status, nothing.body]).toEqual([404, { code: "not-found", message: "No such endpoint." }]);
  const form = await fetch(`${till.localUrl}/api/v1/stores/st_one/invoices`, {
    method: "POST",
    headers: { authorization: `token ${key}` },
    body: new URLSearchParams({ amount: "5" }),
  });
  expect([form.status, Object.keys((await form.json()) as object)]).toEqual([415, ["code", "message"]]);
});

describe("the key of a plugin", () => {
  test("opens nothing beside the calls of plugins: there its permissions mean nothing", async () => {
    const few = connect("st_one", "shop@one.example", ["btcpay.store.canviewinvoices"]);
    const { id } = await make();
    for (const row of routes.filter(({ scope, isOfStore }) => scope !== "open" && !isOfStore)) {
      const path = row.path.replace(":email", "no@one.example").replace(/:\w+/, id);
      const headers = { authorization: `Bearer ${few}` };
      const { status, body } = await till.api(row.method.toUpperCase(), path, row.body && {}, headers);
      expect([row.path, status, body.code]).toEqual([row.path, 403, "key_scope"]);
    }
    const claimed = await till.api("GET", `/api/links/${id}`, undefined, { authorization: `token ${few}` });
    expect(claimed.status).toBe(403);
  });

  test("is asked for where no other call asks for one", async () => {
    const settings = { TILL_BASE_URL: "https://pay.example.com", TILL_OPEN_API: "true" };
    await using open = await startTestTill({ rpcUrl: "http://127.0.0.1:9" }, settings);
    const ask = (headers = {}) => open.api("GET", "/api/v1/stores", undefined, headers);
    expect((await ask()).status).toBe(401);
    const token = connect("st_open", "shop@one.example", permissions, open);
    expect((await ask({ authorization: `token ${token}` })).body).toMatchObject([{ id: "st_open" }]);
  });
});

test("a store, an invoice and a permission of somebody else are refused as BTCPay does", async () => {
  const { id } = await make();
  expect((await call("GET", "stores/st_two")).body).toMatchObject({ code: "missing-permission" });
  expect((await call("GET", `stores/st_one/invoices/${id}`, undefined, other)).status).toBe(403);
  const foreign = await call("GET", `stores/st_two/invoices/${id}`, undefined, other);
  expect([foreign.status, foreign.body.code]).toEqual([404, "invoice-not-found"]);
  const few = connect("st_one", "shop@one.example", ["btcpay.store.canviewstoresettings"]);
  expect((await call("GET", "stores/st_one", undefined, few)).status).toBe(200);
  const refused = await call("POST", "stores/st_one/invoices", order, few);
  expect([refused.status, refused.body.missingPermission]).toEqual([403, "btcpay.store.cancreateinvoice"]);
  expect((await call("POST", "stores/st_one/pull-payments", {})).status).toBe(403);
  const plain = createApiKey(till.db, "plain", Date.now(), { scope: "shop", merchant: "shop@one.example" });
  expect((await call("GET", "stores", undefined, plain.key)).status).toBe(403);
  const unknown = await call("GET", "stores", undefined, "till_nothing");
  expect([unknown.status, unknown.body]).toEqual([
    401,
    { code: "unauthenticated", message: "This API key is unknown or has been revoked." },
  ]);
  expect((await call("DELETE", "api-keys/current", undefined, few)).status).toBe(200);
  expect((await call("GET", "stores", undefined, few)).status).toBe(401);
});

test("the end of a store's last key is the end of all that hears of its orders, also of what was being made then", async () => {
  const last = connect("st_ended", "ended@shop.example");
  const before = connect("st_ended", "ended@shop.example");
  const add = (token: string) =>
    call("POST", "stores/st_ended/webhooks", { url: "http://127.0.0.1:9/late" }, token);
  const left = () => EndpointStore.list(till.db).filter(({ storeId }) => storeId === "st_ended").length;
  // Another plugin of the store goes on with its webhooks.
  expect((await add(last)).status).toBe(200);
  expect((await call("DELETE", "api-keys/current", undefined, before)).status).toBe(200);
  expect(left()).toBe(1);
  const answers = await Promise.all([
    call("DELETE", "api-keys/current", undefined, last),
    ...Array.from({ length: 10 }, () => add(last)),
  ]);
  expect(answers[0]?.status).toBe(200);
  expect(left()).toBe(0);
});
