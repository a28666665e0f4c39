import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { BlockRef } from "../../../src/domain/payment/block.ts";
import * as DepositStore from "../../../src/store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import * as TransferStore from "../../../src/store/tables/watch/transfer.ts";
import { solidTextOf } from "../../document/poppler.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startExchanges } from "../../support/http/exchanges.ts";
import { shared } from "../../support/per-file.ts";
import { cross, sign } from "../../support/till/moves.ts";
import {
  invoiceRequest,
  overdueInEuros,
  startTestTill,
  type TestTill,
  until,
  untilQuotable,
} from "../../support/till/till.ts";

/** One that the chain has: what is said to be in another is taken back. */
let block: BlockRef;
let till: TestTill;
// Before the chain ends.
afterAll(() => till.stop());

const exchanges = shared(() => startExchanges(() => now));
const chain = shared(startTestChain);
let now = Date.now();
beforeAll(async () => {
  await chain.mine(1);
  block = await chain.blockAt("latest");
  till = await startTestTill(
    chain,
    { TILL_RATES: exchanges.setting, TILL_TOLERANCE: "0.50" },
    { now: () => now },
  );
  await untilQuotable(till);
});
beforeEach(() => {
  now += 11 * 60_000;
  exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
});

const overdue = {
  ...invoiceRequest,
  ...overdueInEuros,
  rate: undefined,
  line_items: [{ description: "Design", quantity: 1, unit_price: "119.00" }],
};
const make = async (changes: object = {}) => {
  const { body } = await till.api("POST", "/api/invoices", { ...overdue, ...changes });
  return body;
};
const quote = (id: string, body: object = {}, headers = {}) =>
  till.api("POST", `/api/invoices/${id}/quote`, body, headers);
const stored = (id: string) => {
  const invoice = InvoiceStore.byId(till.db, id);
  if (!invoice) throw new Error("no such invoice");
  return invoice;
};

/** What the watcher does when it sees a transfer. */
function see(id: string, amount: bigint, confirmed = false) {
  const { index, address } = stored(id).deposit;
  const transfer = {
    blockHash: block.hash,
    logIndex: index,
    blockNumber: block.number,
    txHash: `0x${String(index).padStart(64, "1")}`,
    depositIndex: index,
    payer: address,
    amount,
  } as Parameters<typeof TransferStore.insert>[1];
  TransferStore.insert(till.db, transfer, confirmed, { seenAt: now, madeAt: now });
  DepositStore.recompute(till.db, index, now);
}

const signed = (id: string) => sign(till.db, stored(id).deposit.index, 138_260_000n, now);

const pdfText = async (url: string) => solidTextOf(await (await fetch(url)).bytes());

describe("an overdue invoice that nobody has paid", () => {
  test("is quoted again, in all that compares with it", async () => {
    const { invoice_id: id, invoice_url } = await make({ vendor_email: "again@globex.example" });
    const before = stored(id);
    exchanges.set("all", { bid: "0.8499", ask: "0.8501" });
    now += 11 * 60_000;
    const { status, body } = await quote(id);
    expect([status, body.total_amount, body.expected_usdc]).toEqual([200, "119.00", "140.00"]);
    expect(body.exchange_rate).toMatchObject({ rate: "0.85", fetched_at: new Date(now).toISOString() });
    expect((await till.api("GET", `/api/invoices/${id}`)).body).toEqual(body);
    const { deposit, total, lineItems } = stored(id);
    expect([total, deposit.expected, deposit.tolerance]).toEqual([
      140_000_000n as typeof total,
      140_000_000n as typeof total,
      500_000n as typeof total,
    ]);
    expect([deposit.address, lineItems]).toEqual([before.deposit.address, before.lineItems]);
    // What is owed in all, and by the customer.
    const { data } = (await till.api("GET", "/api/customers?email=again@globex.example")).body;
    expect(data[0].open_amount).toBe("140.00");
    const owed = till.db.query("SELECT sum(amount) AS amount FROM owed").get();
    const sum = till.db
      .query("SELECT sum(expected_amount) AS amount FROM invoice JOIN receivable USING (deposit_index)")
      .get();
    expect(owed).toEqual(sum);
    const page = await (await fetch(invoice_url)).text();
    expect(page).toContain("140.00");
    expect(page).not.toContain("138.26");
    const { body: entries } = await till.api("GET", `/api/invoices/${id}/timeline`);
    expect(entries.data.at(-1)).toMatchObject({
      type: "quoted",
      summary: "It was quoted again: 140.00 USDC, at 1 USDC = 0.85 EUR.",
      data: { before: { expected_usdc: "138.26", rate: "0.8607" } },
    });
    expect((await till.api("GET", `/api/invoices/${id}/events`)).body.data).toEqual([]);
  });

  test("has its PDF made anew", async () => {
    const { invoice_id: id, pdf_url } = await make();
    expect(await pdfText(pdf_url)).toContain("138.26");
    await quote(id, { rate: "0.85" });
    const text = await pdfText(pdf_url);
    expect(text).toContain("140.00");
    expect(text).not.toContain("138.26");
  });

  test("is quoted once by a request that comes again", async () => {
    const { invoice_id: id } = await make();
    const headers = { "idempotency-key": `quote ${id}`.replace(" ", "-") };
    const first = await quote(id, { rate: "0.85" }, headers);
    await quote(id, { rate: "0.9" });
    expect((await quote(id, { rate: "0.85" }, headers)).body).toEqual(first.body);
    expect(stored(id).currency?.rate).toBe("0.9");
  });

  test("has each quote in its timeline, the one that holds last, when several come at once", async () => {
    const { invoice_id: id } = await make();
    const rates = Array.from({ length: 4 }, (_, at) => `0.8${at}`);
    await Promise.all(rates.map((rate) => quote(id, { rate })));
    const { body } = await till.api("GET", `/api/invoices/${id}/timeline`);
    const quoted = body.data.filter(({ type }: { type: string }) => type === "quoted");
    expect(quoted.map(({ data }: { data: { rate: string } }) => data.rate).toSorted()).toEqual(rates);
    expect(quoted.at(-1).data.rate).toBe(stored(id).currency?.rate);
  });

  test("stays as it is while nobody says a rate, or at one that is none", async () => {
    const { invoice_id: id } = await make();
    now += 11 * 60_000;
    exchanges.set("all", "hangs up");
    expect((await quote(id)).body.code).toBe("rate_unavailable");
    for (const rate of ["0", "x", "0.00000000001", "1000000000"])
      expect((await quote(id, { rate })).body.errors[0].field).toBe("rate");
    expect(stored(id).currency?.rate).toBe("0.8607");
  });
});

describe("an invoice is not quoted again", () => {
  const cases: [string, object, (id: string) => unknown, RegExp][] = [
    ["before it is overdue", { due_date: "2030-01-31" }, () => {}, /not overdue/],
    ["in USDC", { currency: null }, () => {}, /is in USDC/],
    ["when it is void", {}, (id) => till.api("POST", `/api/invoices/${id}/void`, { reason: "x" }), /void/],
    [
      "when it is marked as paid",
      {},
      (id) => till.api("POST", `/api/invoices/${id}/mark`, { as: "paid" }),
      /marked as paid/,
    ],
    ["when a payment was seen", {}, (id) => see(id, 138_260_000n), /on its way/],
    ["when a signed payment is on its way", {}, signed, /on its way/],
    [
      "when Circle has signed a payment from another network",
      {},
      (id) => cross(till.db, stored(id).deposit.index, 10_000n, now),
      /on its way/,
    ],
    [
      "when a signed payment failed that anybody can still bring",
      {},
      (id) => {
        signed(id);
        const failed =
          "UPDATE relay SET state = 'failed', failure = 'reverted', ended_at = 1 WHERE deposit_index = ?";
        till.db.query(failed).run(stored(id).deposit.index);
      },
      /on its way/,
    ],
    ["when a part of it was paid", {}, (id) => see(id, 10_000n, true), /paid in part/],
  ];
  test.each(cases)("%s", async (_, changes, before, detail) => {
    const { invoice_id: id } = await make(changes);
    await before(id);
    const asked = exchanges.asked.length;
    const { status, body } = await quote(id);
    expect([status, body.code, body.detail]).toEqual([409, "quote_refused", expect.stringMatching(detail)]);
    expect(exchanges.asked.length).toBe(asked);
  });

  test("when a payment is seen while the rate is asked for", async () => {
    const { invoice_id: id } = await make();
    now += 11 * 60_000;
    const before = exchanges.asked.length;
    const seen = Promise.withResolvers<void>();
    exchanges.set("all", { bid: "0.8606", ask: "0.8608", after: seen.promise });
    const quoting = quote(id);
    await until(
      () => exchanges.asked.length,
      (count) => count > before,
    );
    see(id, 138_260_000n);
    seen.resolve();
    expect((await quoting).body.code).toBe("quote_refused");
    expect(stored(id).deposit.expected).toBe(stored(id).total);
    expect(stored(id).currency?.rate).toBe("0.8607");
  });
});
