import { describe, expect, test } from "bun:test";
import { implementation } from "../../../src/domain/wallet/deposit-address.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import { invoiceRequest, startTestTill } from "../../support/till/till.ts";

const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain));

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
  test("numbers invoices without gaps and gives each its own address, also when many are made at once", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => till.createInvoice()));
    const numbers = made.map((invoice) => Number(invoice["invoice_number"]?.slice(4))).sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i));
    expect(new Set(made.map((invoice) => invoice["deposit_address"])).size).toBe(20);
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

  test("wants a total above nothing and within bounds", async () => {
    const item = { description: "x", quantity: 1, unit_price: "0.00" };
    expect((await faultsOf({ line_items: [item] }))["line_items"]).toContain("more than 0.00");
    const much = { description: "x", quantity: 2, unit_price: "1000000000.00" };
    expect(await faultsOf({ line_items: [much] })).toEqual({
      "line_items[0].unit_price": "must be lower: 2 × 1000000000.00 USDC is more than 1000000000.00 USDC",
    });
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
  test("on loopback refuses foreign hosts and writes from foreign pages", async () => {
    const foreignHost = await till.api("GET", "/health/live", undefined, { host: "evil.example" });
    expect(foreignHost).toMatchObject({ status: 403, body: { code: "foreign_host" } });
    const foreignOrigin = await post(invoiceRequest, { origin: "https://evil.example" });
    expect(foreignOrigin).toMatchObject({ status: 403, body: { code: "foreign_origin" } });
    const crossSite = await post(invoiceRequest, { "sec-fetch-site": "cross-site" });
    expect(crossSite).toMatchObject({ status: 403, body: { code: "foreign_origin" } });
    const deletion = await till.api("DELETE", "/api/webhook-endpoints/x", undefined, {
      origin: "https://evil.example",
    });
    expect(deletion).toMatchObject({ status: 403, body: { code: "foreign_origin" } });
    const own = await post({ ...invoiceRequest, send_now: false }, { origin: till.baseUrl });
    expect(own.status).toBe(201);
  });
});
