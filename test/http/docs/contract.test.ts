import { describe, expect, test } from "bun:test";
import * as Party from "../../../src/domain/party/party.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { bodyBytesMax } from "../../../src/http/access/guard.ts";
import { shared } from "../../support/per-file.ts";
import { invoiceRequest, linkRequest, startTestTill } from "../../support/till/till.ts";

const node = { rpcUrl: "http://127.0.0.1:9" };

const till = shared(() => startTestTill(node));

const draft = { ...invoiceRequest, send_now: false };

async function faultsOf(path: string, body: object): Promise<Record<string, string>> {
  const answer = await till.api("POST", path, body);
  expect(answer.status).toBe(400);
  return Object.fromEntries(
    answer.body.errors.map((fault: { field: string; message: string }) => [fault.field, fault.message]),
  );
}

describe("null in a request", () => {
  test("leaves out an optional field of an invoice", async () => {
    const today = () => new Date().toISOString().slice(0, 10);
    const before = today();
    const nulls = { vendor_address: null, issue_date: null, wallet_address: null, notes: null };
    const made = await till.api("POST", "/api/invoices", {
      ...invoiceRequest,
      ...nulls,
      webhook_url: null,
      webhook_events: null,
      send_now: null,
    });
    expect(made.status).toBe(201);
    expect(made.body).not.toHaveProperty("webhook_secret");
    expect(made.body.sent_at).not.toBeNull();
    const { body } = await till.api("GET", `/api/invoices/${made.body.invoice_id}`);
    expect(body).toMatchObject({ vendor_address: null, notes: null, wallet_type: "managed" });
    expect([before, today()]).toContain(body.issue_date);
  });

  test("leaves out an optional field of a link", async () => {
    const nulls = {
      wallet_address: null,
      product_description: null,
      webhook_url: null,
      webhook_events: null,
      success_url: null,
      embed_origins: null,
    };
    const made = await till.api("POST", "/api/links", { ...linkRequest, ...nulls });
    expect(made.status).toBe(201);
    expect(made.body).not.toHaveProperty("webhook_secret");
  });

  test("is a fault of a required field, and of one that no request has", async () => {
    const faults = await faultsOf("/api/invoices", { ...draft, vendor_name: null, constructor: null });
    expect(faults).toEqual({
      vendor_name: "must be text of 1 to 200 characters",
      constructor: "is not a known field",
    });
    const byo = { ...draft, wallet_type: "byo", wallet_address: null };
    expect(await faultsOf("/api/invoices", byo)).toEqual({
      wallet_address: 'is required when wallet_type is "byo"',
    });
  });

  test("is the only form of webhooks without a webhook", async () => {
    const message = "must be omitted without webhook_url: nothing is sent";
    for (const webhook_events of ["standard", "contract"]) {
      expect(await faultsOf("/api/invoices", { ...draft, webhook_events })).toEqual({
        webhook_events: message,
      });
      expect(await faultsOf("/api/links", { ...linkRequest, webhook_events })).toEqual({
        webhook_events: message,
      });
    }
    const webhook_url = "http://127.0.0.1:9/hook";
    expect(await faultsOf("/api/links", { ...linkRequest, webhook_url, webhook_events: "all" })).toEqual({
      webhook_events: 'must be "contract" or "standard"',
    });
  });

  test("does not soften that a managed wallet takes no address", async () => {
    const wallet_address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    expect(await faultsOf("/api/invoices", { ...draft, wallet_address })).toHaveProperty("wallet_address");
  });
});

/** JSON as the most wasteful client writes it: every character of every text is escaped, and it is indented. */
function wasteful(value: object): string {
  const escaped = (text: string) =>
    [...Array(text.length).keys()]
      .map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`)
      .join("");
  return JSON.stringify(value, null, 4).replace(
    /"(?:[^"\\]|\\.)*"/g,
    (text) => `"${escaped(JSON.parse(text))}"`,
  );
}

const longEmail = `${"a".repeat(64)}@${Array(3).fill("b".repeat(60)).join(".")}.example`.slice(0, 254);
const longUrl = `https://example.com/${"p".repeat(2048)}`.slice(0, 2048);
const wallet_address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** JSON as PHP and Python write it unless told otherwise: only ASCII. */
const ascii = (value: object) =>
  JSON.stringify(value).replace(
    /[^\0-\x7f]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

describe("the limit of a body", () => {
  test("leaves room for an invoice that fills every field, and for little more", async () => {
    const party = (country: string) =>
      Object.fromEntries(
        Party.fields
          .filter((field) => !["country", "vatId", "phone", "electronicAddress"].includes(field))
          .map((field) => [Party.apiName(field), "名".repeat(Party.lengths[field])])
          .concat([["country", country]]),
      );
    const price = "1000000000.00";
    const body = ascii({
      merchant_email: longEmail,
      merchant_name: "社".repeat(200),
      merchant_address: "所".repeat(500),
      merchant_details: party("KR"),
      vendor_email: longEmail,
      vendor_name: "名".repeat(200),
      vendor_address: "址".repeat(500),
      vendor_details: party("CN"),
      line_items: Array.from({ length: 30 }, () => ({
        description: "項".repeat(500),
        quantity: 0.000001,
        unit_price: price,
        unit: "個".repeat(20),
        discount_percent: "10.25",
        tax_rate: "0.00",
        tax_category: "outside_scope",
        tax_reason: "免".repeat(200),
      })),
      discount_percent: "10.25",
      prices_include_tax: false,
      payment_terms: "払".repeat(500),
      delivery_from: "2030-01-01",
      delivery_to: "2030-01-31",
      buyer_reference: "購".repeat(100),
      purchase_order: "注".repeat(100),
      issue_date: "2030-01-01",
      due_date: "2030-01-31",
      wallet_type: "byo",
      wallet_address,
      notes: "注".repeat(2000),
      reference: "番".repeat(100),
      metadata: Object.fromEntries(
        Array.from({ length: 50 }, (_, i) => [String(i).padEnd(40, "鍵"), "値".repeat(500)]),
      ),
      webhook_url: longUrl,
      webhook_events: "standard",
      reminders: [-3, 0, 7],
      send_now: false,
    });
    const {
      status,
      body: { errors = [] },
    } = await till.api("POST", "/api/invoices", body);
    expect([status, errors]).toEqual([201, []]);
    expect(bodyBytesMax - body.length).toBeWithin(0, 32 * 1024);
  });

  test("leaves room for 30 line items in full length with every character escaped", async () => {
    const customer = { email: longEmail, name: "名".repeat(200), address: "址".repeat(500) };
    const body = wasteful({
      merchant_email: longEmail,
      merchant_name: "社".repeat(200),
      merchant_address: "所".repeat(500),
      ...Object.fromEntries(Object.entries(customer).map(([field, value]) => [`vendor_${field}`, value])),
      ...Object.fromEntries(Object.entries(customer).map(([field, value]) => [`customer_${field}`, value])),
      line_items: Array.from({ length: 30 }, () => ({
        description: "項".repeat(500),
        quantity: 0.000001,
        unit_price: "1000000000.00",
      })),
      issue_date: "2030-01-01",
      due_date: "2030-01-31",
      wallet_type: "byo",
      wallet_address,
      notes: "注".repeat(2000),
      webhook_url: longUrl,
      send_now: false,
    });
    expect(body.length).toBeGreaterThan(140_000);
    expect((await till.api("POST", "/api/invoices", body)).status).toBe(201);
  });

  test("leaves room for a link in full length with every character escaped", async () => {
    const label = "o".repeat(60);
    const body = wasteful({
      business_name: "店".repeat(200),
      expected_amount: "1000000000.00",
      merchant_email: longEmail,
      wallet_type: "byo",
      wallet_address,
      product_description: "品".repeat(500),
      webhook_url: longUrl,
      success_url: longUrl,
      embed_origins: Array.from(
        { length: 20 },
        (_, i) => `https://${label}.${label}.${label}.${label}.o${i}:65535`,
      ),
    });
    expect(body.length).toBeGreaterThan(60_000);
    expect((await till.api("POST", "/api/links", body)).status).toBe(201);
  });

  test("is the limit of every call, and above it is 413", async () => {
    for (const path of [
      "/api/invoices",
      "/api/links",
      "/api/invoices/nonsense/send",
      "/api/events/x/redeliver",
    ]) {
      const fits = await till.api("POST", path, `{}${" ".repeat(bodyBytesMax - 2)}`);
      expect([path, [400, 404].includes(fits.status)]).toEqual([path, true]);
      const tooLarge = await till.api("POST", path, `{}${" ".repeat(bodyBytesMax - 1)}`);
      expect([path, tooLarge.status, tooLarge.body.code]).toEqual([path, 413, "body_too_large"]);
    }
  });
});

describe("the dates of an invoice", () => {
  test("are in order", async () => {
    const faults = await faultsOf("/api/invoices", {
      ...draft,
      issue_date: "2030-01-02",
      due_date: "2030-01-01",
    });
    expect(faults).toEqual({ due_date: "must not be before issue_date, 2030-01-02" });
    await till.createInvoice({ issue_date: "2030-01-01", due_date: "2030-01-01" });
    // Issued today, and due long ago: who writes up old debts may say so.
    await till.createInvoice({ due_date: "2020-01-01" });
  });

  test("are from 1970 to 9999", async () => {
    await till.createInvoice({ issue_date: "1970-01-01", due_date: "9999-12-31" });
    for (const day of ["0001-01-01", "1969-12-31", "0000-02-29", "10000-01-01"]) {
      const faults = await faultsOf("/api/invoices", { ...draft, issue_date: day, due_date: day });
      const message = "must be a date that exists, YYYY-MM-DD, from 1970 to 9999";
      expect(faults).toEqual({ issue_date: message, due_date: message });
    }
  });
});

describe("who pays", () => {
  const { vendor_email, vendor_name, ...rest } = draft;
  const customer = {
    customer_email: vendor_email,
    customer_name: vendor_name,
    customer_address: "2 Side Street",
  };

  test("can be called the customer, and is the vendor of the answer", async () => {
    const made = await till.api("POST", "/api/invoices", { ...rest, ...customer });
    expect(made.status).toBe(201);
    const { body } = await till.api("GET", `/api/invoices/${made.body.invoice_id}`);
    expect(body).toMatchObject({ vendor_email, vendor_name, vendor_address: "2 Side Street" });
    expect(Object.keys(body).some((field) => field.startsWith("customer"))).toBe(false);
  });

  test("can have both names with one value, or one of them null", async () => {
    for (const changes of [
      { customer_name: vendor_name },
      { customer_name: null },
      { vendor_name: null, customer_name: vendor_name },
      { vendor_address: null, customer_address: "2 Side Street" },
    ]) {
      expect((await till.api("POST", "/api/invoices", { ...draft, ...changes })).status).toBe(201);
    }
  });

  test("cannot have two values", async () => {
    const changes = { vendor_address: "1", customer_address: "2", customer_name: "Somebody Else" };
    expect(await faultsOf("/api/invoices", { ...draft, ...changes })).toEqual({
      customer_name: "must be the same as vendor_name; send only one of them",
      customer_address: "must be the same as vendor_address; send only one of them",
    });
  });

  test("is at fault under the name that was sent", async () => {
    const faults = await faultsOf("/api/invoices", { ...rest, customer_email: "nobody", customer_name: "" });
    expect(Object.keys(faults).sort()).toEqual(["customer_email", "customer_name"]);
    expect(await faultsOf("/api/invoices", rest)).toEqual({
      vendor_email: "is required",
      vendor_name: "is required",
    });
  });
});

const calls = [
  ["GET", ""],
  ["GET", "/status"],
  ["GET", "/payments"],
  ["GET", "/events"],
  ["POST", "/send"],
] as const;

describe("an invoice", () => {
  test.each(calls)("is found by its id in upper case and by its number: %s %s", async (method, path) => {
    const { invoice_id: id = "", invoice_number: number = "" } = await till.createInvoice();
    for (const name of [id.toUpperCase(), number, number.toLowerCase(), number.replace("INV-", "INV-00")]) {
      const found = await till.api(method, `/api/invoices/${name}${path}`);
      expect([name, found.status]).toEqual([name, 200]);
      if (path === "") expect(found.body.id).toBe(id);
    }
    const listed = await till.api("GET", `/api/invoices?limit=1&starting_after=${number}`);
    expect(listed.status).toBe(200);
    expect((await till.api(method, `/api/invoices/INV-9999${path}`)).status).toBe(404);
  });
});

/** Ways to write INV-0001 in a path. */
const spellings = [
  "INV-0001",
  "inv-1",
  "%49NV-0001",
  "INV%2D0001",
  "INV-000%31",
  "%69%6e%76%2d%30%30%30%31",
  "%2549NV-0001",
  "INV-0001/",
  "INV-0001%20",
  "%00INV-0001",
];

describe.each([
  ["a public Till", { TILL_BASE_URL: "https://pay.example.com" }],
  ["a public Till whose API is open", { TILL_BASE_URL: "https://pay.example.com", TILL_OPEN_API: "true" }],
  ["a loopback Till with keys", {}],
])("%s", (_, environment: Record<string, string>) => {
  test("never tells by a number what it tells by an id, unless there is a key", async () => {
    await using closed = await startTestTill(node, environment);
    const { key } = createApiKey(closed.db, "shop", Date.now());
    const headers = { authorization: `Bearer ${key}` };
    const made = await closed.api("POST", "/api/invoices", draft, headers);
    expect(made.body.invoice_number).toBe("INV-0001");
    for (const path of ["/status", "/pdf"]) {
      expect((await closed.api("GET", `/api/invoices/${made.body.invoice_id}${path}`)).status).toBe(200);
      expect((await closed.api("GET", `/api/invoices/INV-0001${path}`, undefined, headers)).status).toBe(200);
      for (const name of spellings) {
        for (const method of ["GET", "HEAD"]) {
          const { status } = await fetch(`${closed.localUrl}/api/invoices/${name}${path}`, { method });
          expect([name, method, [401, 404].includes(status)]).toEqual([name, method, true]);
        }
      }
      // One that exists and one that does not look the same.
      const [known, unknown] = await Promise.all(
        ["INV-0001", "INV-9999"].map((name) => closed.api("GET", `/api/invoices/${name}${path}`)),
      );
      expect([known?.status, known?.body]).toEqual([401, unknown?.body]);
    }
  });
});
