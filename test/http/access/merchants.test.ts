import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import type { Route } from "../../../src/http/route/route.ts";
import { routes } from "../../../src/http/routes.ts";
import * as ApiKeyStore from "../../../src/store/tables/installation/api-key.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { type Receiver, startReceiver } from "../../support/http/receiver.ts";
import {
  businessRequest,
  invoiceRequest,
  linkRequest,
  recurringRequest,
  startTestTill,
  type TestTill,
  until,
} from "../../support/till/till.ts";

/** Two merchants of one Till, each with a key and the same things; Bob asks for what is Ada's. */

type Made = Record<string, string>;
type Headers = Record<string, string>;
type Shop = { name: string; email: string; key: Headers } & Record<
  "invoice" | "note" | "series" | "refund" | "owing" | "link" | "reusable" | "begun",
  Made
> & { webhook: string; event: string };

let chain: TestChain;
let till: TestTill;
let receiver: Receiver;
let ada: Shop;
let bob: Shop;
/** A key of all merchants. */
let all: Headers;

const keyOf = (merchant: string | null, scope: "read" | "shop" | "full" = "shop"): Headers => ({
  authorization: `Bearer ${createApiKey(till.db, "key", Date.now(), { scope, merchant }).key}`,
});

async function made(path: string, body: object, key: Headers): Promise<Made> {
  const { status, body: answer } = await till.api("POST", path, body, key);
  expect([status, answer.errors]).toEqual([201, undefined]);
  return answer;
}

async function openShop(name: string): Promise<Shop> {
  const email = `${name}@${name}.example`;
  const key = keyOf(email);
  const own = {
    merchant_email: email,
    webhook_url: receiver.url,
    webhook_events: "standard",
    reference: "PO-1",
  };
  const customer = { vendor_email: `customer-of-${name}@globex.example`, vendor_name: `Customer of ${name}` };
  const invoice = await made("/api/invoices", { ...businessRequest, ...own, ...customer }, key);
  const notes = `/api/invoices/${invoice["invoice_id"]}/credit-notes`;
  const note = await made(notes, { reason: `Of ${name}`, lines: [{ line: 2, quantity: 1 }] }, key);
  const link = await made("/api/links", { ...linkRequest, ...own }, key);
  const reusable = await made("/api/links", { ...linkRequest, ...own, reusable: true }, key);
  const begun = await made("/api/links", { ...linkRequest, ...own }, key);
  await chain.pay(link["deposit_address"] as never, "25.00");
  const hooks = async () => (await till.api("GET", `/api/links/${link["slug"]}/events`, undefined, key)).body;
  const { data } = await until(hooks, (found) => found.data.length > 0);
  const events = await till.api("GET", `/api/events?link=${link["slug"]}`, undefined, key);
  const event = events.body.data[0].id;
  const template = { ...recurringRequest.invoice, ...customer, merchant_email: email };
  const series = await made("/api/recurring", { ...recurringRequest, invoice: template }, key);
  const owing = await made("/api/links", { ...linkRequest, ...own }, key);
  await chain.pay(owing["deposit_address"] as never, "30.00");
  const owed = async () => (await till.api("GET", "/api/owed", undefined, key)).body;
  await until(owed, (found) => found.data.length > 0);
  const refund = await made("/api/refunds", { link: link["slug"], amount: "1.00" }, key);
  return {
    name,
    email,
    key,
    invoice,
    note,
    series,
    refund,
    owing,
    link,
    reusable,
    begun,
    webhook: data[0].id,
    event,
  };
}

beforeAll(async () => {
  [chain, receiver] = await Promise.all([startTestChain(), startReceiver()]);
  const settings = { TILL_BASE_URL: "https://pay.example.com", TILL_ALLOW_PRIVATE_WEBHOOKS: "true" };
  till = await startTestTill(chain, settings);
  all = keyOf(null, "full");
  ada = await openShop("ada");
  bob = await openShop("bob");
});
afterAll(async () => {
  await till.stop();
  await receiver.stop();
  await chain.stop();
});

const nameOf = ({ method, path }: Pick<Route, "method" | "path">) => `${method.toUpperCase()} ${path}`;
const confined = routes.filter(({ isConfined }) => isConfined);

const ask = (row: Route, path: string, key: Headers = {}) =>
  till.api(row.method.toUpperCase(), path, row.body === undefined ? undefined : {}, key);

/** All of an answer that could tell one refusal from another. */
async function told(row: Route, path: string, key?: Headers): Promise<unknown> {
  const { status, body, headers } = await ask(row, path, key);
  const { date: _, "x-request-id": __, ...rest } = Object.fromEntries(headers.entries());
  return { status, body, headers: rest };
}

/** The names of what is `shop`'s, by the kind of path that takes them, each with the name of nothing. */
function namesIn(shop: Shop, path: string): [name: string, ofNothing: string][] {
  const nobody = crypto.randomUUID();
  const { invoice, note, series, refund, link, reusable, begun } = shop;
  if (path.startsWith("/api/invoices/:id"))
    return [
      [invoice["invoice_id"] ?? "", nobody],
      [(invoice["invoice_id"] ?? "").toUpperCase(), nobody],
      [invoice["invoice_number"] ?? "", "INV-9999"],
    ];
  if (path.startsWith("/api/credit-notes/:id"))
    return [
      [note["id"] ?? "", nobody],
      [note["credit_note_number"] ?? "", "CN-9999"],
    ];
  if (path.startsWith("/api/recurring/:id")) return [[series["id"] ?? "", "recurring_nothing"]];
  if (path.startsWith("/api/refunds/:id")) return [[refund["id"] ?? "", "rfd_nothing"]];
  if (path.startsWith("/api/links/:slug"))
    return [link, begun, reusable].map(({ slug = "" }): [string, string] => [slug, "nothing"]);
  if (path === "/api/events/:id/redeliver") return [[shop.webhook, "evt_nothing"]];
  if (path === "/api/events/:id") return [[shop.event, "evt_nothing"]];
  if (path === "/api/merchants/:email") return [[shop.email, "no@one.example"]];
  throw new Error(`say here what ${path} names`);
}

const isNumber = (name: string) => /^(INV|CN)-/.test(name);
const named = (row: Route, name: string) => row.path.replace(/:\w+/, name);
/** Whether a key is looked at: these are open by what cannot be guessed, to everybody. */
const isOpen = (row: Route, name: string) =>
  row.scope === "open" && (!row.keyShowsMore || row.path === "/api/links/:slug") && !isNumber(name);
const query = (row: Route) => (row.path.endsWith("/e-invoice") ? "?format=cii" : "");

describe("what another merchant's id, number or slug names is not there", () => {
  test.each(confined.filter(({ path }) => path.includes(":")).map((row) => [nameOf(row), row] as const))(
    "%s",
    async (_, row) => {
      for (const [name, ofNothing] of namesIn(ada, row.path)) {
        const path = `${named(row, name)}${query(row)}`;
        const answer = await told(row, path, bob.key);
        if (isOpen(row, name)) expect(answer).toEqual(await told(row, path));
        else {
          expect(answer).toEqual(await told(row, `${named(row, ofNothing)}${query(row)}`, bob.key));
          expect(answer).toMatchObject({ status: nameOf(row) === "PUT /api/merchants/:email" ? 400 : 404 });
        }
        // Its own merchant and whoever sees all of them find it.
        if (row.method === "get" && !(row.path === "/api/merchants/:email"))
          for (const key of [ada.key, all])
            expect([200, 409, ...(name === ada.reusable["slug"] ? [404] : [])]).toContain(
              (await ask(row, path, key)).status,
            );
      }
    },
  );
});

/** Of each list, what it can be narrowed to: Ada's value, and one that nothing has. */
const lists: Record<string, (shop: Shop) => Record<string, [theirs: string | undefined, ofNothing: string]>> =
  {
    "GET /api/invoices": ({ invoice }) => ({
      slug: [invoice["slug"], "nothing"],
      invoice_number: [invoice["invoice_number"], "INV-9999"],
      reference: ["PO-1", "PO-1"],
      deposit_address: [invoice["deposit_address"], `0x${"1".repeat(40)}`],
      starting_after: [invoice["invoice_id"], "nothing"],
      status: ["sent", "sent"],
    }),
    "GET /api/credit-notes": ({ note, invoice }) => ({
      starting_after: [note["id"], "nothing"],
      invoice: [invoice["invoice_number"], "INV-9999"],
    }),
    "GET /api/recurring": ({ series }) => ({ starting_after: [series["id"], "nothing"] }),
    "GET /api/refunds": ({ refund, invoice }) => ({
      starting_after: [refund["id"], "nothing"],
      invoice: [invoice["invoice_number"], "INV-9999"],
      status: ["requested", "requested"],
    }),
    "GET /api/owed": ({ invoice }) => ({
      starting_after: [invoice["invoice_id"], "nothing"],
    }),
    "GET /api/links": ({ link, reusable }) => ({
      slug: [link["slug"], "nothing"],
      reference: ["PO-1", "PO-1"],
      reusable_slug: [reusable["slug"], "nothing"],
      deposit_address: [link["deposit_address"], `0x${"1".repeat(40)}`],
      starting_after: [link["slug"], "nothing"],
      status: ["confirmed", "confirmed"],
    }),
    "GET /api/reusable-links": ({ reusable }) => ({
      slug: [reusable["slug"], "nothing"],
      starting_after: [reusable["slug"], "nothing"],
    }),
    "GET /api/events": ({ event, invoice, link }) => ({
      starting_after: [event, "nothing"],
      invoice: [invoice["invoice_id"], "nothing"],
      link: [link["slug"], "nothing"],
      type: ["link.paid", "link.paid"],
    }),
  };

/** Every text that only one of the merchants has. */
const marksOf = ({
  name,
  email,
  invoice,
  note,
  series,
  refund,
  owing,
  link,
  reusable,
  begun,
  webhook,
  event,
}: Shop) =>
  [
    email,
    `of-${name}`,
    `Of ${name}`,
    webhook,
    event,
    ...[invoice, note, series, refund, owing, link, reusable, begun].flatMap((made) =>
      ["invoice_id", "id", "slug", "deposit_address", "invoice_number", "credit_note_number"].map(
        (field) => made[field],
      ),
    ),
  ].filter((mark) => mark !== undefined);

const says = (body: unknown, shop: Shop) =>
  marksOf(shop).filter((mark) => JSON.stringify(body).includes(`${mark}"`));

describe("a list has what is the merchant's, and no more", () => {
  test.each(Object.keys(lists))("%s", async (name) => {
    const path = name.replace("GET ", "");
    const get = async (params = "", key = bob.key) =>
      (await till.api("GET", `${path}${params}`, undefined, key)).body;
    const whole = await get("?limit=100");
    expect(says(whole, ada)).toEqual([]);
    expect(says(whole, bob)).not.toEqual([]);
    const both = await get("?limit=100", all);
    expect(says(both, ada)).not.toEqual([]);
    const ofAda = await get("?limit=100", ada.key);
    expect(whole.data.length + ofAda.data.length).toBe(both.data.length);
    // Page by page it is the same list, and says nothing of how many others there are.
    const key = path.includes("links") ? "slug" : "id";
    const paged = [];
    for (let after = ""; ; after = `&starting_after=${paged.at(-1)[key]}`) {
      const page = await get(`?limit=1${after}`);
      paged.push(...page.data);
      if (!page.has_more) break;
    }
    expect(paged).toEqual(whole.data);
    for (const [field, [theirs, ofNothing]] of Object.entries(lists[name]?.(ada) ?? {})) {
      const answer = await get(`?${field}=${theirs}`);
      expect([field, answer]).toEqual([field, await get(`?${field}=${ofNothing}`)]);
      expect(says(answer, ada)).toEqual([]);
    }
  });
});

const creations: Record<string, object> = {
  "POST /api/invoices": { ...invoiceRequest, send_now: false },
  "POST /api/links": linkRequest,
};

describe("what is made is the merchant's own", () => {
  test.each(Object.keys(creations))("%s", async (name) => {
    const path = name.replace("POST ", "");
    const make = (fields: object) => till.api("POST", path, { ...creations[name], ...fields }, bob.key);
    const message = `must be ${bob.email}: the API key is for this merchant alone`;
    expect((await make({ merchant_email: ada.email })).body.errors).toEqual([
      { field: "merchant_email", message },
    ]);
    // Beside all other faults.
    const faulty = await make({ merchant_email: ada.email, wallet_type: "none" });
    expect(faulty.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      "merchant_email",
      "wallet_type",
    ]);
    expect((await make({ merchant_email: bob.email.toUpperCase() })).status).toBe(201);
  });

  test("POST /api/recurring, and what it is changed to", async () => {
    const invoice = { ...recurringRequest.invoice, merchant_email: ada.email };
    const errors = [
      {
        field: "invoice.merchant_email",
        message: `must be ${bob.email}: the API key is for this merchant alone`,
      },
    ];
    for (const [method, path] of [
      ["POST", "/api/recurring"],
      ["PATCH", `/api/recurring/${bob.series["id"]}`],
    ] as const)
      expect((await till.api(method, path, { ...recurringRequest, invoice }, bob.key)).body.errors).toEqual(
        errors,
      );
  });

  test("POST /api/refunds, of what is another's", async () => {
    for (const of of [{ link: ada.link["slug"] }, { invoice: ada.invoice["invoice_number"] }]) {
      const { status, body } = await till.api("POST", "/api/refunds", { ...of, amount: "1.00" }, bob.key);
      expect([status, body.errors[0].message]).toEqual([400, "is none that this key knows"]);
    }
  });

  test("a merchant is recognised by the spelling of a domain in another script, too", async () => {
    const key = keyOf("jo@xn--mnchen-3ya.de");
    const body = { ...linkRequest, merchant_email: "Jo@München.de" };
    const { slug } = await made("/api/links", body, key);
    const list = await till.api("GET", "/api/links", undefined, key);
    expect(list.body.data.map((link: Made) => link["slug"])).toEqual([slug]);
    expect((await till.api("GET", `/api/links/${slug}/timeline`, undefined, key)).status).toBe(200);
    expect((await till.api("GET", `/api/links/${slug}/timeline`, undefined, bob.key)).status).toBe(404);
  });
});

/** Who thought these through found that they are about all merchants. */
const ofAll = [
  "DELETE /api/keys/:id",
  "DELETE /api/webhook-endpoints/:id",
  "GET /api/balance",
  "GET /api/customers",
  "GET /api/customers/:email",
  "GET /api/exports/:table",
  "GET /api/keys",
  "GET /api/settlements",
  "GET /api/webhook-endpoints",
  "GET /api/webhook-endpoints/:id",
  "GET /metrics",
  "PATCH /api/webhook-endpoints/:id",
  "POST /api/keys",
  "POST /api/webhook-endpoints",
  "POST /api/webhook-endpoints/:id/rotate",
  "POST /api/webhook-endpoints/:id/test",
  "PUT /api/customers/:email",
];

test("every row is thought through: it keeps such a key to its merchant, refuses it, or looks at none", async () => {
  const attacked = [
    ...confined.filter(({ path }) => path.includes(":")).map(nameOf),
    ...Object.keys(lists),
    ...Object.keys(creations),
    "POST /api/recurring",
    "POST /api/refunds",
  ];
  expect(confined.map(nameOf).sort()).toEqual(attacked.sort());
  const others = routes.filter(
    ({ isConfined, isOfStore, scope }) => !isConfined && !isOfStore && scope !== "open",
  );
  expect(others.map(nameOf).sort()).toEqual(ofAll);
  for (const row of others) {
    const answer = await ask(row, named(row, "nothing"), bob.key);
    expect(answer).toMatchObject({ status: 403, body: { code: "key_scope" } });
    if (row.scope !== "full" && row.scope !== "metrics")
      expect(answer.body.detail).toContain(`this key about ${bob.email} alone`);
  }
  const open = routes.filter(({ isConfined, scope }) => !isConfined && scope === "open").map(nameOf);
  expect(
    open.every((name) =>
      /\/(x402|health)\/|\/api\/(payments\/status|links)\/:slug$|\/originals\//.test(name),
    ),
  ).toBe(true);
});

test("the URL of an endpoint of all merchants is told by its origin alone", async () => {
  const { origin } = new URL(receiver.url);
  await made("/api/webhook-endpoints", { url: `${origin}/hook/of-all` }, all);
  const link = await made("/api/links", { ...linkRequest, merchant_email: ada.email }, ada.key);
  const path = `/api/links/${link["slug"]}`;
  await till.api("POST", `${path}/void`, { reason: "Made twice." }, ada.key);
  const urls = async (key: Headers) =>
    (await till.api("GET", `${path}/events`, undefined, key)).body.data.map(({ url }: Made) => url);
  expect(await urls(ada.key)).toEqual([origin]);
  expect(await urls(all)).toEqual([`${origin}/hook/of-all`]);
});

describe("an Idempotency-Key", () => {
  test("is the merchant's own: another one's answer is neither given nor known of", async () => {
    const make = (shop: { email: string; key: Headers }, fields: object = {}) =>
      till.api(
        "POST",
        "/api/links",
        { ...linkRequest, merchant_email: shop.email, ...fields },
        { ...shop.key, "idempotency-key": "order-1" },
      );
    const first = await make(ada);
    expect(first.status).toBe(201);
    const others = [await make(bob), await make({ email: ada.email, key: all })];
    for (const { status, body } of others)
      expect([status, body.slug === first.body.slug]).toEqual([201, false]);
    // The same request as Ada's gets no answer but that it is wrong.
    expect((await make(bob, { merchant_email: ada.email })).status).toBe(409);
    const other = { ...bob.key, "idempotency-key": "order-2" };
    const body = { ...linkRequest, merchant_email: ada.email };
    expect((await till.api("POST", "/api/links", body, other)).status).toBe(400);
    expect((await make(ada)).body).toEqual(first.body);
    // Her next key goes on with it.
    expect((await make({ email: ada.email, key: keyOf(ada.email) })).body).toEqual(first.body);
    expect((await make(ada, { expected_amount: "26.00" })).status).toBe(409);
  });
});

test("what is saved of a customer is not put onto the invoice of a merchant who may not read it", async () => {
  const customer = { vendor_email: "shared@initech.example", vendor_name: "Initech" };
  const details = { street: "Secret Street 1", city: "Berlin", country: "DE" };
  expect((await till.api("PUT", `/api/customers/${customer.vendor_email}`, { details }, all)).status).toBe(
    200,
  );
  const detailsOf = async (key: Headers, email: string) => {
    const body = { ...invoiceRequest, ...customer, merchant_email: email, send_now: false };
    const { invoice_id } = await made("/api/invoices", body, key);
    return (await till.api("GET", `/api/invoices/${invoice_id}`, undefined, key)).body.vendor_details;
  };
  expect(await detailsOf(all, bob.email)).toMatchObject({ street: "Secret Street 1" });
  expect(await detailsOf(bob.key, bob.email)).toBeNil();
});

test("a merchant saves and reads the details of that merchant alone", async () => {
  const path = (email: string) => `/api/merchants/${email}`;
  const save = (email: string, key: Headers) =>
    till.api("PUT", path(email), { payment_terms: `Of ${email}` }, key);
  expect((await save(ada.email, ada.key)).status).toBe(200);
  expect((await save("BOB@Bob.example", bob.key)).status).toBe(200);
  expect((await save(ada.email, bob.key)).body.errors).toEqual([
    { field: "email", message: `must be ${bob.email}: the API key is for this merchant alone` },
  ]);
  const read = (email: string, key: Headers) => till.api("GET", path(email), undefined, key);
  expect((await read(ada.email, ada.key)).body.payment_terms).toBe(`Of ${ada.email}`);
  expect((await read(bob.email, bob.key)).body.payment_terms).toBe("Of BOB@Bob.example");
  const [theirs, nobodys] = [await read(ada.email, bob.key), await read("no@one.example", bob.key)];
  expect([theirs.status, theirs.body]).toEqual([404, nobodys.body]);
});

test("health says of a Till to such a key what it says to everybody", async () => {
  const health = async (key?: Headers) => (await till.api("GET", "/health/ready", undefined, key)).body;
  expect(await health(bob.key)).toEqual(await health());
  expect(await health(keyOf(null, "read"))).not.toEqual(await health());
});

test("only read and shop are for one merchant, and the table holds nothing else", () => {
  for (const scope of ["full", "metrics"] as const)
    expect(() => createApiKey(till.db, "key", 1, { scope, merchant: bob.email })).toThrow("CHECK");
  expect(ApiKeyStore.list(till.db).some(({ createdAt }) => createdAt === 1)).toBe(false);
});
