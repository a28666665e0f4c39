import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { implementation } from "../../../src/domain/wallet/deposit-address.ts";
import { bodyBytesMax } from "../../../src/http/access/guard.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { invoiceRequest, startTestTill, type TestTill, until } from "../../support/till/till.ts";

const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

let chain: TestChain;
let till: TestTill;

beforeAll(async () => {
  chain = await startTestChain();
  till = await startTestTill(chain);
});
afterAll(async () => {
  await till.stop();
  await chain.stop();
});

const post = (body: unknown, headers?: Record<string, string>) =>
  till.api("POST", "/api/invoices", body, headers);

async function faultsOf(changes: Record<string, unknown>): Promise<Record<string, string>> {
  const { status, body } = await post({ ...invoiceRequest, ...changes });
  expect(status).toBe(400);
  expect(body).toMatchObject({ status: 400, code: "validation_failed", type: "about:blank" });
  return Object.fromEntries(
    body.errors.map((fault: { field: string; message: string }) => [fault.field, fault.message]),
  );
}

describe("POST /api/invoices", () => {
  test("answers 201 with what the payer and the merchant need", async () => {
    const { status, body } = await post({ ...invoiceRequest, send_now: false });
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(
      [
        "invoice_id",
        "invoice_number",
        "slug",
        "invoice_url",
        "pdf_url",
        "deposit_address",
        "total_amount",
        "sent_at",
        "x402_url",
      ].sort(),
    );
    expect(body.total_amount).toBe("1500.00");
    expect(body.sent_at).toBeNull();
    expect(body.invoice_number).toMatch(/^INV-\d{4}$/);
    expect(body.invoice_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(body.deposit_address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(body.invoice_url).toBe(`${till.baseUrl}/i/${body.slug}`);
    expect(body.pdf_url).toBe(`${till.baseUrl}/api/invoices/${body.invoice_id}/pdf`);
  });

  test("mails the vendor by default and says when", async () => {
    const before = Date.now();
    const { status, body } = await post({ ...invoiceRequest, vendor_email: "default@globex.example" });
    expect(status).toBe(201);
    expect(Date.parse(body.sent_at)).toBeWithin(before, Date.now() + 1);
    const mails = till.mail.list().filter((mail) => mail.to.includes("default@globex.example"));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(body.invoice_url);
    const record = await till.api("GET", `/api/invoices/${body.invoice_id}`);
    expect(record.body).toMatchObject({ status: "sent", sent_at: body.sent_at });
  });

  test("gives a secret only with a webhook_url, and only once", async () => {
    const created = await till.createInvoice({ webhook_url: "http://127.0.0.1:9/hook" });
    expect(created["webhook_secret"]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const record = await till.api("GET", `/api/invoices/${created["invoice_id"]}`);
    expect(JSON.stringify(record.body)).not.toContain("whsec_");
  });

  test("numbers invoices without gaps and gives each its own address, also when many are made at once", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => till.createInvoice()));
    const numbers = made.map((invoice) => Number(invoice["invoice_number"]?.slice(4))).sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i));
    expect(new Set(made.map((invoice) => invoice["deposit_address"])).size).toBe(20);
  });

  test("takes the issue date, or today", async () => {
    const dated = await till.createInvoice({ issue_date: "2020-02-29", due_date: "2020-03-01" });
    const record = await till.api("GET", `/api/invoices/${dated["invoice_id"]}`);
    expect(record.body).toMatchObject({ issue_date: "2020-02-29", due_date: "2020-03-01", overdue: true });
    const today = () => new Date().toISOString().slice(0, 10);
    const before = today();
    const undated = await till.api("GET", `/api/invoices/${(await till.createInvoice())["invoice_id"]}`);
    expect([before, today()]).toContain(undated.body.issue_date);
  });

  test("gives a merchant one managed wallet, whatever the case of the address, and others another", async () => {
    const walletOf = async (merchant_email: string) => {
      const { invoice_id } = await till.createInvoice({ merchant_email });
      return (await till.api("GET", `/api/invoices/${invoice_id}`)).body.wallet_address;
    };
    const first = await walletOf("one@merchant.example");
    expect(await walletOf("ONE@merchant.example")).toBe(first);
    expect(await walletOf("two@merchant.example")).not.toBe(first);
  });

  test("reports every fault at once, with the field and what it wants", async () => {
    const faults = await faultsOf({
      merchant_email: "not an address",
      merchant_name: "",
      vendor_name: undefined,
      due_date: "2026-02-30",
      wallet_type: "byo",
      webhook_url: "ftp://example.com",
      send_now: "yes",
      color: "red",
      line_items: [
        { description: "ok", quantity: 1, unit_price: "1.00" },
        { description: "", quantity: 0, unit_price: "1.0000001" },
        { quantity: "2", unit_price: 5, extra: true },
      ],
    });
    expect(Object.keys(faults).sort()).toEqual(
      [
        "merchant_email",
        "merchant_name",
        "vendor_name",
        "due_date",
        "wallet_address",
        "webhook_url",
        "send_now",
        "color",
        "line_items[1].description",
        "line_items[1].quantity",
        "line_items[1].unit_price",
        "line_items[2].description",
        "line_items[2].quantity",
        "line_items[2].unit_price",
        "line_items[2].extra",
      ].sort(),
    );
    expect(faults).toMatchObject({
      vendor_name: "is required",
      color: "is not a known field",
      merchant_name: "must be text of 1 to 200 characters",
      wallet_address: 'is required when wallet_type is "byo"',
    });
  });

  test.each([
    ["none", []],
    ["31", Array.from({ length: 31 }, () => invoiceRequest.line_items[0])],
  ])("takes 1 to 30 line items, not %s", async (_, line_items) => {
    expect(await faultsOf({ line_items })).toEqual({ line_items: "must be a list of 1 to 30 line items" });
  });

  test("wants a total above nothing and within bounds", async () => {
    const item = { description: "x", quantity: 1, unit_price: "0.00" };
    expect((await faultsOf({ line_items: [item] }))["line_items"]).toContain("more than 0.00");
    const much = { description: "x", quantity: 2, unit_price: "1000000000.00" };
    expect((await faultsOf({ line_items: [much] }))["line_items"]).toContain("at most 1000000000.00");
  });

  test("takes a byo wallet with its checksum only, and hands out no right form of one that may be mistyped", async () => {
    const byo = { wallet_type: "byo" };
    const { invoice_id } = await till.createInvoice({ ...byo, wallet_address: wallet });
    const record = await till.api("GET", `/api/invoices/${invoice_id}`);
    expect(record.body).toMatchObject({ wallet_type: "byo", wallet_address: wallet });
    const lower = await faultsOf({ ...byo, wallet_address: wallet.toLowerCase() });
    expect(lower["wallet_address"]).toEndWith(`compare it with your wallet, then write it as ${wallet}`);
    const digit = wallet.endsWith("1") ? "2" : "1";
    const mistyped = await faultsOf({ ...byo, wallet_address: `${wallet.slice(0, -1)}${digit}` });
    expect(mistyped["wallet_address"]).toBe(
      "fails its checksum: a character may be wrong. Copy it again from your wallet",
    );
    expect((await faultsOf({ ...byo, wallet_address: "vitalik.eth" }))["wallet_address"]).toContain(
      "40 hex digits",
    );
  });

  test.each([
    ["the zero address", "0x0000000000000000000000000000000000000000"],
    ["USDC itself", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"],
    ["the contract that all deposit addresses share", implementation],
  ])("refuses %s as a wallet", async (_, wallet_address) => {
    const faults = await faultsOf({ wallet_type: "byo", wallet_address });
    expect(faults["wallet_address"]).toContain("nothing can ever be moved");
  });

  test("refuses as a wallet what everybody can empty, and its own gas account", async () => {
    const gasAccount = WalletStore.gasAddress(till.db) ?? "";
    for (const [wallet_address, what] of [
      ["0xcA11bde05977b3631167028862bE2a173976CA11", "is Multicall3"],
      ["0x4200000000000000000000000000000000000006", "is a system contract"],
      [gasAccount, "is the gas account"],
    ]) {
      const faults = await faultsOf({ wallet_type: "byo", wallet_address });
      expect(faults["wallet_address"]).toStartWith(what ?? "");
    }
  });

  test("refuses a deposit address as a wallet: its invoice would be paid with the money of another one", async () => {
    const { deposit_address } = await till.createInvoice();
    const faults = await faultsOf({ wallet_type: "byo", wallet_address: deposit_address });
    expect(faults["wallet_address"]).toContain("would be counted as payments");
  });

  test.each([
    ["not JSON", "{", {}, 400, "malformed_json"],
    ["a form", "a=b", { "content-type": "application/x-www-form-urlencoded" }, 415, "not_json"],
    ["too large", JSON.stringify({ notes: "x".repeat(bodyBytesMax) }), {}, 413, "body_too_large"],
  ])("refuses a body that is %s", async (_, body, headers, status, code) => {
    const answer = await post(body, headers as Record<string, string>);
    expect(answer).toMatchObject({ status, body: { status, code } });
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
  });

  test.each(["null", "[]", '"text"', "3"])("names what is missing in %s", async (body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { errors: [{ field: "body" }] } });
  });

  test("keeps text exactly as it was written, and refuses control characters", async () => {
    const name = "Ünïcode & <b>Söhne</b> “{7*7}” 日本 ✓";
    const { invoice_id } = await till.createInvoice({ merchant_name: name });
    const record = await till.api("GET", `/api/invoices/${invoice_id}`);
    expect(record.body.merchant_name_snapshot).toBe(name);
    expect(await faultsOf({ merchant_name: "a\u0000b" })).toHaveProperty("merchant_name");
    expect(await faultsOf({ vendor_name: "a\nb" })).toHaveProperty("vendor_name");
    expect(await faultsOf({ notes: "a\u001b[31m" })).toHaveProperty("notes");
    expect(await faultsOf({ notes: "\ud800" })).toHaveProperty("notes");
  });

  test("works while the node is down", async () => {
    const offline = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
    try {
      expect((await offline.createInvoice())["deposit_address"]).toMatch(/^0x/);
      const ready = await until(
        () => offline.api("GET", "/health/ready"),
        ({ body }) => body.reasons?.join().includes("127.0.0.1:9"),
      );
      expect(ready.status).toBe(503);
    } finally {
      await offline.stop();
    }
  });
});

describe("GET /api/invoices/{id}", () => {
  test("returns the full record", async () => {
    const created = await till.createInvoice({ notes: "Thanks!", vendor_address: "2 Side Street" });
    const { status, body } = await till.api("GET", `/api/invoices/${created["invoice_id"]}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: created["invoice_id"],
      invoice_number: created["invoice_number"],
      slug: created["slug"],
      invoice_url: created["invoice_url"],
      pdf_url: created["pdf_url"],
      deposit_address: created["deposit_address"],
      merchant_name_snapshot: "Acme Ltd",
      merchant_address_snapshot: "1 Main Street\nSpringfield",
      vendor_name: "Globex GmbH",
      vendor_email: "ap@globex.example",
      vendor_address: "2 Side Street",
      due_date: "2030-01-31",
      total_amount: "1500.00",
      received_amount: "0.00",
      status: "draft",
      overdue: false,
      notes: "Thanks!",
      sent_at: null,
      wallet_type: "managed",
      webhook_url: null,
      line_items: [
        { description: "Design", quantity: 10, unit_price: "120.00", line_total: "1200.00" },
        { description: "Hosting", quantity: 1.5, unit_price: "200.00", line_total: "300.00" },
      ],
    });
  });

  test.each(["", "/status", "/pdf", "/payments", "/events"])(
    "answers 404 for an unknown id%s",
    async (path) => {
      for (const id of ["00000000-0000-4000-8000-000000000000", "nonsense", "%00"]) {
        const answer = await till.api("GET", `/api/invoices/${id}${path}`);
        expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
      }
    },
  );
});

describe("GET /api/invoices/{id}/status", () => {
  test("says the status and whether it is overdue, and nothing else", async () => {
    const { invoice_id } = await till.createInvoice();
    const { body } = await till.api("GET", `/api/invoices/${invoice_id}/status`);
    expect(body).toEqual({ status: "draft", overdue: false });
  });
});

describe("GET /api/invoices/{id}/pdf", () => {
  test("is there at once, and the same every time", async () => {
    const created = await till.createInvoice();
    const fetchPdf = async () => {
      const response = await fetch(created["pdf_url"] ?? "");
      expect(response.headers.get("content-type")).toBe("application/pdf");
      return Buffer.from(await response.arrayBuffer());
    };
    const [first, second] = await Promise.all([fetchPdf(), fetchPdf()]);
    expect(first?.subarray(0, 5).toString()).toBe("%PDF-");
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
  });
});

describe("POST /api/invoices/{id}/send", () => {
  test("sends a draft, and mails again every time it is called", async () => {
    const { invoice_id } = await till.createInvoice({ vendor_email: "again@globex.example" });
    const send = () => till.api("POST", `/api/invoices/${invoice_id}/send`);
    expect(await send()).toMatchObject({ status: 200, body: { ok: true } });
    const first = (await till.api("GET", `/api/invoices/${invoice_id}`)).body;
    expect(first.status).toBe("sent");
    expect(await send()).toMatchObject({ status: 200, body: { ok: true } });
    const second = (await till.api("GET", `/api/invoices/${invoice_id}`)).body;
    expect(Date.parse(second.sent_at)).toBeGreaterThanOrEqual(Date.parse(first.sent_at));
    const mails = till.mail.list().filter((mail) => mail.to.includes("again@globex.example"));
    expect(mails).toHaveLength(2);
    expect(new Set(mails.map((mail) => mail.messageId)).size).toBe(2);
  });

  test("answers 404 for an unknown invoice", async () => {
    expect((await till.api("POST", "/api/invoices/nonsense/send")).status).toBe(404);
  });
});

describe("GET /api/invoices", () => {
  test("lists the newest first, page by page, and filters", async () => {
    const made = [];
    for (let i = 0; i < 3; i++)
      made.push(
        (await till.createInvoice({ issue_date: "2020-01-01", due_date: "2020-01-01" }))["invoice_id"],
      );
    const page = await till.api("GET", "/api/invoices?limit=2");
    expect(page.body.has_more).toBe(true);
    expect(page.body.data.map((invoice: { id: string }) => invoice.id)).toEqual([made[2], made[1]]);
    const next = await till.api("GET", `/api/invoices?limit=1&starting_after=${made[1]}`);
    expect(next.body.data[0].id).toBe(made[0]);
    const overdue = await till.api("GET", "/api/invoices?overdue=true&status=draft&limit=100");
    expect(overdue.body.data.every((invoice: { overdue: boolean }) => invoice.overdue)).toBe(true);
    expect(overdue.body.data.map((invoice: { id: string }) => invoice.id)).toContain(made[0]);
    const onTime = await till.api("GET", "/api/invoices?overdue=false&limit=100");
    expect(onTime.body.data.some((invoice: { overdue: boolean }) => invoice.overdue)).toBe(false);
  });

  test("names what is wrong with a query", async () => {
    const { status, body } = await till.api("GET", "/api/invoices?limit=0&status=open&page=2&overdue=1");
    expect(status).toBe(400);
    expect(body.errors.map((fault: { field: string }) => fault.field).sort()).toEqual([
      "limit",
      "overdue",
      "page",
      "status",
    ]);
  });

  test("takes no empty or repeated parameter for all that there is", async () => {
    for (const [query, field] of [
      ["slug=", "slug"],
      ["starting_after=", "starting_after"],
      ["limit=1&limit=2", "limit"],
    ]) {
      const { status, body } = await till.api("GET", `/api/invoices?${query}`);
      expect([query, status, body.errors?.[0].field]).toEqual([query, 400, field]);
    }
  });
});

describe("the application", () => {
  test("answers unknown paths and methods with a problem", async () => {
    expect(await till.api("GET", "/api/nothing")).toMatchObject({ status: 404, body: { code: "not_found" } });
    const wrongMethod = await till.api("DELETE", "/api/invoices");
    expect(wrongMethod).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(wrongMethod.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  test("answers HEAD where it answers GET", async () => {
    expect((await fetch(`${till.baseUrl}/health/live`, { method: "HEAD" })).status).toBe(200);
  });

  test("on loopback refuses foreign hosts and writes from foreign pages", async () => {
    const foreignHost = await till.api("GET", "/health/live", undefined, { host: "evil.example" });
    expect(foreignHost).toMatchObject({ status: 403, body: { code: "foreign_host" } });
    const foreignOrigin = await post(invoiceRequest, { origin: "https://evil.example" });
    expect(foreignOrigin).toMatchObject({ status: 403, body: { code: "foreign_origin" } });
    const crossSite = await post(invoiceRequest, { "sec-fetch-site": "cross-site" });
    expect(crossSite).toMatchObject({ status: 403, body: { code: "foreign_origin" } });
    const own = await post({ ...invoiceRequest, send_now: false }, { origin: till.baseUrl });
    expect(own.status).toBe(201);
  });

  test("is ready once the chain is read", async () => {
    expect(await till.api("GET", "/health/live")).toMatchObject({ status: 200, body: { status: "ok" } });
    const ready = await until(
      () => till.api("GET", "/health/ready"),
      ({ status }) => status === 200,
    );
    expect(ready.body).toMatchObject({ status: "ok" });
  });
});
