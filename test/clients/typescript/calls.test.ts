import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTill, TillError, type TillOptions } from "../../../clients/typescript/src/index.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import * as Sample from "../../support/till/till.ts";
import { type FlakyServer, startFlakyServer } from "./flaky-server.ts";

const invoice = { ...Sample.invoiceRequest, wallet_type: "managed" } as const;
const link = { ...Sample.linkRequest, wallet_type: "managed" } as const;

let till: Sample.TestTill;
let flaky: FlakyServer;
let apiKey: string;

beforeAll(async () => {
  till = await Sample.startTestTill({ rpcUrl: "http://127.0.0.1:9" });
  flaky = await startFlakyServer(till);
  apiKey = createApiKey(till.db, "shop", Date.now(), { scope: "shop" }).key;
});
afterAll(async () => {
  await flaky.stop();
  await till.stop();
});

const client = (options: Partial<TillOptions> = {}) => createTill({ baseUrl: flaky.url, apiKey, ...options });
const direct = (path: string) => till.api("GET", path, undefined, { authorization: `Bearer ${apiKey}` });
const countOfInvoices = async () => (await direct("/api/invoices?limit=100")).body.data.length;

/** What is thrown as a TillError; fails for anything else. */
async function errorOf(work: Promise<unknown>): Promise<TillError> {
  const thrown = await work.catch((error: unknown) => error);
  if (thrown instanceof TillError) return thrown;
  throw new Error(`no TillError: ${Bun.inspect(thrown)}`);
}

describe("a call", () => {
  test("makes, changes, reads and downloads, and returns what Till answers", async () => {
    const { invoice_id } = await client().post("/api/invoices", { body: invoice });
    const path = { id: invoice_id };
    const changed = await client().patch("/api/invoices/{id}", { path, body: { reference: "1042" } });
    expect([changed.reference, changed.total_amount]).toEqual(["1042", "1500.00"]);
    await client().post("/api/invoices/{id}/void", { path, body: { reason: "Billed twice" } });
    const whole = await client().get("/api/invoices/{id}", { path });
    expect(whole.status).toBe("void");
    expect<unknown>(whole).toEqual((await direct(`/api/invoices/${invoice_id}`)).body);
    const to = { path: { email: "ap+1@globex.example" }, body: { name: "Globex" } };
    expect((await client().put("/api/customers/{email}", to)).email).toBe("ap+1@globex.example");
    const csv = await client().file("/api/exports/{table}", { path: { table: "invoices" } });
    expect([csv.type.slice(0, 8), (await csv.text()).includes(invoice_id)]).toEqual(["text/csv", true]);
  });

  test("that is refused says why, of each field, and is not repeated", async () => {
    flaky.happens();
    const body = { ...link, expected_amount: "0", merchant_email: "x" };
    const error = await errorOf(client().post("/api/links", { body }));
    expect([error.status, error.code, error.mayBeDone]).toEqual([400, "validation_failed", false]);
    expect(error.errors.map(({ field }) => field)).toEqual(["merchant_email", "expected_amount"]);
    expect(error.message).toBe(
      `POST /api/links: 2 fields are invalid. See errors. (validation_failed)
  merchant_email ${error.errors[0]?.message}\n  expected_amount ${error.errors[1]?.message}`,
    );
    expect(flaky.asked).toHaveLength(1);
    const stranger = client({ apiKey: undefined });
    expect((await errorOf(stranger.get("/api/balance"))).code).toBe("key_required");
    expect((await errorOf(client().get("/api/keys"))).code).toBe("key_scope");
  });

  test("asks for nothing else, whatever the values in its path are", async () => {
    flaky.happens();
    for (const id of ["", ".", "..", undefined as never])
      await expect(client().get("/api/invoices/{id}", { path: { id } })).rejects.toThrow(
        "path.id must be a text",
      );
    expect(flaky.asked).toEqual([]);
    for (const id of ["2026/0042", "x/../../links", "a?b#c", "%2e%2e"])
      expect((await errorOf(client().get("/api/invoices/{id}", { path: { id } }))).code).toBe("not_found");
  });

  test("tells nobody a secret that is written wrongly", () => {
    const urls = ["https://user:hunter2@pay.example", "https://pay.example/?key=hunter2"];
    for (const options of [{ apiKey: "hunter2\nx" }, ...urls.map((baseUrl) => ({ baseUrl }))]) {
      expect(() => client(options)).toThrow(TypeError);
      expect(() => client(options)).not.toThrow("hunter2");
    }
  });

  test("believes only Till, and follows no redirect, which would take the body off a POST", async () => {
    for (const [status, mayBeDone] of [
      [301, true],
      [200, true],
      [403, false],
    ] as const) {
      const headers = { location: `${till.localUrl}/api/links`, "content-type": "text/html" };
      flaky.happens({ status, headers, body: "<h1>Sign in to the Wi-Fi</h1>" });
      const error = await errorOf(client().post("/api/links", { body: link }));
      expect([error.code, error.status, error.mayBeDone]).toEqual(["unreadable", status, mayBeDone]);
      expect(error.message).toContain("Check that baseUrl is exactly that of Till");
      expect(flaky.asked).toHaveLength(1);
    }
  });
});

describe("a list", () => {
  test("is read to its end, whatever its entries are called, and no further than the loop goes", async () => {
    for (let count = 0; count < 3; count++) {
      await client().post("/api/invoices", { body: { ...invoice, vendor_email: `${count}@globex.example` } });
      await client().post("/api/links", { body: link });
    }
    const query = { limit: 2 };
    for (const [path, list] of [
      ["/api/invoices", client().list("/api/invoices", { query })],
      ["/api/links", client().list("/api/links", { query })],
      ["/api/customers", client().list("/api/customers", { query })],
      ["/api/events", client().list("/api/events", { query })],
    ] as const) {
      const whole = (await direct(`${path}?limit=100`)).body.data;
      expect([path, whole.length > 2]).toEqual([path, true]);
      expect(await Array.fromAsync<unknown>(list)).toEqual(whole);
    }
    flaky.happens();
    for await (const { status } of client().list("/api/invoices", { query: { limit: 1, status: "sent" } })) {
      expect(status).toBe("sent");
      break;
    }
    expect(flaky.asked.map(({ call }) => call)).toEqual(["GET /api/invoices?limit=1&status=sent"]);
  });

  test("that is none is an error", async () => {
    for (const body of ["null", "{}", "7"]) {
      flaky.happens({ status: 200, body });
      expect((await errorOf(Array.fromAsync(client().list("/api/owed")))).code).toBe("unreadable");
    }
  });

  test("ends with an error when there is always more", async () => {
    const page = { status: 200, body: JSON.stringify({ data: [{ id: "a" }], has_more: true }) };
    flaky.happens(page, page);
    const read = Array.fromAsync(client().list("/api/owed"));
    expect((await errorOf(read)).message).toContain("There is more, but not after the last entry.");
  });
});

describe("a call whose answer is lost", () => {
  for (const mishap of ["lost", "answer lost", "answer cut"] as const)
    test(`is made once: ${mishap}`, async () => {
      const before = await countOfInvoices();
      flaky.happens(mishap);
      const { invoice_id, invoice_number } = await client().post("/api/invoices", { body: invoice });
      expect(flaky.asked[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
      expect(flaky.asked).toEqual([flaky.asked[0], flaky.asked[0]] as never);
      expect(await countOfInvoices()).toBe(before + 1);
      expect(till.mail.list().filter(({ subject }) => subject.includes(invoice_number))).toHaveLength(1);
      expect((await direct(`/api/invoices/${invoice_id}`)).body.status).toBe("sent");
    });

  test("can be made again with its key by a program that gave up", async () => {
    flaky.happens("answer lost");
    const asked = { body: { ...link, reference: "1042" }, idempotencyKey: "order-1042" };
    const { code, status, mayBeDone, idempotencyKey } = await errorOf(
      client({ attempts: 1 }).post("/api/links", asked),
    );
    expect([code, status, mayBeDone, idempotencyKey]).toEqual(["no_answer", null, true, "order-1042"]);
    const { slug } = await client().post("/api/links", asked);
    expect((await direct("/api/links?reference=1042")).body.data).toEqual([
      expect.objectContaining({ slug }),
    ]);
  });

  test("has the key that was given, also where the caller filled in the path, and is then made once", async () => {
    const { invoice_id: id } = await client().post("/api/invoices", {
      body: { ...invoice, send_now: false },
    });
    const path = `/api/invoices/${id}/comments` as "/api/invoices/{id}/comments";
    const asked = { body: { text: "Called" }, idempotencyKey: "call-1" } as never;
    flaky.happens("answer lost");
    await client().post(path, asked);
    expect(flaky.asked).toEqual([1, 2].map(() => ({ call: `POST ${path}`, key: "call-1" })));
    const keyed = { body: { name: "keyed", scope: "read" }, idempotencyKey: "key-1" } as never;
    flaky.happens("answer lost");
    expect((await errorOf(client().post("/api/keys", keyed))).idempotencyKey).toBeNull();
    expect(flaky.asked).toEqual([{ call: "POST /api/keys", key: "key-1" }]);
  });

  test("is not repeated when nothing would tell the repetition from the first", async () => {
    const full = client({ apiKey: createApiKey(till.db, "owner", Date.now()).key });
    flaky.happens("answer lost");
    const { mayBeDone } = await errorOf(full.post("/api/keys", { body: { name: "once", scope: "read" } }));
    expect([mayBeDone, flaky.asked]).toEqual([true, [{ call: "POST /api/keys", key: undefined }]]);
    const { data } = await full.get("/api/keys");
    expect(data.filter(({ name }) => name === "once")).toHaveLength(1);
  });
});

describe("an answer that may be better in a moment", () => {
  test("is asked for again, of a proxy too, at Till's pace", async () => {
    flaky.happens(
      { status: 502, body: "<h1>Bad Gateway</h1>" },
      { status: 429, headers: { "retry-after": "1" } },
    );
    const startedAt = performance.now();
    expect(await client().get("/api/owed")).toEqual({ data: [], has_more: false });
    expect(performance.now() - startedAt).toBeGreaterThan(1000);
    expect(flaky.asked).toHaveLength(3);
  });

  test("is asked for no oftener and waited for no longer than the caller wants", async () => {
    const inTime = new Date(Date.now() + 90_000).toUTCString();
    flaky.happens({ status: 503, headers: { "retry-after": inTime } });
    expect((await errorOf(client().get("/api/balance"))).retryAfterSec).toBeGreaterThan(80);
    expect(flaky.asked).toHaveLength(1);
    let attempts = 0;
    const failing = client({ fetch: () => Promise.reject(new Error(`attempt ${++attempts}`)) });
    expect((await errorOf(failing.get("/api/balance", { attempts: 2 }))).code).toBe("no_answer");
    expect(attempts).toBe(2);
    const before = await countOfInvoices();
    flaky.happens({ lateMs: 10_000 });
    await client({ timeoutMs: 3_000 }).post("/api/invoices", { body: { ...invoice, send_now: false } });
    expect([flaky.asked[1]?.key, await countOfInvoices()]).toEqual([flaky.asked[0]?.key, before + 1]);
  });

  test("does not make the client forget what an earlier attempt may have done", async () => {
    const refused = { status: 429, headers: { "retry-after": "90" } };
    flaky.happens("answer lost", refused, refused);
    const make = () => errorOf(client().post("/api/links", { body: link }));
    expect([(await make()).mayBeDone, (await make()).mayBeDone]).toEqual([true, false]);
  });

  test("is waited for without an end when the caller says so", async () => {
    flaky.happens({ lateMs: 50 });
    expect((await client({ attempts: 1, timeoutMs: Infinity }).get("/api/owed")).data).toEqual([]);
  });

  test("may take as long as it comes, when it is a file", async () => {
    let part = 0;
    await using slow = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () =>
        new Response(
          new ReadableStream({
            async pull(to) {
              // Time itself: so slowly does it come, and then not at all.
              await Bun.sleep(part < 12 ? 250 : 60_000);
              to.enqueue(new TextEncoder().encode("row\n"));
              if (++part === 12) to.close();
            },
          }),
          { headers: { "content-type": "text/csv" } },
        ),
    });
    const patient = { timeoutMs: 2_500, attempts: 1, path: { table: "invoices" } } as const;
    const { file } = client({ baseUrl: slow.url.origin });
    const csv = await file("/api/exports/{table}", patient);
    expect([csv.size, csv.type]).toEqual([48, "text/csv"]);
    expect((await errorOf(file("/api/exports/{table}", patient))).detail).toBe(
      "No answer came within 2.5 s.",
    );
  });

  test("of any other kind is not asked for again", async () => {
    for (const status of [400, 404, 409, 500]) {
      flaky.happens({ status });
      expect((await errorOf(client().post("/api/links", { body: link }))).status).toBe(status);
      expect(flaky.asked).toHaveLength(1);
    }
    for (const errors of ["none", [null, {}]]) {
      flaky.happens({ status: 400, body: JSON.stringify({ code: "odd", detail: "Odd.", errors }) });
      const error = await errorOf(client().post("/api/links", { body: link }));
      expect([error.code, error.errors, flaky.asked.length]).toEqual(["odd", [], 1]);
    }
  });
});

test("a signal ends a call, and the pause between two, with its own reason", async () => {
  const later = { status: 503, headers: { "retry-after": "30" } };
  for (const [attempts, mishap] of [
    [1, { lateMs: 30_000 }],
    [2, { lateMs: 30_000 }],
    [2, later],
  ] as const) {
    flaky.happens(mishap);
    const stop = new AbortController();
    const startedAt = performance.now();
    const work = client().get("/api/owed", { signal: stop.signal, attempts });
    const leaving = Sample.until(() => flaky.asked.length, Boolean).then(async () => {
      // Time itself: what is answered at once has been answered, and waits for the next attempt.
      await Bun.sleep(100);
      stop.abort(new Error("the customer left"));
    });
    await expect(work).rejects.toThrow("the customer left");
    await leaving;
    expect([performance.now() - startedAt < 25_000, flaky.asked.length]).toEqual([true, 1]);
    await expect(client().get("/api/owed", { signal: stop.signal })).rejects.toThrow("the customer left");
    expect(flaky.asked).toHaveLength(1);
  }
});
