import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { closeDatabase, openDatabase } from "../../../src/store/database.ts";
import {
  type Answer,
  invoiceRequest,
  linkRequest,
  startTestTill,
  type TestTill,
  untilIs,
} from "../../support/till/till.ts";

const node = { rpcUrl: "http://127.0.0.1:9" };
/** No limit lets anybody in again while a test goes on, however slow the machine is. */
const still = { limitClock: () => 0 };
const behindProxy = { TILL_BASE_URL: "https://pay.example.com", TILL_TRUST_PROXY: "127.0.0.1" };

function makeKey(till: TestTill): string {
  const db = openDatabase(till.config.dataDir);
  try {
    return createApiKey(db, "shop", Date.now()).key;
  } finally {
    closeDatabase(db);
  }
}

/** A request as the proxy passes it on for `client`. */
const as = (till: TestTill, client: string) => {
  const from = (headers: Record<string, string>) => ({ "x-forwarded-for": client, ...headers });
  return {
    get: (path: string, headers: Record<string, string> = {}) =>
      till.api("GET", path, undefined, from(headers)),
    post: (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      till.api("POST", path, body, from(headers)),
  };
};

async function times(count: number, ask: () => Promise<Answer>): Promise<number[]> {
  const statuses = [];
  for (let i = 0; i < count; i++) statuses.push((await ask()).status);
  return statuses;
}

function expectRefusal(answer: Answer, limit: string): void {
  expect(answer).toMatchObject({ status: 429, body: { status: 429, code: "rate_limited" } });
  expect(answer.body.detail).toContain(limit);
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(answer.body.detail).toContain(`Try again in ${answer.headers.get("retry-after")} second`);
}

describe("a public Till with keys", () => {
  let till: TestTill;
  let key: { authorization: string };
  let invoice: Record<string, string>;

  beforeAll(async () => {
    till = await startTestTill(
      node,
      {
        ...behindProxy,
        TILL_LIMIT_READS: "5",
        TILL_LIMIT_WRITES: "4",
        TILL_LIMIT_FAILED_KEYS: "3",
        TILL_LIMIT_PDFS: "2",
      },
      still,
    );
    key = { authorization: `Bearer ${makeKey(till)}` };
    invoice = (await as(till, "192.0.2.1").post("/api/invoices", { ...invoiceRequest, send_now: false }, key))
      .body;
  });
  afterAll(() => till.stop());

  test("slows down who asks without a key, each address by itself", async () => {
    const path = `/api/invoices/${invoice["invoice_id"]}/status`;
    const one = as(till, "192.0.2.10");
    expect(await times(5, () => one.get(path))).toEqual([200, 200, 200, 200, 200]);
    const refused = await one.get(path);
    expectRefusal(refused, "TILL_LIMIT_READS");
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
    expect((await as(till, "192.0.2.11").get(path)).status).toBe(200);
    // Pages open also when what they ask for again and again has used up its share.
    const page = await one.get(`/i/${invoice["slug"]}`, { accept: "text/html" });
    expect(page.status).toBe(200);
    expect(await times(5, () => one.get(`/i/${invoice["slug"]}`))).toContain(429);
    const words = await one.get(`/i/${invoice["slug"]}`, { accept: "text/html" });
    expect(words.headers.get("content-type")).toStartWith("text/html");
    expect(words.headers.get("retry-after")).not.toBeNull();
    // A program of the merchant has a key.
    expect(await times(10, () => one.get(path, key))).toEqual(Array(10).fill(200));
  });

  test("counts all of an IPv6 network as one", async () => {
    const path = `/api/invoices/${invoice["invoice_id"]}/status`;
    const statuses = [];
    for (let i = 1; i <= 6; i++) statuses.push((await as(till, `2001:db8::${i}`).get(path)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await as(till, "2001:db8:0:1::1").get(path)).status).toBe(200);
  });

  test("does not let an address try keys for long, and locks out nobody who has one", async () => {
    const attacker = as(till, "192.0.2.20");
    const wrong = { authorization: `Bearer till_${"a".repeat(43)}` };
    expect(await times(3, () => attacker.get("/api/invoices", wrong))).toEqual([401, 401, 401]);
    expectRefusal(await attacker.get("/api/invoices", wrong), "TILL_LIMIT_FAILED_KEYS");
    // Another program of the merchant, whose key was not revoked.
    expect((await attacker.get("/api/invoices", key)).status).toBe(200);
    expect((await as(till, "192.0.2.21").get("/api/invoices", key)).status).toBe(200);
  });

  test("counts writes by key, not by address", async () => {
    const fresh = { authorization: `Bearer ${makeKey(till)}` };
    const write = (client: string, headers: Record<string, string>) =>
      as(till, client).post("/api/invoices", {}, headers);
    expect(await times(4, () => write("192.0.2.30", fresh))).toEqual([400, 400, 400, 400]);
    expectRefusal(await write("192.0.2.31", fresh), "TILL_LIMIT_WRITES");
    expect((await write("192.0.2.30", { authorization: `Bearer ${makeKey(till)}` })).status).toBe(400);
  });

  test("makes so many PDFs for an address, and no more", async () => {
    const one = as(till, "192.0.2.40");
    const path = `/api/invoices/${invoice["invoice_id"]}/pdf`;
    expect(await times(2, () => one.get(path))).toEqual([200, 200]);
    expectRefusal(await one.get(path), "TILL_LIMIT_PDFS");
    expectRefusal(await one.get(`${path}/`), "TILL_LIMIT_PDFS");
  });

  test("mails as often as the merchant asks: SPEC knows no cooldown", async () => {
    const patient = { authorization: `Bearer ${makeKey(till)}` };
    const first = till.config.limits;
    expect([first.MAILS_INVOICE, first.MAILS_MERCHANT]).toEqual([0, 0]);
    const send = () =>
      as(till, "192.0.2.50").post(`/api/invoices/${invoice["invoice_id"]}/send`, undefined, patient);
    expect(await times(4, send)).toEqual([200, 200, 200, 200]);
  });
});

describe("the form for a receipt", () => {
  test("is counted by client, whatever the link: nobody uses up what another may leave", async () => {
    await using till = await startTestTill(node, { ...behindProxy, TILL_LIMIT_RECEIPTS: "2" }, still);
    const authorization = `Bearer ${makeKey(till)}`;
    const link = async () =>
      (await as(till, "192.0.2.1").post("/api/links", linkRequest, { authorization })).body.slug;
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const ask = (client: string, slug: string) =>
      as(till, client).post(`/pay/${slug}/receipt`, "email=", form);
    const [first, second] = [await link(), await link()];
    expect(await times(2, () => ask("192.0.2.1", first))).toEqual([422, 422]);
    expectRefusal(await ask("192.0.2.1", second), "TILL_LIMIT_RECEIPTS");
    expect(await times(2, () => ask("192.0.2.2", first))).toEqual([422, 422]);
    expect((await ask("192.0.2.3", first)).status).toBe(422);
  });
});

describe("a public Till without keys", () => {
  test("counts writes by address and mails by invoice and merchant", async () => {
    await using till = await startTestTill(
      node,
      {
        ...behindProxy,
        TILL_OPEN_API: "true",
        TILL_LIMIT_MAILS_MERCHANT: "7",
        TILL_LIMIT_WRITES: "14",
      },
      still,
    );
    expect(till.config.limits.MAILS_INVOICE).toBe(5);
    const one = as(till, "192.0.2.1");
    const { body } = await one.post("/api/invoices", { ...invoiceRequest, send_now: false });
    const send = () => one.post(`/api/invoices/${body.invoice_id}/send`);
    expect(await times(5, send)).toEqual([200, 200, 200, 200, 200]);
    expectRefusal(await send(), "TILL_LIMIT_MAILS_INVOICE");
    expect(await times(2, () => one.post("/api/invoices", invoiceRequest))).toEqual([201, 201]);
    const shouted = { ...invoiceRequest, merchant_email: invoiceRequest.merchant_email.toUpperCase() };
    expectRefusal(await one.post("/api/invoices", shouted), "TILL_LIMIT_MAILS_MERCHANT");
    expect(till.mail.list()).toHaveLength(7);
    const list = await one.get("/api/invoices");
    expect(list.body.data).toHaveLength(3);
    expect((await one.post("/api/invoices", { ...shouted, send_now: false })).status).toBe(201);
    const refused = await untilIs(() => one.post("/api/links", {}), { status: 429 });
    expectRefusal(refused, "TILL_LIMIT_WRITES");
    expect((await as(till, "192.0.2.2").post("/api/links", {})).status).toBe(400);
    // The login of what is in front comes along with what another site's page sends.
    const elsewhere: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "http://localhost" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of elsewhere) {
      const forged = await as(till, "192.0.2.3").post(`/api/invoices/${body.invoice_id}/send`, {}, headers);
      expect(forged).toMatchObject({ status: 403, body: { code: "foreign_origin" } });
    }
    const own = await as(till, "192.0.2.3").post("/api/links", {}, { origin: "https://pay.example.com" });
    expect(own.status).toBe(400);
  });
});

describe("a Till on loopback", () => {
  test("has no limits but those that are set", async () => {
    await using till = await startTestTill(node, { TILL_LIMIT_PDFS: "3" }, still);
    const { invoice_id } = await till.createInvoice();
    const { PDFS, ...others } = till.config.limits;
    expect([PDFS, ...Object.values(others)]).toEqual([3, ...Object.values(others).map(() => 0)]);
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => till.api("GET", `/api/invoices/${invoice_id}/status`)),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await times(4, () => till.api("GET", `/api/invoices/${invoice_id}/pdf`))).toEqual([
      200, 200, 200, 429,
    ]);
  });
});

describe("the mails of a merchant", () => {
  test("do not count when what they are about was not made", async () => {
    const settings = { TILL_LIMIT_MAILS_MERCHANT: "3", TILL_RATES: "kraken=http://127.0.0.1:9/" };
    await using till = await startTestTill(node, settings, still);
    const post = (changes: object) => till.api("POST", "/api/invoices", { ...invoiceRequest, ...changes });
    expect(await times(4, () => post({ currency: "EUR" }))).toEqual([503, 503, 503, 503]);
    const { body } = await post({ send_now: false });
    await till.api("POST", `/api/invoices/${body.invoice_id}/void`, { reason: "Wrong" });
    const note = { reason: "Wrong", send_now: true };
    const credit = () => till.api("POST", `/api/invoices/${body.invoice_id}/credit-notes`, note);
    expect(await times(4, credit)).toEqual([409, 409, 409, 409]);
    expect(await times(4, () => post({}))).toEqual([201, 201, 201, 429]);
  });
});

describe("the making of PDFs", () => {
  test("goes on for a few at once, and the others are told to come back", async () => {
    const gate = Promise.withResolvers<void>();
    const pdf = new TextEncoder().encode("%PDF-1.7");
    const renderer = { render: () => gate.promise.then(() => pdf), waiting: () => 0, stop: async () => {} };
    const till = await startTestTill(node, { TILL_LIMIT_PDFS_AT_ONCE: "2" }, { renderer });
    try {
      const { invoice_id } = await till.createInvoice();
      const get = () => till.api("GET", `/api/invoices/${invoice_id}/pdf`);
      const refused: Answer[] = [];
      const asking = Array.from({ length: 8 }, async () => {
        const answer = await get();
        if (answer.status === 429) refused.push(answer);
        return answer.status;
      });
      await untilIs(() => refused.length, 6);
      for (const answer of refused) expectRefusal(answer, "TILL_LIMIT_PDFS_AT_ONCE");
      gate.resolve();
      expect((await Promise.all(asking)).filter((status) => status === 200)).toHaveLength(2);
      expect((await get()).status).toBe(200);
    } finally {
      gate.resolve();
      await till.stop();
    }
  });
});

describe("a public Till behind a proxy that it was not told of", () => {
  test("does not count all the world as one, and says so at its start", async () => {
    const settings = { TILL_BASE_URL: "https://pay.example.com", TILL_LIMIT_READS: "2" };
    await using till = await startTestTill(node, settings, still);
    expect(await times(6, () => as(till, "192.0.2.1").get("/w.js"))).toEqual(Array(6).fill(200));
    expect(till.logged.filter((line) => line.includes("TILL_TRUST_PROXY"))).toHaveLength(1);
  });
});

describe("a trusted proxy that does not say whom a request is from", () => {
  const told = (till: TestTill) => till.logged.filter((line) => line.includes("X-Forwarded-For"));

  test("has nobody counted as one with all the others, and the log says so once", async () => {
    await using till = await startTestTill(node, { ...behindProxy, TILL_LIMIT_READS: "2" }, still);
    expect(await times(6, () => till.api("GET", "/w.js"))).toEqual(Array(6).fill(200));
    expect(await times(3, () => as(till, "unix:").get("/w.js"))).toEqual(Array(3).fill(200));
    expect(told(till)).toHaveLength(1);
    for (const part of ["127.0.0.1", "TILL_TRUST_PROXY", "proxy_set_header", "header_up"])
      expect(told(till)[0]).toContain(part);
    expect(await times(3, () => as(till, "192.0.2.1").get("/w.js"))).toEqual([200, 200, 429]);
  });

  test("is seen also when it asks for a login of its own, and passes that on", async () => {
    await using till = await startTestTill(node, { ...behindProxy });
    await till.api("GET", "/w.js", undefined, { authorization: "Basic dXNlcjpwYXNzd29yZA==" });
    expect(told(till)).toHaveLength(1);
  });

  test("is not seen in what programs on the machine ask by themselves", async () => {
    await using till = await startTestTill(node, { ...behindProxy });
    const key = { authorization: `Bearer ${makeKey(till)}` };
    for (const path of ["/health/live", "/health/ready", "/metrics"]) await till.api("GET", path);
    expect((await till.api("GET", "/api/invoices", undefined, key)).status).toBe(200);
    expect(told(till)).toEqual([]);
    await till.api("GET", "/w.js");
    expect(told(till)).toHaveLength(1);
  });
});
