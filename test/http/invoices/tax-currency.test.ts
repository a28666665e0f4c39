import { afterAll, beforeAll, expect, test } from "bun:test";
import { solidTextOf } from "../../document/poppler.ts";
import { startExchanges } from "../../support/http/exchanges.ts";
import { shared } from "../../support/per-file.ts";
import { businessRequest, startTestTill, type TestTill } from "../../support/till/till.ts";

/** The tax of an invoice in the currency of the seller's country: by the central bank, by the market, by the merchant. */

let till: TestTill;
// Before the exchanges end.
afterAll(async () => {
  await till.stop();
  await bank.stop(true);
});

const exchanges = shared(() => startExchanges(() => now));
const now = Date.parse("2026-11-23T09:00:00Z");
let isBankAway = false;
let bankAsked = 0;

const bank = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch() {
    bankAsked += 1;
    // Time itself: a bank takes a while, in which others ask for the same.
    await Bun.sleep(30);
    return isBankAway
      ? new Response(null, { status: 503 })
      : new Response(`<gesmes:Envelope xmlns="x"><gesmes:subject>Reference rates</gesmes:subject>
  <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube>
  <Cube time="2026-11-20"><Cube currency="USD" rate="1.1500"/><Cube currency="JPY" rate="170.55"/>
  <Cube currency="PLN" rate="4.2500"/><Cube currency="CZK" rate="25.000"/></Cube></Cube></gesmes:Envelope>`);
  },
});

beforeAll(async () => {
  exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
  till = await startTestTill(
    { rpcUrl: "http://127.0.0.1:9" },
    { TILL_RATES: exchanges.setting, TILL_TAX_RATES: `ecb=http://127.0.0.1:${bank.port}` },
    { now: () => now },
  );
});

const { currency: _, rate: __, discount_percent: ___, prices_include_tax: ____, ...base } = businessRequest;
const line_items = [
  { description: "Design", quantity: 1, unit_price: "100.00", tax_rate: "19" },
  { description: "Book", quantity: 1, unit_price: "50.00", tax_rate: "7" },
];
async function make(changes: object) {
  const request = { ...base, line_items, send_now: false, ...changes };
  const { status, body } = await till.api("POST", "/api/invoices", request);
  expect([status, body.errors]).toEqual([201, undefined]);
  return (await till.api("GET", `/api/invoices/${body.invoice_id}`)).body;
}
const usd = { currency: "USD", rate: "1" };

test("dollars have the reference rate that is out, on every document", async () => {
  const invoice = await make(usd);
  expect(invoice.tax_in_currency).toEqual({
    currency: "EUR",
    tax_amount: "19.57",
    exchange_rate: {
      rate: "0.8695652174",
      source: "ECB 2026-11-20: 1 EUR = 1.1500 USD",
      fetched_at: "2026-11-20T15:00:00.000Z",
    },
  });
  const label = "USt. in EUR (1 EUR = 1.1500 USD · European Central Bank · 20 November 2026)";
  const page = await (await fetch(`${till.localUrl}/i/${invoice.slug}`)).text();
  expect(page).toContain(label);
  const pdf = Buffer.from(await (await fetch(invoice.pdf_url)).arrayBuffer());
  expect(await solidTextOf(pdf)).toContain(label.replaceAll(" ", ""));
  const xml = async (format: string) =>
    (await fetch(`${till.localUrl}/api/invoices/${invoice.id}/e-invoice?format=${format}`)).text();
  expect(await xml("cii")).toContain('<ram:TaxTotalAmount currencyID="EUR">19.57</ram:TaxTotalAmount>');
  expect(await xml("ubl")).toContain("<cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>");

  const { body: note } = await till.api("POST", `/api/invoices/${invoice.id}/credit-notes`, {
    reason: "Returned",
    lines: [{ line: 2 }],
  });
  expect(note.tax_in_currency).toMatchObject({ currency: "EUR", tax_amount: "3.04" });
  const credited = Buffer.from(await (await fetch(note.pdf_url)).arrayBuffer());
  expect(await solidTextOf(credited)).toContain("3.04");
  expect(await solidTextOf(credited)).toContain("USt.inEUR(1EUR=1.1500USD");

  const rows = async (name: string) => {
    const text = await (await fetch(`${till.localUrl}/api/exports/${name}?from=2026-01-01`)).text();
    const [head = "", ...lines] = text.trim().split("\r\n");
    return lines.map((text) => {
      const cells = text.split(",");
      return Object.fromEntries(head.split(",").map((column, at) => [column, cells[at]]));
    });
  };
  const taxes = (await rows("taxes")).filter((row) => row["invoice_number"] === invoice.invoice_number);
  expect(taxes.map((row) => row["tax_currency_amount"])).toEqual(["16.53", "3.04", "-3.04"]);
  expect(taxes[0]).toMatchObject({ tax_currency: "EUR", tax_currency_rate: "0.8695652174" });
  expect(await rows("tax-sums")).toContainEqual(
    expect.objectContaining({ tax_rate: "7.00", currency: "USD", tax_currency_amount: "0.00" }),
  );
});

test("the mail names the currency of each amount", async () => {
  const { invoice_number } = await make({ ...usd, send_now: true });
  const text = till.mail.list().find(({ subject }) => subject.includes(invoice_number))?.text ?? "";
  expect(text).toMatch(/USt\. in EUR \(1 EUR = 1\.1500 USD.*\): 19\.57 EUR/);
  expect(text).toMatch(/USt\. 19% on 100\.00: 19\.00 USD/);
});

test("of many that are made at once each has it, and the bank is asked once", async () => {
  isBankAway = false;
  const before = bankAsked;
  const made = await Promise.all(Array.from({ length: 6 }, () => make({ currency: "CZK", rate: "20" })));
  expect(made.map(({ tax_in_currency }) => tax_in_currency?.tax_amount)).toEqual(Array(6).fill("0.90"));
  expect(bankAsked).toBe(before + 1);
});

test("USDC has the price of the market today, that of dollars at par, and of an earlier day the bank's", async () => {
  const { tax_in_currency: today } = await make({});
  expect(today).toMatchObject({
    tax_amount: "19.37",
    exchange_rate: { source: "kraken, coinbase, bitstamp" },
  });
  const earlier = { issue_date: "2026-11-20", due_date: "2026-12-20" };
  const { tax_in_currency: friday } = await make(earlier);
  expect(friday.exchange_rate.source).toBe("ECB 2026-11-20: 1 EUR = 1.1500 USD");
  const supplied = { delivery_date: "2026-11-20" };
  expect((await make(supplied)).tax_in_currency.exchange_rate).toEqual(friday.exchange_rate);
  expect((await make({ issue_date: "2025-11-20" })).tax_in_currency).toBeUndefined();
});

test("another country has its own currency, and some ask for nothing", async () => {
  const seller = (country: string) => ({ merchant_details: { ...base.merchant_details, country } });
  const polish = await make({ ...seller("PL"), currency: "JPY", rate: "150" });
  expect(polish.tax_in_currency).toMatchObject({
    currency: "PLN",
    exchange_rate: { rate: "0.0249193785", source: "ECB 2026-11-20: 1 EUR = 170.55 JPY = 4.2500 PLN" },
  });
  expect((await make({ ...usd, ...seller("US") })).tax_in_currency).toBeUndefined();
  expect((await make({ currency: "EUR", rate: "0.86" })).tax_in_currency).toBeUndefined();
  const untaxed = line_items.map(({ tax_rate: _, ...item }) => ({ ...item, tax_category: "reverse_charge" }));
  expect((await make({ ...usd, line_items: untaxed })).tax_in_currency).toBeUndefined();
});

test("a rate of the merchant is taken, and a bank that is away keeps no invoice from being made", async () => {
  const own = await make({ ...usd, tax_exchange_rate: "0.9" });
  expect(own.tax_in_currency).toMatchObject({ tax_amount: "20.25", exchange_rate: { source: "caller" } });
  isBankAway = true;
  const { tax_in_currency } = await make({
    currency: "JPY",
    rate: "150",
    issue_date: "2026-11-19",
    due_date: "2026-12-20",
  });
  expect(tax_in_currency).toBeUndefined();
  const wrong = { ...base, line_items, tax_exchange_rate: "0" };
  const { status, body } = await till.api("POST", "/api/invoices", wrong);
  expect([status, body.errors[0].field]).toEqual([400, "tax_exchange_rate"]);
});
