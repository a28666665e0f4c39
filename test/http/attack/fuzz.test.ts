import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { shared } from "../../support/per-file.ts";
import { invoiceRequest, linkRequest, startTestTill, untilIs } from "../../support/till/till.ts";
import { brokenJson, nastyKey, nastyTexts, nastyValue } from "./nasty.ts";

/** Requests to each endpoint: few enough for every run of the tests, and more when asked for. */
const runs = Number(process.env["TEST_FUZZ"] ?? 25);
/** The same requests every time, unless more are asked for; those to each endpoint are others. */
const seed = process.env["TEST_FUZZ"] === undefined ? 1 : Date.now() % 2 ** 31;
/** Of processor between two turns of the event loop: what waits for a turn is the machine's matter. */
const heldMsMax = 1_000;
const hangingMs = 60_000;

const describedLink = { ...linkRequest, product_description: "Coffee" };

type Operation = { method: string; path: string; query: string[]; fields: string[] | null };
type Request = {
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
};

// Payments by a signature want a node: they have tests of their own.
const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }, { TILL_RELAY: "off" }));
let ids: Record<string, string>;
const refused: Request[] = [];
const made = { invoice: 0, link: 0, comment: 0 };

beforeAll(async () => {
  const invoice = await till.createInvoice();
  const link = await till.api("POST", "/api/links", describedLink);
  const reusable = (await till.api("POST", "/api/links", { ...describedLink, reusable: true })).body.slug;
  const email = "jo@initech.example";
  ids = {
    id: invoice["invoice_id"] ?? "",
    slug: link.body.slug,
    page: invoice["slug"] ?? "",
    reusable,
    email,
  };
  for (const kind of ["merchants", "customers"]) await till.api("PUT", `/api/${kind}/${email}`, {});
  Object.assign(made, { invoice: 1, link: 1 });
});

/** What the server says that it takes, and the pages, which it does not list. */
async function operations(): Promise<Operation[]> {
  const { body: document } = await till.api("GET", "/openapi.json");
  /** What `#/components/…` refers to, or the part itself. */
  const meant = <T extends object>(part: T): T =>
    "$ref" in part
      ? String(part.$ref)
          .split("/")
          .slice(1)
          .reduce((found, name) => found[name], document)
      : part;
  const described = Object.entries<Record<string, Described>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      query: parameters
        .map(meant)
        .filter((found) => found.in === "query")
        .map((found) => found.name),
      fields: requestBody
        ? Object.keys(meant(meant(requestBody).content["application/json"].schema).properties)
        : null,
    })),
  );
  const pages = ["/i/{page}", "/i/{page}/payment", "/pay/{slug}", "/pay/{slug}/payment", "/w.js", "/metrics"];
  return [
    ...described.filter(({ path }) => path !== "/health/ready"),
    { method: "POST", path: formPath, query: ["origin", "embed", "lang"], fields: null },
    ...pages.map((path) => ({ method: "GET", path, query: ["origin", "embed"], fields: null })),
  ];
}

/** The form of a reusable link. */
const formPath = "/pay/{reusable}";

type Described = {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: { "application/json": { schema: { properties: object } } } };
};

function requestTo({ method, path, query, fields }: Operation): fc.Arbitrary<Request> {
  const text = fc.oneof(fc.constantFrom(...nastyTexts.filter((found) => found.length < 5_000)), fc.string());
  const encoded = fc.oneof(
    text.map((found) => encodeURIComponent(found.toWellFormed())),
    fc.constantFrom("%", "%00", "%zz", "..%2f..", "%ff%fe", "%E2%80%AE", ";a=b", "a%0d%0ab"),
  );
  const segments = path.split("/").map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return fc.constant(part);
    return fc.oneof(
      fc.constant(ids[name] ?? ""),
      encoded.filter((found) => found !== "" && found !== "." && found !== ".."),
    );
  });
  const pair = fc.tuple(fc.oneof(fc.constantFrom("limit", ...query), encoded), encoded);
  const target = fc
    .tuple(fc.tuple(...segments), fc.array(pair, { maxLength: 3 }))
    .map(
      ([parts, pairs]) =>
        parts.join("/") + (pairs.length > 0 ? `?${pairs.map(([a, b]) => `${a}=${b}`).join("&")}` : ""),
    );
  const headers = fc.record(
    {
      "content-type": fc.constantFrom(
        "application/json",
        "application/json; charset=utf-16",
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded",
        "",
        "application/json, text/html",
      ),
      accept: fc.constantFrom("text/html", "*/*", "application/json", "\u00ff"),
      "idempotency-key": fc.oneof(fc.constantFrom("a", "b", "k".repeat(256), "a b", "\u00e9"), fc.uuid()),
      authorization: fc.constantFrom("Bearer x", "Basic eDp5", "Bearer", "Bearer till_".padEnd(60, "a")),
      "x-forwarded-for": fc.constantFrom("1.2.3.4", "'; --", "::::", ",,,,", "127.0.0.1".repeat(400)),
      "if-none-match": fc.constantFrom("*", '"x"', "W/\u00ff"),
    },
    { requiredKeys: [] },
  );
  const someMethod = fc.oneof(
    { weight: 12, arbitrary: fc.constant(method) },
    { weight: 1, arbitrary: fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS") },
  );
  const form = fc
    .array(fc.tuple(fc.oneof(fc.constantFrom("quantity", "amount", "token", "email"), text), text))
    .map((typed) => String(new URLSearchParams(typed)));
  const json =
    fields === null ? fc.oneof(fc.constant(undefined), brokenJson('{"a":1}')) : bodyOf(path, fields);
  const body = path === formPath ? form : json;
  return fc.record({ method: someMethod, target, headers, body }).map(({ body: given, ...request }) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const type = path === formPath ? "application/x-www-form-urlencoded" : "application/json";
    const withType = { "content-type": type, ...request.headers };
    if (isRead || given === undefined) return request;
    const bytes = typeof given === "string" ? given : new Uint8Array(given);
    return { ...request, headers: withType, body: bytes };
  });
}

/** A good body with a few fields changed, most of the time. */
function bodyOf(path: string, fields: string[]): fc.Arbitrary<string | Uint8Array> {
  const good: Record<string, unknown> =
    path === "/api/invoices" ? { ...invoiceRequest, send_now: false } : { ...describedLink };
  const change = fc.tuple(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fields) }, { weight: 1, arbitrary: nastyKey }),
    fc.option(nastyValue, { nil: undefined, freq: 8 }),
  );
  const line = fc
    .tuple(fc.constantFrom("description", "quantity", "unit_price", "extra"), nastyValue)
    .map(([name, value]) => ({ ...good, line_items: [{ ...invoiceRequest.line_items[0], [name]: value }] }));
  const changed = fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) => Object.fromEntries([...Object.entries(good), ...changes]));
  return fc.oneof(
    { weight: 6, arbitrary: changed.map((body) => JSON.stringify(body)) },
    { weight: 2, arbitrary: (path === "/api/invoices" ? line : changed).map((body) => JSON.stringify(body)) },
    { weight: 2, arbitrary: brokenJson(JSON.stringify(good)) },
    { weight: 1, arbitrary: nastyValue.map((value) => JSON.stringify(value) ?? "") },
  );
}

async function send({ method, target, headers, body }: Request): Promise<{ status: number; text: string }> {
  const response = await fetch(`${till.baseUrl}${target}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(hangingMs),
  });
  return { status: response.status, text: await response.text() };
}

/** Watches for how long the event loop of Till, which is that of this test, is held at most, in ms of processor. */
function watchLoop(): () => number {
  let held = 0;
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    held = Math.max(held, (user + system) / 1_000);
    last = process.threadCpuUsage();
  });
  return () => {
    clearInterval(timer);
    return held;
  };
}

/** All rows of all tables. */
function dump(): string {
  const db = new Database(join(till.config.dataDir, "till.db"), { readonly: true, safeIntegers: true });
  const tables = db
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all();
  const rows = tables.map(({ name }) => [name, db.query(`SELECT * FROM ${name}`).values()]);
  db.close();
  return JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? value.toString() : value));
}

describe("hostile requests", () => {
  test(
    `get no answer of 500 and tell no internals, ${runs} to each endpoint`,
    async () => {
      const all = await operations();
      expect(all.length).toBeGreaterThan(20);
      const heldMs = watchLoop();
      await Promise.all(
        all.map((operation, at) =>
          fc.assert(
            fc.asyncProperty(requestTo(operation), async (request) => {
              const { status, text } = await send(request);
              if (status >= 500) throw new Error(`${status} ${text}`);
              if (status >= 400) {
                if (/\bat .*:\d+:\d+|node_modules|\/src\/|SQLITE/.test(text)) throw new Error(text);
                // What the state of an invoice refuses now may be right after the next request.
                const isForNow = status === 409 && /\/(void|mark|remind|send)\b/.test(request.target);
                if (!isForNow && refused.length < 20_000) refused.push(request);
              }
              if (text.includes('"reusable":true')) return;
              if (status !== 201 || request.headers["idempotency-key"] !== undefined) return;
              const kind = request.target.startsWith("/api/links") ? "link" : "invoice";
              made[request.target.includes("/comments") ? "comment" : kind] += 1;
            }),
            { numRuns: runs, seed: seed + at },
          ),
        ),
      );
      expect(heldMs()).toBeLessThan(heldMsMax);
    },
    Math.max(120_000, runs * 1_000),
  );

  test("change nothing in the database when they are refused", async () => {
    // What was mailed because of the others has been noted.
    const underWay = "SELECT 1 FROM mail WHERE state IN ('queued', 'sending')";
    await untilIs(() => till.db.query(underWay).all(), { length: 0 });
    const before = dump();
    expect(refused.length).toBeGreaterThan(runs);
    const answers = new Set<number>();
    for (let i = 0; i < refused.length; i += 20) {
      const batch = refused.slice(i, i + 20);
      for (const { status } of await Promise.all(batch.map(send))) answers.add(status);
    }
    expect([...answers].filter((status) => status < 400)).toEqual([]);
    expect(dump() === before).toBe(true);
  });

  test("leave the server well, with every row accounted for", async () => {
    const db = new Database(join(till.config.dataDir, "till.db"), { readonly: true });
    const count = (table: string) =>
      db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
    expect(count("receivable")).toBe(count("invoice") + count("link"));
    expect(count("invoice")).toBeGreaterThanOrEqual(made.invoice);
    expect(count("link")).toBeGreaterThanOrEqual(made.link);
    expect(count("event")).toBeGreaterThanOrEqual(made.comment);
    expect(db.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
    expect(db.query("PRAGMA foreign_key_check").values()).toEqual([]);
    db.close();
    expect(({} as Record<string, unknown>)["merchant_name"]).toBeUndefined();
    expect((await till.createInvoice())["deposit_address"]).toMatch(/^0x/);
    expect(till.logged.filter((line) => line.includes("[http.failed]"))).toEqual([]);
  });
});
