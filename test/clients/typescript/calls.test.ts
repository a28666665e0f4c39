import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTill, TillError, type TillOptions } from "../../../clients/typescript/src/index.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import {
  invoiceRequest,
  linkRequest,
  recurringRequest,
  startTestTill,
  type TestTill,
} from "../../support/till/till.ts";
import { type FlakyServer, startFlakyServer } from "./flaky-server.ts";

let till: TestTill;
let flaky: FlakyServer;
let apiKey: string;

beforeAll(async () => {
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
  flaky = await startFlakyServer(till);
  apiKey = createApiKey(till.db, "shop", Date.now(), { scope: "shop" }).key;
});
afterAll(async () => {
  await flaky.stop();
  await till.stop();
});

const client = (options: Partial<TillOptions> = {}) => createTill({ baseUrl: flaky.url, apiKey, ...options });

/** What is thrown as a TillError; fails for anything else. */
async function errorOf(work: Promise<unknown>): Promise<TillError> {
  const thrown = await work.then(
    () => "nothing was thrown",
    (error: unknown) => error,
  );
  if (thrown instanceof TillError) return thrown;
  throw new Error(`no TillError: ${Bun.inspect(thrown)}`);
}

const made = (idempotencyKey?: string) =>
  client().post("/api/invoices", { body: { ...invoiceRequest, wallet_type: "managed" }, idempotencyKey });
const countOfInvoices = async () => (await Array.fromAsync(client().list("/api/invoices"))).length;
const keysAsked = () => flaky.asked.map(({ key }) => key);

describe("a call", () => {
  test("makes, reads, changes and voids, and returns what Till answers", async () => {
    const { invoice_id } = await made();
    const path = { id: invoice_id };
    const changed = await client().patch("/api/invoices/{id}", { path, body: { reference: "1042" } });
    expect([changed.reference, changed.total_amount]).toEqual(["1042", "1500.00"]);
    const { status } = await client().post("/api/invoices/{id}/void", {
      path,
      body: { reason: "Billed twice" },
    });
    expect(status).toBe("void");
    const raw = await till.api("GET", `/api/invoices/${invoice_id}`, undefined, {
      authorization: `Bearer ${apiKey}`,
    });
    expect(await client().get("/api/invoices/{id}", { path })).toEqual(raw.body);
    const saved = await client().put("/api/customers/{email}", {
      path: { email: "ap+1@globex.example" },
      body: { name: "Globex" },
    });
    expect([saved.email, saved.name]).toEqual(["ap+1@globex.example", "Globex"]);
  });

  test("that is refused throws what is wrong with each field, and is not repeated", async () => {
    flaky.happens();
    const error = await errorOf(
      client().post("/api/links", {
        body: { ...linkRequest, wallet_type: "managed", expected_amount: "0", merchant_email: "x" },
      }),
    );
    expect([error.status, error.code, error.mayBeDone]).toEqual([400, "validation_failed", false]);
    expect(error.errors.map(({ field }) => field)).toEqual(["merchant_email", "expected_amount"]);
    expect(error.message).toStartWith(
      "POST /api/links: 2 fields are invalid. See errors. (validation_failed)\n  ",
    );
    expect(error.message).toContain(`\n  merchant_email ${error.errors[0]?.message}`);
    expect(flaky.asked).toHaveLength(1);
  });

  test("without a key, or with one that may not, says so", async () => {
    const stranger = await errorOf(client({ apiKey: undefined }).get("/api/balance"));
    expect([stranger.status, stranger.code]).toEqual([401, "key_required"]);
    const scoped = await errorOf(client().get("/api/keys"));
    expect([scoped.status, scoped.code]).toEqual([403, "key_scope"]);
  });

  test("downloads files with their type", async () => {
    const csv = await client().file("/api/exports/{table}", { path: { table: "payments" } });
    expect(csv.type).toStartWith("text/csv");
    expect(await csv.text()).toContain("invoice_number");
    const missing = await errorOf(client().file("/api/invoices/{id}/pdf", { path: { id: "INV-9999" } }));
    expect([missing.status, missing.code]).toEqual([404, "not_found"]);
  });

  test("asks for nothing else, whatever the values in its path are", async () => {
    flaky.happens();
    for (const id of ["", ".", "..", undefined as never]) {
      const asked = client().post("/api/invoices/{id}/void", { path: { id }, body: { reason: "x" } });
      await expect(asked).rejects.toThrow("path.id must be a text, and neither empty nor dots");
    }
    expect(flaky.asked).toEqual([]);
    const names = ["2026/0042", "x/../../links", "a?b#c", "%2e%2e"];
    for (const id of names)
      expect((await errorOf(client().get("/api/invoices/{id}", { path: { id } }))).code).toBe("not_found");
    expect(flaky.asked.map(({ call }) => call)).toEqual(
      names.map((id) => `GET /api/invoices/${encodeURIComponent(id)}`),
    );
  });

  test("tells nobody a secret that is written wrongly", () => {
    for (const options of [
      { apiKey: "till_hunter2\nx" },
      { apiKey: "till_hünter2" },
      { baseUrl: "https://user:hunter2@pay.example" },
      { baseUrl: "https://pay.example/?key=hunter2" },
    ]) {
      expect(() => client(options)).toThrow(TypeError);
      expect(() => client(options)).not.toThrow("nter2");
    }
  });

  test("does not follow a redirect, which would take the body off a POST", async () => {
    for (const status of [301, 308]) {
      flaky.happens({ status, headers: { location: `${till.localUrl}/api/links` } });
      const error = await errorOf(made());
      expect([error.code, error.mayBeDone]).toEqual(["unreadable", true]);
      expect(error.message).toContain("The answer is a redirect. Check that baseUrl is exactly that of Till");
      expect(flaky.asked).toHaveLength(1);
    }
  });

  test("believes no answer that is not Till's", async () => {
    flaky.happens({
      status: 200,
      headers: { "content-type": "text/html" },
      body: "<h1>Sign in to the Wi-Fi</h1>",
    });
    expect((await errorOf(client().get("/api/balance"))).code).toBe("unreadable");
    flaky.happens({ status: 403, body: "<h1>Forbidden</h1>" });
    const error = await errorOf(made());
    expect([error.code, error.status, error.mayBeDone]).toEqual(["unreadable", 403, false]);
  });
});

describe("a list", () => {
  test("is read to its end, whatever its entries are called", async () => {
    for (let count = 0; count < 3; count++) {
      const email = `${count}@globex.example`;
      await till.api("POST", "/api/invoices", { ...invoiceRequest, vendor_email: email }, bearer());
      await till.api("POST", "/api/links", linkRequest, bearer());
      await till.api("POST", "/api/links", { ...linkRequest, reusable: true }, bearer());
      await till.api("POST", "/api/recurring", recurringRequest, bearer());
    }
    const till1 = client();
    const query = { limit: 2 };
    for (const [path, list] of [
      ["/api/invoices", till1.list("/api/invoices", { query })],
      ["/api/links", till1.list("/api/links", { query })],
      ["/api/reusable-links", till1.list("/api/reusable-links", { query })],
      ["/api/customers", till1.list("/api/customers", { query })],
      ["/api/recurring", till1.list("/api/recurring", { query })],
      ["/api/events", till1.list("/api/events", { query })],
    ] as const) {
      const whole = (await till.api("GET", `${path}?limit=100`, undefined, bearer())).body.data;
      expect([path, whole.length > 2]).toEqual([path, true]);
      expect<unknown[]>(await Array.fromAsync<unknown>(list)).toEqual(whole);
    }
  });

  test("is not read further than the loop goes", async () => {
    flaky.happens();
    for await (const { status } of client().list("/api/invoices", { query: { limit: 1, status: "sent" } })) {
      expect(status).toBe("sent");
      break;
    }
    expect(flaky.asked.map(({ call }) => call)).toEqual(["GET /api/invoices?limit=1&status=sent"]);
  });

  test("ends with an error when there is always more", async () => {
    const page = { status: 200, body: JSON.stringify({ data: [{ id: "a" }], has_more: true }) };
    flaky.happens(page, page);
    const read = Array.fromAsync(client().list("/api/owed"));
    expect((await errorOf(read)).message).toContain("There are more entries, but not after the last one");
    expect(flaky.asked).toHaveLength(2);
  });
});

const bearer = () => ({ authorization: `Bearer ${apiKey}` });

describe("a call whose answer is lost", () => {
  for (const mishap of ["lost", "answer lost", "answer cut"] as const)
    test(`is made once: ${mishap}`, async () => {
      const [invoices, mails] = [await countOfInvoices(), till.mail.list().length];
      flaky.happens(mishap);
      const { invoice_id } = await made();
      const [key, ...again] = keysAsked();
      expect(key).toMatch(/^[0-9a-f-]{36}$/);
      expect(again).toEqual([key]);
      expect([await countOfInvoices(), till.mail.list().length]).toEqual([invoices + 1, mails + 1]);
      expect((await client().get("/api/invoices/{id}", { path: { id: invoice_id } })).status).toBe("sent");
    });

  test("can be made again with its own key by a program that gave up", async () => {
    const before = await countOfInvoices();
    flaky.happens("answer lost");
    const work = client({ attempts: 1 }).post("/api/links", {
      body: { ...linkRequest, wallet_type: "managed", reference: "1042" },
      idempotencyKey: "order-1042",
    });
    const error = await errorOf(work);
    expect([error.code, error.status, error.mayBeDone, error.idempotencyKey]).toEqual([
      "no_answer",
      null,
      true,
      "order-1042",
    ]);
    const link = await client().post("/api/links", {
      body: { ...linkRequest, wallet_type: "managed", reference: "1042" },
      idempotencyKey: "order-1042",
    });
    const found = await Array.fromAsync(client().list("/api/links", { query: { reference: "1042" } }));
    expect(found.map(({ slug }) => slug)).toEqual([link.slug]);
    expect(await countOfInvoices()).toBe(before);
  });

  test("is not repeated when nothing would tell the repetition from the first", async () => {
    const { key } = createApiKey(till.db, "owner", Date.now());
    const full = client({ apiKey: key });
    flaky.happens("answer lost");
    const error = await errorOf(full.post("/api/keys", { body: { name: "once", scope: "read" } }));
    expect([error.code, error.mayBeDone, error.idempotencyKey]).toEqual(["no_answer", true, null]);
    expect(keysAsked()).toEqual([undefined]);
    const { data } = await full.get("/api/keys");
    expect(data.filter(({ name }) => name === "once")).toHaveLength(1);
  });
});

describe("an answer that may be better in a moment", () => {
  test("is asked for again, of a proxy too, at Till's pace", async () => {
    const tooMany = { status: 429, headers: { "retry-after": "1" } };
    flaky.happens({ status: 502, body: "<h1>Bad Gateway</h1>" }, tooMany, "lost");
    const startedAt = performance.now();
    expect(await client().get("/api/owed")).toEqual({ data: [], has_more: false });
    expect(performance.now() - startedAt).toBeGreaterThan(1000);
    expect(flaky.asked).toHaveLength(4);
  });

  test("is not waited for longer than the caller's patience", async () => {
    const error = { status: 503, headers: { "retry-after": new Date(Date.now() + 90_000).toUTCString() } };
    flaky.happens(error, error);
    const late = await errorOf(client().get("/api/balance"));
    expect(flaky.asked).toHaveLength(1);
    expect(late.retryAfterSec).toBeGreaterThan(80);
  });

  test("is asked for as often as the caller says", async () => {
    let attempts = 0;
    const failing = client({
      fetch() {
        attempts += 1;
        return Promise.reject(new TypeError("no network"));
      },
    });
    expect((await errorOf(failing.get("/api/balance", { attempts: 3 }))).code).toBe("no_answer");
    expect(attempts).toBe(3);
  });

  test("does not make the client forget what an earlier attempt may have done", async () => {
    flaky.happens("answer lost", { status: 429, headers: { "retry-after": "90" } });
    const error = await errorOf(made());
    expect([error.status, error.mayBeDone]).toEqual([429, true]);
    flaky.happens({ status: 429, headers: { "retry-after": "90" } });
    expect((await errorOf(made())).mayBeDone).toBe(false);
  });

  test("is waited for no longer than an attempt may take", async () => {
    const before = await countOfInvoices();
    flaky.happens({ lateMs: 1000 });
    const { invoice_number } = await client({ timeoutMs: 300 }).post("/api/invoices", {
      body: { ...invoiceRequest, wallet_type: "managed", send_now: false },
    });
    expect(invoice_number).toMatch(/^INV-/);
    expect(flaky.asked).toHaveLength(2);
    expect(await countOfInvoices()).toBe(before + 1);
  });

  test("of any other kind is not asked for again", async () => {
    for (const status of [400, 404, 409, 500]) {
      flaky.happens({ status });
      expect((await errorOf(made())).status).toBe(status);
      expect(flaky.asked).toHaveLength(1);
    }
  });
});

describe("a signal", () => {
  test("ends a call, and the pause between two, with its own reason", async () => {
    for (const mishap of [{ lateMs: 2000 }, { status: 503, headers: { "retry-after": "30" } }]) {
      flaky.happens(mishap);
      const stop = new AbortController();
      const startedAt = performance.now();
      const work = client().get("/api/owed", { signal: stop.signal });
      setTimeout(() => stop.abort(new Error("the customer left")), 100);
      await expect(work).rejects.toThrow("the customer left");
      await work.catch(() => {});
      expect(performance.now() - startedAt).toBeLessThan(1000);
      expect(flaky.asked).toHaveLength(1);
    }
  });

  test("that was given before asks for nothing", async () => {
    flaky.happens();
    await expect(client().get("/api/owed", { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    expect(flaky.asked).toEqual([]);
  });
});
