import { describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import type { Address } from "../../../src/domain/wallet/address.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { expectedSignature, type Received, startReceiver } from "../../support/http/receiver.ts";
import { shared } from "../../support/per-file.ts";
import { callTill } from "../../support/till/run-till.ts";
import { linkRequest, startTestTill, until, untilIs } from "../../support/till/till.ts";

const chain = shared(startTestChain);
const receiver = shared(startReceiver);
const till = shared(() => startTestTill(chain));

const standard = () => ({ webhook_url: receiver.url, webhook_events: "standard" });
const sentFor = (name: string) =>
  receiver.received.filter(({ raw }) => raw.includes(name)).map(({ raw }) => JSON.parse(raw.toString()));

async function events(query: string) {
  const { status, body } = await till.api("GET", `/api/events?${query}`);
  expect([status, body]).toEqual([200, body]);
  return body;
}

describe("webhooks in the standard form", () => {
  test("tell of each event with the whole record, and the official library takes them", async () => {
    const made = await till.createInvoice({
      ...standard(),
      line_items: [{ description: "Design", quantity: 1, unit_price: "100.00" }],
    });
    const { invoice_id = "", webhook_secret = "", deposit_address } = made;
    for (const [amount, count] of [
      ["40.00", 1],
      ["60.00", 2],
      ["0.01", 3],
    ] as const) {
      await chain.pay(deposit_address as Address, amount);
      await untilIs(() => sentFor(invoice_id), { length: count });
    }
    const posts = receiver.received.filter(({ raw }) => raw.includes(invoice_id));
    const types = ["invoice.partially_paid", "invoice.paid", "invoice.overpaid"];
    expect(sentFor(invoice_id).map(({ type }) => type)).toEqual(types);
    for (const { raw, headers } of posts) {
      expect(new Webhook(webhook_secret).verify(raw.toString(), headers)).toEqual(JSON.parse(raw.toString()));
      expect(headers["x-service-signature"]).toBe(expectedSignature(webhook_secret, raw));
      expect(() => new Webhook(webhook_secret).verify(`${raw} `, headers)).toThrow();
    }

    const { x402_url, ...record } = (await till.api("GET", `/api/invoices/${invoice_id}`)).body;
    expect(x402_url).toStartWith(till.baseUrl);
    expect(record).toMatchObject({ status: "excess", webhook_events: "standard" });
    const told = sentFor(invoice_id).at(-1);
    expect(told.data).toEqual({ invoice: record, status: "excess", received_amount: "100.01" });
    expect(new Date(told.timestamp).toISOString()).toBe(told.timestamp);

    const { data } = await events(`invoice=${invoice_id}`);
    expect(data.map(({ type }: { type: string }) => type)).toEqual(types.toReversed());
    // The id of the event is the one that the receiver deals with once.
    expect(data.map(({ id }: { id: string }) => id).reverse()).toEqual(
      posts.map(({ headers }) => headers["webhook-id"] ?? ""),
    );
    expect(data[0]).toEqual({
      id: posts.at(-1)?.headers["webhook-id"],
      type: "invoice.overpaid",
      created_at: told.timestamp,
      invoice_id,
      invoice_number: made["invoice_number"],
      data: { status: "excess", received_amount: "100.01" },
    });
    const summaries = async () =>
      (await till.api("GET", `/api/invoices/${invoice_id}/timeline`)).body.data.map(
        ({ summary }: { summary: string }) => summary,
      );
    const delivered = "The webhook of invoice.overpaid was delivered.";
    await until(summaries, (all) => all.includes(delivered));
  });

  test("are chosen by a flag of the commands", async () => {
    const env = { TILL_BASE_URL: till.baseUrl };
    const flags = Object.entries({ ...linkRequest, ...standard() }).flatMap(([field, value]) => [
      `--${field.replaceAll("_", "-")}`,
      value,
    ]);
    const { stdout } = await callTill(["link", ...flags, "--json"], { env });
    const { data } = (await till.api("GET", `/api/links?slug=${JSON.parse(stdout).slug}`)).body;
    expect(data[0].webhook_events).toBe("standard");
    const { exitCode, stderr } = await callTill(["link", ...flags, "--webhook-events", "all"], { env });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--webhook-events must be")]);
  });

  test("tell of money that the chain took back, and of it again when it comes again", async () => {
    const { body: link } = await till.api("POST", "/api/links", { ...linkRequest, ...standard() });
    const seen = (count: number) => untilIs(() => sentFor(link.slug), { length: count });
    await chain.pay(link.deposit_address, "25.00");
    await seen(1);
    await chain.reorg(1);
    const other = await till.createInvoice();
    // Any payment makes Till look at the chain.
    await chain.pay(other["deposit_address"] as Address, "1.00");
    await seen(2);
    await chain.pay(link.deposit_address, "25.00");
    const told = await seen(3);
    expect(told.map(({ type, data }) => [type, data.link.status])).toEqual([
      ["link.paid", "confirmed"],
      ["link.payment_reversed", "error"],
      ["link.paid", "confirmed"],
    ]);
    const ids = receiver.received.filter(({ raw }) => raw.includes(link.slug)).map(idOf);
    expect(new Set(ids).size).toBe(3);
  });
});

const idOf = ({ headers }: Received) => headers["webhook-id"];

describe("GET /api/events", () => {
  test("gives all in pages, the newest first, and each by its id", async () => {
    const { data: all } = await events("limit=100");
    const paged: unknown[] = [];
    for (let query = "limit=2"; ; ) {
      const page = await events(query);
      paged.push(...page.data);
      if (!page.has_more) break;
      query = `limit=2&starting_after=${page.data.at(-1).id}`;
    }
    expect(paged).toEqual(all);
    expect(all.length).toBeGreaterThan(5);
    const times = all.map(({ created_at }: { created_at: string }) => created_at);
    expect(times).toEqual(times.toSorted().reverse());
    expect((await till.api("GET", `/api/events/${all[0].id}`)).body).toEqual(all[0]);
    expect((await till.api("GET", "/api/events/evt_unknown")).status).toBe(404);
  });

  test("gives those of one type, and names what is wrong with a query", async () => {
    const { data } = await events("type=link.payment_reversed");
    expect(data).toMatchObject([{ type: "link.payment_reversed", data: { received_amount: "0.00" } }]);
    for (const [query, field] of [
      ["type=paid", "type"],
      ["limit=0", "limit"],
      ["starting_after=evt_unknown", "starting_after"],
      ["invoice=INV-9999", "invoice"],
      ["link=unknown", "link"],
      ["color=red", "color"],
    ] as const) {
      const { status, body } = await till.api("GET", `/api/events?${query}`);
      expect([query, status, body.errors?.[0]?.field]).toEqual([query, 400, field]);
    }
    const both = await till.api("GET", `/api/events?invoice=INV-0001&link=${data[0].slug}`);
    expect(both.body.errors).toEqual([{ field: "link", message: "must be left out with invoice" }]);
  });
});

describe("a mail with the invoice", () => {
  test("is an event when the mail server has accepted it", async () => {
    const { invoice_id = "" } = await till.createInvoice({ send_now: true });
    await till.api("POST", `/api/invoices/${invoice_id}/send`);
    const { data } = await events(`invoice=${invoice_id}&type=invoice.sent`);
    expect(data.map(({ data }: { data: object }) => data)).toEqual(
      Array(2).fill({ to: "ap@globex.example" }),
    );
  });
});

describe("a comment", () => {
  test("is kept as it was given, and repeated under an Idempotency-Key", async () => {
    const { invoice_id = "", invoice_number = "" } = await till.createInvoice();
    const text = "Called them:\nthey pay on Monday. <b>名</b>";
    const key = { "idempotency-key": "comment-1" };
    const path = `/api/invoices/${invoice_number}/comments`;
    const unknown = await till.api("POST", path, { text: "x", to: "y" });
    expect([unknown.status, unknown.body.errors[0].field]).toEqual([400, "to"]);
    const { status, body } = await till.api("POST", path, { text }, key);
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^evt_/),
        type: "invoice.commented",
        created_at: expect.any(String),
        invoice_id,
        invoice_number,
        data: { text },
      },
    ]);
    expect((await till.api("POST", path, { text }, key)).body).toEqual(body);
    expect((await till.api("POST", path, { text })).body.id).not.toBe(body.id);
    expect((await events(`invoice=${invoice_id}`)).data).toHaveLength(2);
    // The customer's page says nothing of it.
    const page = await till.api(
      "GET",
      (await till.api("GET", `/api/invoices/${invoice_id}`)).body.invoice_url.slice(till.baseUrl.length),
    );
    expect(page.body).not.toContain("Monday");
  });

  test("can be on a link, and is text of up to 2000 characters", async () => {
    const { body: link } = await till.api("POST", "/api/links", linkRequest);
    const path = `/api/links/${link.slug}/comments`;
    expect((await till.api("POST", path, { text: "x".repeat(2000) })).body).toMatchObject({
      type: "link.commented",
      slug: link.slug,
    });
    for (const body of [
      {},
      { text: "" },
      { text: "x".repeat(2001) },
      { text: 5 },
      { text: "a\u0000b" },
      [],
      "null",
    ]) {
      const { status } = await till.api("POST", path, body);
      expect([body, status]).toEqual([body, 400]);
    }
    expect((await till.api("POST", "/api/links/unknown/comments", { text: "x" })).status).toBe(404);
    expect((await till.api("POST", "/api/invoices/INV-9999/comments", { text: "x" })).status).toBe(404);
  });
});
