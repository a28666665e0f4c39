import { afterAll, beforeAll, expect, test } from "bun:test";
import { receiptWarnings } from "../../../src/doctor/database-findings.ts";
import { createLog } from "../../../src/lib/log.ts";
import { counted } from "../../../src/lib/text/english.ts";
import { startReceiptTax } from "../../../src/outbox/receipt-tax.ts";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import * as OriginalStore from "../../../src/store/tables/invoicing/original.ts";
import * as ReceiptStore from "../../../src/store/tables/invoicing/receipt.ts";
import { solidTextOf } from "../../document/poppler.ts";
import { shared } from "../../support/per-file.ts";
import { rowsOf } from "../../support/till/moves.ts";
import { linkRequest, startTestTill, until } from "../../support/till/till.ts";

/** The tax of a link's receipt in the currency of the seller's country: the bank's rate of the day of its issue. */

const till = shared(() =>
  startTestTill(
    { rpcUrl: "http://127.0.0.1:9" },
    { TILL_TAX_RATES: `ecb=http://127.0.0.1:${bank.port}` },
    { now: () => now },
  ),
);
let now = Date.parse("2026-11-23T09:00:00Z");
const minute = 60_000;
let isBankAway = false;
let rate = "1.1500";
let day = "2026-11-20";
let hold: (() => Promise<void>) | null = null;

const bank = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch() {
    await hold?.();
    return isBankAway
      ? new Response(null, { status: 503 })
      : new Response(`<gesmes:Envelope xmlns="x"><gesmes:subject>Reference rates</gesmes:subject>
  <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube>
  <Cube time="${day}"><Cube currency="USD" rate="${rate}"/></Cube></Cube></gesmes:Envelope>`);
  },
});

const merchant = linkRequest.merchant_email;
beforeAll(async () => {
  const saved = {
    name: "Kanne & Tee",
    usd_parity: true,
    details: { country: "DE", vat_id: "DE136695976", city: "Berlin" },
  };
  const { status, body } = await till.api("PUT", `/api/merchants/${merchant}`, saved);
  expect([status, body.errors]).toEqual([200, undefined]);
});
afterAll(async () => {
  await bank.stop(true);
});

const line_items = [
  { description: "Teapot", quantity: 1, unit_price: "119.00", tax_rate: "19" },
  { description: "Book", quantity: 1, unit_price: "10.70", tax_rate: "7" },
];
async function paid(changes: object = {}): Promise<string> {
  const request = { ...linkRequest, expected_amount: undefined, line_items, ...changes };
  const { status, body } = await till.api("POST", "/api/links", request);
  expect([status, body.errors]).toEqual([201, undefined]);
  const marked = await till.api("POST", `/api/links/${body.slug}/mark`, { as: "paid" });
  expect(marked.status).toBe(200);
  return body.slug;
}
const stated = async (slug: string) =>
  (await till.api("GET", `/api/links/${slug}/receipt.json`)).body.receipt_proof.receipt.tax_in_currency;
const pdfOf = async (slug: string) =>
  solidTextOf(Buffer.from(await (await fetch(`${till.localUrl}/api/links/${slug}/receipt`)).arrayBuffer()));
const taxesOf = async (slug: string) => {
  const number = LinkStore.bySlug(till.db, slug)?.receiptNumber;
  const { rows } = await rowsOf(till.db, "taxes");
  return rows.filter((row) => row["receipt_number"] === number);
};
const inEuros = {
  currency: "EUR",
  // 19.70 at 1.15 dollars for a euro.
  tax_amount: "17.13",
  exchange_rate: {
    rate: "0.8695652174",
    source: "ECB 2026-11-20: 1 EUR = 1.1500 USD",
    fetched_at: "2026-11-20T15:00:00.000Z",
  },
};

test("it stands on the receipt from the first time that anybody sees it, on its page and in the books", async () => {
  const slug = await paid();
  const pdf = await pdfOf(slug);
  expect(pdf).toContain("USt.inEUR(1EUR=1.1500USD");
  expect(pdf).toContain("17.13EUR");
  expect(await stated(slug)).toEqual(inEuros);
  const page = await (await fetch(`${till.localUrl}/pay/${slug}`)).text();
  expect(page).toContain("USt. in EUR (1 EUR = 1.1500 USD");
  expect(await taxesOf(slug)).toMatchObject([
    { tax_rate: "19.00", tax_currency: "EUR", tax_currency_amount: "16.52" },
    { tax_rate: "7.00", tax_currency: "EUR", tax_currency_amount: "0.61" },
  ]);
});

test("what refunds take back of it comes to the cent to what it was", async () => {
  const slug = await paid();
  await stated(slug);
  const index = LinkStore.bySlug(till.db, slug)?.deposit.index ?? -1;
  // The money came after all.
  till.db.run("UPDATE receivable SET received_amount = expected_amount WHERE deposit_index = ?", [index]);
  expect((await till.api("POST", `/api/links/${slug}/mark`, { as: "unpaid" })).status).toBe(200);
  for (const amount of ["43.00", "43.35", "43.35"]) {
    const made = await till.api("POST", "/api/refunds", {
      link: slug,
      amount,
      elsewhere: true,
      reason: "Back",
    });
    expect([made.status, made.body.errors]).toEqual([201, undefined]);
  }
  const rows = await taxesOf(slug);
  const cents = rows.map((row) => Math.round(Number(row["tax_currency_amount"]) * 100));
  expect(cents).toHaveLength(8);
  expect(cents.filter((each) => each < 0)).toHaveLength(6);
  expect(cents.reduce((sum, each) => sum + each, 0)).toBe(0);
});

test("a bank that is away keeps nobody from the receipt, and what is stated later never changes", async () => {
  isBankAway = true;
  // Nothing that was read before is new enough.
  now = Date.parse("2026-12-02T09:00:00Z");
  const slug = await paid({ merchant_email: "other@kanne.example", line_items, business_name: "Other" });
  expect(await stated(slug)).toBeUndefined();
  await till.api("PUT", "/api/merchants/other@kanne.example", {
    name: "Other",
    address: null,
    usd_parity: true,
    details: { country: "SE" },
  });
  // Issued while nothing was known of the seller's country.
  expect(await taxesOf(slug)).toMatchObject([{ tax_currency: null }, { tax_currency: null }]);

  const waiting = await paid();
  expect(await pdfOf(waiting)).not.toContain("USt.inEUR");
  isBankAway = false;
  day = "2026-12-01";
  now += minute;
  const first = await stated(waiting);
  expect(first).toMatchObject({
    tax_amount: "17.13",
    exchange_rate: { source: "ECB 2026-12-01: 1 EUR = 1.1500 USD" },
  });
  const index = LinkStore.bySlug(till.db, waiting)?.deposit.index ?? -1;
  await pdfOf(waiting);
  const kept = OriginalStore.listOf(till.db, index).filter(({ kind }) => kind === "receipt");
  expect(kept.map(({ version }) => version)).toEqual([0, 1]);
  expect((await rowsOf(till.db, "receipts")).rows.at(-1)).toMatchObject({
    tax_currency: "EUR",
    tax_currency_amount: "17.13",
  });
  rate = "2.0000";
  now = Date.parse("2026-12-05T09:00:00Z");
  expect(await stated(waiting)).toEqual(first);
  expect(() => till.db.run("UPDATE receipt SET tax_in_currency = NULL")).toThrow("a receipt never changes");
});

test("a link in the currency of the country needs none, and Till states it though nobody looks", async () => {
  // The Till of this test looks by itself too: nothing that it read is new enough, and it hears nothing more.
  isBankAway = true;
  now = Date.parse("2026-12-14T09:00:00Z");
  const own = await paid({ currency: "EUR", rate: "0.5" });
  expect(await stated(own)).toBeUndefined();
  const unseen = await paid();
  const index = LinkStore.bySlug(till.db, unseen)?.deposit.index ?? -1;
  const asked: unknown[] = [];
  const stating = startReceiptTax({
    db: till.db,
    log: createLog({ format: "text", level: "debug", write: () => {} }),
    now: () => now,
    config: { timeZone: "UTC", taxEcb: { baseUrl: "" } },
    async taxRates(wanted) {
      asked.push(wanted);
      return { rate: "0.9", source: "caller", fetchedAt: now };
    },
  });
  await until(
    () => ReceiptStore.byDeposit(till.db, index)?.taxInCurrency ?? null,
    (tax) => tax !== null,
  );
  await stating.stop();
  expect(asked).toEqual([{ from: "USDC", to: "EUR", day: "2026-12-14", isToday: true, isParity: true }]);
  expect((await stated(unseen)).tax_amount).toBe("17.73");
});

test("a receipt that stopped being one while the bank was asked is none", async () => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  hold = () => {
    asked.resolve();
    return held.promise;
  };
  // Nothing that was read before is new enough.
  now = Date.parse("2026-12-16T09:00:00Z");
  day = "2026-12-15";
  isBankAway = false;
  const receipt = await paid();
  const answer = till.api("GET", `/api/links/${receipt}/receipt.json`);
  await asked.promise;
  expect((await till.api("POST", `/api/links/${receipt}/mark`, { as: "unpaid" })).status).toBe(200);
  hold = null;
  held.resolve();
  expect((await answer).status).toBe(409);
});

test("a rate that nobody ever knows keeps no other receipt waiting", async () => {
  isBankAway = true;
  now = Date.parse("2027-01-05T09:00:00Z");
  const older = await paid();
  now += minute;
  await paid({ currency: "JPY", rate: "150" });
  const index = LinkStore.bySlug(till.db, older)?.deposit.index ?? -1;
  const stating = startReceiptTax({
    db: till.db,
    log: createLog({ format: "text", level: "debug", write: () => {} }),
    now: () => now,
    config: { timeZone: "UTC", taxEcb: { baseUrl: "" } },
    taxRates: async ({ from }) => (from === "JPY" ? null : { rate: "0.9", source: "caller", fetchedAt: now }),
  });
  await until(
    () => ReceiptStore.byDeposit(till.db, index)?.taxInCurrency ?? null,
    (tax) => tax !== null,
  );
  await stating.stop();
});

test("doctor says which receipts a rate was never found for", async () => {
  const eightDays = 8 * 86_400_000;
  const before = ReceiptStore.countWithoutRate(till.db, 0, now);
  await till.api("POST", "/api/links", linkRequest);
  till.db.run(
    `INSERT INTO receipt (sequence, number, deposit_index, issue_date, seller, created_at, tax_currency)
     SELECT 999, 'R-0999', deposit_index, '2026-11-17', '{"name":"Kanne","address":null,"details":null}', ?, 'EUR'
     FROM receivable WHERE deposit_index NOT IN (SELECT deposit_index FROM receipt) LIMIT 1`,
    [now - eightDays],
  );
  expect(till.db.query("SELECT changes() AS n").get()).toEqual({ n: 1n });
  expect(receiptWarnings(till.db, now)[0]?.message).toContain(
    `${counted(before + 1, "receipt")} of payment links ${before === 0 ? "states" : "state"} no tax in the currency`,
  );
  expect(ReceiptStore.listAwaitingRate(till.db, now)).not.toContain(999);
});
