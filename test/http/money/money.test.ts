import { describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import * as PreferenceStore from "../../../src/store/tables/desk/preference.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { shared } from "../../support/per-file.ts";
import { passphrase } from "../../support/till/data-dir.ts";
import { callTill } from "../../support/till/run-till.ts";
import { linkRequest, startTestTill, until, untilIs } from "../../support/till/till.ts";

const chain = shared(startTestChain);
const node = shared(() => startRpcProxy(chain.rpcUrl));
const till = shared(() => startTestTill({ rpcUrl: node.url, wsUrl: chain.wsUrl }, { TILL_SETTLE: "auto" }));

const read = async (path: string) => (await till.api("GET", path)).body;
const balance = () => read("/api/balance");
const balanceOnce = (is: (body: Awaited<ReturnType<typeof balance>>) => boolean) => until(balance, is);

/** Runs a command beside Till, on its data. */
const command = (...args: string[]) =>
  callTill(args, {
    env: {
      TILL_CHAIN: "anvil",
      TILL_RPC_URL: chain.rpcUrl,
      TILL_DATA_DIR: till.config.dataDir,
      TILL_WALLET_PASSPHRASE: passphrase,
      TILL_BASE_URL: till.baseUrl,
    },
  });

describe("GET /api/balance", () => {
  test("is nothing, and known, before there is anything", async () => {
    expect(await balance()).toEqual({
      deposits: 0,
      deposits_amount: "0.00",
      wallets: 0,
      wallets_amount: "0.00",
      wallets_read_at: null,
      total_amount: "0.00",
    });
  });

  test("follows money from the deposit address into the wallet, and says null for what is not known", async () => {
    node.answer = () => ({ error: { code: -32000, message: "the node is away" } });
    const link = (await till.api("POST", "/api/links", linkRequest)).body;
    expect(await balance()).toMatchObject({
      wallets: 1,
      wallets_amount: null,
      wallets_read_at: null,
      total_amount: null,
    });
    node.answer = null;
    expect(await balanceOnce(({ total_amount }) => total_amount !== null)).toMatchObject({
      total_amount: "0.00",
    });

    await chain.pay(Address.checksum(link.deposit_address), "25.50");
    const waiting = await balanceOnce(
      ({ deposits, total_amount }) => deposits === 1 && total_amount !== null,
    );
    expect(waiting).toEqual({
      deposits: 1,
      deposits_amount: "25.50",
      wallets: 1,
      wallets_amount: "0.00",
      wallets_read_at: expect.stringMatching(/^\d{4}-.*Z$/),
      total_amount: "25.50",
    });

    await chain.giveEth(WalletStore.gasAddress(till.db) ?? Address.zero);
    // Till may have found an empty gas account by now, and looks again after a minute.
    expect((await command("settle", "--yes")).exitCode).toBe(0);
    const settled = await balanceOnce(
      ({ deposits, wallets_amount, total_amount }) =>
        deposits === 0 && wallets_amount === "25.50" && total_amount !== null,
    );
    expect(settled).toMatchObject({ deposits_amount: "0.00", total_amount: "25.50" });
    expect(Date.parse(settled.wallets_read_at)).toBeGreaterThan(Date.parse(waiting.wallets_read_at));
  });

  test("keeps what was known last while the node is away, and adds nothing up that has moved since", async () => {
    node.answer = () => ({ error: { code: -32000, message: "the node is away" } });
    const before = await balance();
    // As a settlement leaves the books when its block leaves the chain.
    till.db.run("UPDATE payout SET settled_amount = settled_amount - 1 WHERE wallet = ''");
    node.reset();
    const since = await balance();
    expect(since).toMatchObject({ wallets_amount: "25.50", wallets_read_at: before.wallets_read_at });
    expect(since.total_amount).toBeNull();
    till.db.run("UPDATE payout SET settled_amount = settled_amount + 1 WHERE wallet = ''");
    node.answer = null;
  });
});

describe("GET /api/settlements", () => {
  test("has what was moved, newest first, with its transaction, and finds it by what it was for", async () => {
    const made = await till.createInvoice({ send_now: false });
    await chain.pay(Address.checksum(made["deposit_address"] ?? ""), "10.00");
    await untilIs(() => read(`/api/invoices/${made["invoice_id"]}/status`), { status: "partial" });
    // Till may still keep to the minute after which it looks at its gas account again.
    expect((await command("settle", "--yes")).exitCode).toBe(0);
    const { data, has_more } = await untilIs(() => read("/api/settlements?state=settled"), {
      data: { length: 2 },
    });
    expect(has_more).toBe(false);
    const [first, second] = structuredClone(data);
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      state: "settled",
      invoice_id: made["invoice_id"],
      invoice_number: made["invoice_number"],
      deposit_address: made["deposit_address"],
      payout_wallet: (await read(`/api/invoices/${made["invoice_id"]}`)).wallet_address,
      amount: "10.00",
      tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      block_number: expect.any(Number),
      created_at: expect.any(String),
      retry_at: null,
    });
    expect(data[1]).toMatchObject({ amount: "25.50", slug: expect.any(String) });
    const idsOf = async (query: string) =>
      (await read(`/api/settlements?${query}`)).data.map(({ id }: { id: string }) => id);
    expect(await idsOf("")).toEqual([first.id, second.id]);
    expect(await idsOf(`invoice=${made["invoice_number"]}`)).toEqual([first.id]);
    expect(await idsOf(`link=${second.slug}`)).toEqual([second.id]);
    expect(await idsOf(`deposit_address=${first.deposit_address.toLowerCase()}`)).toEqual([first.id]);
    expect(await idsOf(`starting_after=${first.id}`)).toEqual([second.id]);
    expect(await idsOf("limit=1")).toEqual([first.id]);
    for (const state of ["pending", "empty", "failed", "elsewhere"])
      expect(await idsOf(`state=${state}`)).toEqual([]);
    expect(await idsOf(`deposit_address=${Address.zero}`)).toEqual([]);
  });

  test("names every fault of its query", async () => {
    const { status, body } = await till.api(
      "GET",
      "/api/settlements?limit=0&starting_after=0x1&state=gone&invoice=INV-9999&link=nothing&to=1",
    );
    expect(status).toBe(400);
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      "limit",
      "starting_after",
      "state",
      "to",
    ]);
    const both = await till.api("GET", "/api/settlements?invoice=INV-9999&link=nothing");
    expect(both.body.errors).toHaveLength(3);
  });
});

describe("GET /api/exports/{table}", () => {
  test("gives byte for byte what the command line exports", async () => {
    for (const table of ["invoices", "items", "links", "payments", "settlements", "fees", "tax-sums"]) {
      const answer = await fetch(`${till.baseUrl}/api/exports/${table}?from=2020-01-01`);
      expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
      expect(answer.headers.get("content-disposition")).toMatch(
        new RegExp(`^attachment; filename="${table}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
      );
      const { stdout } = await command("export", table, "--from", "2020-01-01");
      // Both without the mark of UTF-8, which readers of text drop.
      const bytes = await answer.text();
      expect([table, bytes]).toEqual([table, stdout]);
      expect([table, bytes.split("\r\n").length > 2 || table === "tax-sums"]).toEqual([table, true]);
    }
    expect((await read("/api/exports/invoices?to=2020-01-01")).trimEnd().split("\r\n")).toHaveLength(1);
  });

  test("refuses a table that there is not, and days that are none", async () => {
    const unknown = await till.api("GET", "/api/exports/secrets");
    expect([unknown.status, unknown.body.code]).toEqual([404, "not_found"]);
    expect(unknown.body.detail).toContain("invoices, items, credit-notes");
    const { body } = await till.api("GET", "/api/exports/invoices?from=2026-02-30&to=tomorrow&days=3");
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(["days"]);
    for (const [query, message] of [
      ["from=2026-02-30", "must be a date that exists, YYYY-MM-DD, from 1970 to 9999"],
      ["from=2026-02-02&to=2026-02-01", "must not be before from, 2026-02-02"],
    ])
      expect((await till.api("GET", `/api/exports/invoices?${query}`)).body.errors[0].message).toBe(message);
  });

  test("says which codes of the books are missing", async () => {
    const line = { description: "Book", quantity: 1, unit_price: "10.00", tax_rate: "7" };
    await till.createInvoice({ line_items: [line], send_now: true, currency: "EUR", rate: "0.86" });
    const { status, body } = await till.api("GET", "/api/exports/xero");
    expect([status, body.code]).toEqual([409, "codes_missing"]);
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(["account", "standard 7.00"]);
    PreferenceStore.setXeroCodes(
      till.db,
      { account: "200", taxTypes: { "standard 7.00": "7%" } },
      Date.now(),
    );
    expect(await read("/api/exports/xero")).toContain(",200,7%,");
    const bookings = (await till.api("GET", "/api/exports/datev?from=2026-01-01")).body;
    expect(bookings.errors).toEqual([
      { field: "from", message: "must be given with to, both in one fiscal year" },
    ]);
  });

  test("may be left in the middle, and keeps nobody waiting", async () => {
    const answer = await fetch(`${till.baseUrl}/api/exports/invoices`);
    await answer.body?.cancel();
    expect((await till.api("GET", "/health/live")).status).toBe(200);
    expect((await till.api("POST", "/api/links", linkRequest)).status).toBe(201);
  });
});

test("what tells of money needs a key where there is one", async () => {
  const { key } = createApiKey(till.db, "books", Date.now());
  for (const path of ["/api/balance", "/api/settlements", "/api/exports/invoices"]) {
    expect((await till.api("GET", path)).status).toBe(401);
    expect((await till.api("GET", path, undefined, { authorization: `Bearer ${key}` })).status).toBe(200);
  }
});
