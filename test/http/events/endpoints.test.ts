import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { Webhook } from "standardwebhooks";
import type { Address } from "../../../src/domain/wallet/address.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { EndpointRecord } from "../../../src/http/fields/endpoint-schemas.ts";
import { StandardInvoiceEvent, StandardLinkEvent } from "../../../src/http/fields/event-schemas.ts";
import * as AuditStore from "../../../src/store/tables/desk/audit.ts";
import * as ApiKeyStore from "../../../src/store/tables/installation/api-key.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { expectedSignature, startReceiver } from "../../support/http/receiver.ts";
import { shared } from "../../support/per-file.ts";
import { callTill } from "../../support/till/run-till.ts";
import { type Answer, linkRequest, startTestTill, until, untilIs } from "../../support/till/till.ts";
import { openForm, sendForm, slugIn } from "../../support/till/visitor.ts";

const chain = shared(startTestChain);
const receiver = shared(startReceiver);
const till = shared(() => startTestTill(chain, {}, { now: () => Date.now() + laterMs }));
/** Added to the clock of Till. */
let laterMs = 0;

const path = "/api/webhook-endpoints";
async function make(wish: object = {}): Promise<Answer["body"]> {
  const { status, body } = await till.api("POST", path, { url: receiver.url, ...wish });
  expect([status, body]).toEqual([201, body]);
  return body;
}
const remove = ({ id }: { id: string }) => till.api("DELETE", `${path}/${id}`);
const sentFor = (name: string, to = receiver) => to.received.filter(({ raw }) => raw.includes(name));
const typesFor = (name: string) => sentFor(name).map(({ raw }) => JSON.parse(raw.toString()).type);

describe("an endpoint", () => {
  test("is made, listed, changed and deleted, and shows its secret once", async () => {
    const wish = {
      types: ["invoice.paid", "link.paid"],
      description: "Webshop",
      merchant_email: "owner@corner.example",
    };
    const { secret, ...made } = await make(wish);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made).toMatchObject({ url: receiver.url, ...wish, status: "active", failing_since: null });
    expect([...Value.Errors(EndpointRecord, made)]).toEqual([]);
    const one = `${path}/${made.id}`;
    expect((await till.api("GET", one)).body).toEqual(made);
    expect((await till.api("GET", path)).body).toEqual({ data: [made] });

    const changed = await till.api("PATCH", one, { status: "paused", description: null, types: null });
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...made,
        ...{ types: null, description: null, status: "paused", pause_cause: "merchant" },
        paused_at: changed.body.paused_at,
      },
    ]);
    const resumed = await till.api("PATCH", one, { status: "active", merchant_email: null });
    expect(resumed.body).toMatchObject({ status: "active", paused_at: null, merchant_email: null });
    expect((await till.api("PATCH", one, {})).body).toEqual(resumed.body);

    expect((await remove(made)).body).toEqual({ ok: true });
    for (const [method, to, body] of [
      ["GET", one],
      ["PATCH", one, {}],
      ["DELETE", one],
      ["POST", `${one}/rotate`],
      ["POST", `${one}/test`],
    ] as const)
      expect((await till.api(method, to, body)).body).toMatchObject({ status: 404, code: "not_found" });
    expect((await till.api("GET", path)).body).toEqual({ data: [] });
  });

  test("names every fault of a request, of making and of changing alike", async () => {
    const made = await make();
    const wrong = {
      url: "ftp://shop.example",
      types: ["invoice.paid", "invoice.opened"],
      description: "two\nlines",
      merchant_email: "nobody",
      colour: "red",
    };
    const fields = ["colour", "types[1]", "url", "description", "merchant_email"];
    for (const [method, to] of [
      ["POST", path],
      ["PATCH", `${path}/${made.id}`],
    ] as const) {
      const { status, body } = await till.api(method, to, wrong);
      expect(status).toBe(400);
      expect(body.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual(fields.toSorted());
    }
    for (const types of [[], ["invoice.paid", "invoice.paid"], "invoice.paid"])
      expect((await till.api("POST", path, { url: receiver.url, types })).body.errors[0].field).toBe("types");
    expect((await till.api("POST", path, {})).body.errors).toEqual([
      { field: "url", message: "is required" },
    ]);
    expect((await till.api("PATCH", `${path}/${made.id}`)).status).toBe(400);
    expect((await till.api("PATCH", `${path}/${made.id}`, { status: "gone" })).status).toBe(400);
    await remove(made);
  });

  test("is made once for an Idempotency-Key, also when it is rotated, and its secrets are sealed on the disk", async () => {
    const key = { "idempotency-key": `endpoint-${Date.now()}` };
    const first = await till.api("POST", path, { url: receiver.url }, key);
    expect((await till.api("POST", path, { url: receiver.url }, key)).body).toEqual(first.body);
    const rotate = { "idempotency-key": `rotate-${Date.now()}` };
    const rotated = await till.api("POST", `${path}/${first.body.id}/rotate`, undefined, rotate);
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).not.toBe(first.body.secret);
    expect((await till.api("POST", `${path}/${first.body.id}/rotate`, undefined, rotate)).body).toEqual(
      rotated.body,
    );
    expect((await till.api("GET", path)).body.data).toHaveLength(1);
    const db = new Database(join(till.config.dataDir, "till.db"), { readonly: true });
    const tables = ["webhook_endpoint", "idempotency"].map((table) =>
      db.query(`SELECT * FROM ${table}`).all(),
    );
    db.close();
    const stored = Bun.inspect(tables, { depth: 9 });
    expect(stored).toContain("sealed1:");
    expect(stored).not.toContain("whsec_");
    expect(till.logged.join("\n")).not.toContain("whsec_");
    await remove(first.body);
    // What was made for this key is gone.
    const late = await till.api("POST", path, { url: receiver.url }, key);
    expect(late.body).toMatchObject({ status: 404, code: "not_found" });
  });

  test("is in the log of the desk, with the key that made, changed and deleted it", async () => {
    const { id, key } = createApiKey(till.db, "webshop", Date.now(), { scope: "shop" });
    const headers = { authorization: `Bearer ${key}` };
    const made = await till.api("POST", path, { url: receiver.url }, headers);
    const one = `${path}/${made.body.id}`;
    await till.api("PATCH", one, { status: "paused" }, headers);
    await till.api("POST", `${one}/rotate`, undefined, headers);
    await till.api("DELETE", one, undefined, headers);
    ApiKeyStore.revoke(till.db, id, Date.now());
    const { host } = new URL(receiver.url);
    const noted = AuditStore.list(till.db, { before: null, limit: 4 }).toReversed();
    expect(noted.map(({ personName, action, subject }) => [personName, action, subject])).toEqual(
      ["create", "change", "rotate", "delete"].map((action) => [
        "API key webshop",
        `endpoint.${action}`,
        host,
      ]),
    );
  });

  test("is one of 20 at most", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => make()));
    const { status, body } = await till.api("POST", path, { url: receiver.url });
    expect([status, body.code]).toEqual([409, "too_many_endpoints"]);
    await remove(made[0]);
    made.push(await make());
    for (const each of made.slice(1)) await remove(each);
  });

  test("of a public Till has a public address", async () => {
    await using open = await startTestTill(chain, {
      TILL_BASE_URL: "https://pay.example.com",
      TILL_OPEN_API: "true",
    });
    const urls = ["http://127.0.0.1:9/", "http://10.0.0.1/", "http://[::1]/", "http://localhost/"];
    for (const url of urls) {
      const { body } = await open.api("POST", path, { url });
      expect(body.errors[0]).toMatchObject({ field: "url" });
      expect(body.errors[0].message).toContain("must be publicly reachable");
    }
    const made = await open.api("POST", path, { url: "https://shop.example/till" });
    const moved = await open.api("PATCH", `${path}/${made.body.id}`, { url: urls[0] });
    expect(moved.status).toBe(400);
  });
});

describe("an endpoint hears", () => {
  test("of every event of invoices and links, whatever webhook they have themselves, under the id of the event", async () => {
    const { secret, ...endpoint } = await make();
    const own = await startReceiver();
    try {
      const invoice = await till.createInvoice({
        webhook_url: own.url,
        line_items: [{ description: "Design", quantity: 1, unit_price: "100.00" }],
      });
      const { invoice_id = "", deposit_address } = invoice;
      const { body: link } = await till.api("POST", "/api/links", linkRequest);
      const { body: standard } = await till.api("POST", "/api/links", {
        ...linkRequest,
        ...{ webhook_url: own.url, webhook_events: "standard" },
      });
      const { body: reusable } = await till.api("POST", "/api/links", { ...linkRequest, reusable: true });
      const { token } = await openForm(reusable.payment_link);
      const { location } = await sendForm(reusable.payment_link, { token, quantity: "1" });
      const child = (await till.api("GET", `/api/links?slug=${slugIn(location ?? "")}`)).body.data[0];
      await chain.pay(deposit_address as Address, "40.00");
      for (const { deposit_address } of [link, standard, child]) await chain.pay(deposit_address, "25.00");
      const names = [link.slug, standard.slug, child.slug];
      for (const name of [invoice_id, ...names]) await untilIs(() => sentFor(name), { length: 1 });
      await till.api("POST", `/api/invoices/${invoice_id}/mark`, { as: "paid" });
      await till.api("POST", `/api/invoices/${invoice_id}/mark`, { as: "unpaid" });
      await untilIs(() => sentFor(invoice_id), { length: 3 });
      expect(typesFor(invoice_id)).toEqual([
        "invoice.partially_paid",
        "invoice.marked_paid",
        "invoice.marked_unpaid",
      ]);
      for (const name of names) expect(typesFor(name)).toEqual(["link.paid"]);
      for (const name of [invoice_id, ...names])
        for (const { raw, headers } of sentFor(name)) {
          const body = JSON.parse(raw.toString());
          expect(new Webhook(secret).verify(raw.toString(), headers)).toEqual(body);
          expect(headers["x-service-signature"]).toBe(expectedSignature(secret, raw));
          const schema = name === invoice_id ? StandardInvoiceEvent : StandardLinkEvent;
          expect([...Value.Errors(schema, body)]).toEqual([]);
        }
      const { x402_url: _, ...record } = (await till.api("GET", `/api/invoices/${invoice_id}`)).body;
      expect(JSON.parse(sentFor(invoice_id).at(-1)?.raw.toString() ?? "").data.invoice).toEqual(record);
      expect(JSON.parse(sentFor(child.slug)[0]?.raw.toString() ?? "").data.link.reusable_slug).toBe(
        reusable.slug,
      );

      const { data: events } = (await till.api("GET", `/api/events?invoice=${invoice_id}`)).body;
      expect(events.map(({ id }: { id: string }) => id).toReversed()).toEqual(
        sentFor(invoice_id).map(({ headers }) => headers["webhook-id"] ?? ""),
      );
      // Their own webhooks are as they were.
      await untilIs(() => own.received, { length: 2 });
      const [contract] = sentFor(invoice_id, own);
      expect(JSON.parse(contract?.raw.toString() ?? "")).toMatchObject({
        event: "invoice.paid",
        status: "partial",
      });
      const [theirs, ours] = [sentFor(standard.slug, own)[0], sentFor(standard.slug)[0]];
      expect(theirs?.raw.toString()).toBe(ours?.raw.toString() ?? "");
      expect(theirs?.headers["webhook-id"]).toBe(ours?.headers["webhook-id"] ?? "");

      // The log has them, and sends them again: one by its own id, all by the event's.
      const { data } = (await till.api("GET", `/api/links/${standard.slug}/events`)).body;
      const eventId = ours?.headers["webhook-id"];
      const [row] = data.filter(({ endpoint_id }: { endpoint_id?: string }) => endpoint_id === endpoint.id);
      expect([data.length, row.event_id, row.url]).toEqual([2, eventId, receiver.url]);
      expect((await till.api("POST", `/api/events/${row.id}/redeliver`)).body).toEqual({ ok: true });
      await untilIs(() => sentFor(standard.slug), { length: 2 });
      expect((await till.api("POST", `/api/events/${eventId}/redeliver`)).body).toEqual({ ok: true });
      await until(
        () => [sentFor(standard.slug).length, sentFor(standard.slug, own).length],
        ([told, own]) => told === 3 && own === 2,
      );
      const summary = `The webhook of link.paid to ${endpoint.id} was delivered.`;
      await until(
        async () => (await till.api("GET", `/api/links/${link.slug}/timeline`)).body.data,
        (entries) => entries.some((entry: { summary: string }) => entry.summary === summary),
      );

      await remove(endpoint);
      const gone = await till.api("POST", `/api/events/${row.id}/redeliver`);
      expect(gone.body).toMatchObject({
        status: 404,
        detail: "The endpoint of this webhook event was deleted, or is paused: resume it first.",
      });
      expect((await till.api("GET", `/api/links/${standard.slug}/events`)).body.data).toHaveLength(2);
    } finally {
      await own.stop();
    }
  });

  test("waits while it is paused, whoever asks for it again, and goes out first once it is resumed", async () => {
    const endpoint = await make();
    const one = `${path}/${endpoint.id}`;
    receiver.answerWith(500);
    const { slug } = (await till.api("POST", "/api/links", linkRequest)).body;
    await till.api("POST", `/api/links/${slug}/void`, { reason: "Made twice." });
    const [failed] = await until(
      async () => (await till.api("GET", `/api/links/${slug}/events`)).body.data,
      ([event]) => event?.attempts.length >= 2,
    );
    await till.api("PATCH", one, { status: "paused" });
    receiver.answerWith(200);
    expect((await till.api("POST", `/api/events/${failed.id}/redeliver`)).status).toBe(404);
    const before = sentFor(slug).length;
    await till.api("PATCH", one, { status: "active" });
    const sent = await untilIs(() => sentFor(slug), { length: before + 1 });
    // Its next attempt was half a minute away.
    expect(sent.at(-1)?.atMs).toBeLessThan(Date.parse(failed.next_attempt_at));
    await remove(endpoint);
  });

  test("with both secrets for a day after a rotation, by the published library, and then with the new one", async () => {
    const { secret: old, ...endpoint } = await make({ types: ["invoice.marked_paid"] });
    const { secret } = (await till.api("POST", `${path}/${endpoint.id}/rotate`)).body;
    const toldOf = async () => {
      const { invoice_id = "" } = await till.createInvoice();
      await till.api("POST", `/api/invoices/${invoice_id}/mark`, { as: "paid" });
      const [post] = await untilIs(() => sentFor(invoice_id), { length: 1 });
      if (post === undefined) throw new Error("nothing came");
      return post;
    };
    const verifies = ({ raw, headers }: Awaited<ReturnType<typeof toldOf>>, by: string) => {
      const sentAt = String(Math.floor(Date.now() / 1_000));
      const isNow = Math.abs(Number(headers["webhook-timestamp"]) - Number(sentAt)) < 60;
      if (isNow) return Boolean(new Webhook(by).verify(raw.toString(), headers));
      const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
      return (
        headers["webhook-signature"] === new Webhook(by).sign(headers["webhook-id"] ?? "", at, raw.toString())
      );
    };
    const both = await toldOf();
    expect([verifies(both, secret), verifies(both, old)]).toEqual([true, true]);
    expect(both.headers["x-service-signature"]).toBe(expectedSignature(secret, both.raw));
    laterMs = 86_400_000;
    const one = await toldOf();
    expect([verifies(one, secret), verifies(one, old)]).toEqual([true, false]);
    laterMs = 0;
    await remove(endpoint);
  });

  test("of a test at once, and Till tells what it answered and stores nothing", async () => {
    const { secret, ...endpoint } = await make();
    const rows = () => till.db.query("SELECT count(*) AS count FROM webhook_event").get();
    const before = rows();
    const ask = async () => (await till.api("POST", `${path}/${endpoint.id}/test`)).body;
    receiver.answerWith(204, 503, 410, 200);
    expect(await ask()).toMatchObject({ ok: true, http_status: 204, reason: null });
    const { raw, headers } = receiver.received.at(-1) ?? { raw: "", headers: {} };
    expect(new Webhook(secret).verify(raw.toString(), headers)).toMatchObject({
      type: "endpoint.test",
      data: { endpoint_id: endpoint.id },
    });
    expect(await ask()).toMatchObject({ ok: false, http_status: 503, reason: "answered 503" });
    expect(await ask()).toMatchObject({ ok: false, http_status: 410, reason: "answered 410 Gone" });
    await till.api("PATCH", `${path}/${endpoint.id}`, { status: "paused" });
    expect(await ask()).toMatchObject({ ok: true });
    await till.api("PATCH", `${path}/${endpoint.id}`, { url: "http://127.0.0.1:9/" });
    expect(await ask()).toMatchObject({ ok: false, http_status: null, reason: "connection refused" });
    expect(rows()).toEqual(before);
    expect((await till.api("GET", `${path}/${endpoint.id}`)).body.failing_since).toBe(null);
    await remove(endpoint);
  });
});

test("health and doctor's findings name an endpoint that is paused, by its host alone", async () => {
  const gone = await startReceiver();
  gone.answerWith(410);
  const endpoint = await make({ url: `${gone.url}?token=hush` });
  const { invoice_id } = await till.createInvoice();
  await till.api("POST", `/api/invoices/${invoice_id}/void`, { reason: "Billed twice" });
  const paused = await untilIs(async () => (await till.api("GET", `${path}/${endpoint.id}`)).body, {
    status: "paused",
  });
  expect(paused).toMatchObject({ pause_cause: "gone", failure: "answered 410 Gone" });
  const { warnings } = (await till.api("GET", "/health/ready")).body;
  const said = warnings.join("\n");
  expect(said).toContain(endpoint.id);
  expect(said).not.toContain("hush");
  const metrics = (await till.api("GET", "/metrics")).body;
  expect(metrics).toContain('till_webhook_events{state="paused"} 1');
  await remove(endpoint);
  await gone.stop();
});

test("the command adds, lists, pauses, resumes, tests, rotates and removes endpoints", async () => {
  const env = { TILL_BASE_URL: till.baseUrl };
  const run = (...args: string[]) => callTill(["endpoint", ...args], { env });
  receiver.answerWith(200);
  const added = await run("add", receiver.url, "--type", "invoice.paid", "--type", "link.paid", "--json");
  const { id, secret, types } = JSON.parse(added.stdout);
  expect([added.exitCode, types]).toEqual([0, ["invoice.paid", "link.paid"]]);
  expect(added.stderr).toContain("not shown again");
  expect((await run("list")).stdout).toContain(id);
  expect((await run("list")).stdout).not.toContain(secret);
  expect((await run("test", id)).stdout).toContain("Taken, after");
  expect((await run("pause", id)).stdout).toContain("Paused.");
  expect((await run("list")).stdout).toContain("paused");
  expect((await run("resume", id)).stdout).toContain("Resumed.");
  const rotated = await run("rotate", id);
  expect(rotated.stdout.trim()).toMatch(/^whsec_/);
  expect(rotated.stdout.trim()).not.toBe(secret);
  receiver.answerWith(500);
  const failed = await run("test", id);
  expect([failed.exitCode, failed.stdout]).toEqual([1, expect.stringContaining("answered 500")]);
  expect((await run("remove", id)).stdout).toContain(`Deleted ${id}.`);
  const again = await run("remove", id);
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining("no webhook endpoint")]);
  expect((await run("add", "ftp://shop.example")).stderr).toContain("url must start with");
  expect((await run("remove", "../keys")).exitCode).toBe(2);
  expect((await run("list")).stdout).toContain("There are no webhook endpoints.");
});
