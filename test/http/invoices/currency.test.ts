import { beforeEach, describe, expect, test } from "bun:test";
import { checkRates } from "../../../src/doctor/check-services.ts";
import { replayStored } from "../../../src/doctor/replay.ts";
import type { Finding } from "../../../src/domain/finding.ts";
import { solidTextOf } from "../../document/poppler.ts";
import { startExchanges } from "../../support/http/exchanges.ts";
import { shared } from "../../support/per-file.ts";
import { invoiceRequest, startTestTill, until } from "../../support/till/till.ts";

const exchanges = shared(() => startExchanges(() => now));
const till = shared(() =>
  startTestTill({ rpcUrl: "http://127.0.0.1:9" }, { TILL_RATES: exchanges.setting }, { now: () => now }),
);
let now = Date.now();
beforeEach(() => {
  now += 11 * 60_000;
  exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
});

const item = { description: "Design", quantity: 1, unit_price: "119.00" };
const create = (changes: object, headers = {}) =>
  till.api("POST", "/api/invoices", { ...invoiceRequest, line_items: [item], ...changes }, headers);

describe("an invoice in euros", () => {
  test("is fixed in USDC at the rate of the moment, with its sources", async () => {
    const { status, body } = await create({ currency: "EUR" });
    expect([status, body.total_amount, body.expected_usdc]).toEqual([201, "119.00", "138.26"]);
    expect(body.exchange_rate).toEqual({
      rate: "0.8607",
      source: "kraken, coinbase, bitstamp",
      fetched_at: new Date(now).toISOString(),
    });
  });

  test("is told of wrong amounts without a word of USDC", async () => {
    const line_items = [
      { ...item, unit_price: "1,00" },
      { ...item, unit_price: 1 },
    ];
    const { body } = await create({ currency: "EUR", line_items });
    expect(body.errors.map(({ message }: { message: string }) => message.slice(0, 20))).toEqual([
      "must be an amount as",
      "must be an amount fr",
    ]);
    expect((await create({ line_items })).body.errors[0].message).toContain("an amount of USDC");
  });

  test("asks nobody when it is in USDC or brings its rate", async () => {
    const before = exchanges.asked.length;
    await create({});
    await create({ currency: "EUR", rate: "0.9" });
    await create({ currency: "CHF", rate: "0.8" });
    expect(exchanges.asked.length).toBe(before);
  });

  test("is refused with 503 while nobody says a rate, and made with the caller's", async () => {
    exchanges.set("all", { body: "", status: 503 });
    const { status, headers, body } = await create({ currency: "EUR" });
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "rate_unavailable", "60"]);
    expect(till.logged.join("\n")).toMatch(
      /\[rate\.unusable\].*HTTP 503.*source=kraken currency=EUR|\[rate\.unusable\]/,
    );
    expect((await create({ currency: "EUR", rate: "0.86" })).status).toBe(201);
  });

  test("in a currency that nobody is asked about needs a rate", async () => {
    const { body } = await create({ currency: "CHF" });
    expect(body).toMatchObject({
      status: 400,
      errors: [{ field: "rate", message: "is required: no source has a rate of USDC in CHF" }],
    });
  });

  test("in a currency that exists no longer is refused, whatever its rate", async () => {
    for (const currency of ["DEM", "FRF", "BGN", "XAU", "XTS"]) {
      const { status, body } = await create({ currency, rate: "1.9" });
      expect([status, body.errors[0].field]).toEqual([400, "currency"]);
    }
  });

  test("keeps its first rate when the request comes again", async () => {
    const headers = { "idempotency-key": "rate-1" };
    const first = await create({ currency: "EUR" }, headers);
    exchanges.set("all", { bid: "0.8700", ask: "0.8702" });
    now += 11 * 60_000;
    expect((await create({ currency: "EUR" }, headers)).body).toEqual(first.body);
    exchanges.set("all", "hangs up");
    expect((await create({ currency: "EUR" }, headers)).body).toEqual(first.body);
  });

  test("comes to what can be paid: more than 0.00 and no more than the most", async () => {
    const cases = [
      [{ rate: "1000000" }, "0.01", "rate"],
      [{ rate: "0.000001" }, "1000000000.00", "rate"],
      [{}, "1000000000.00", "line_items"],
    ] as const;
    for (const [changes, price, field] of cases) {
      const { status, body } = await create({
        currency: "EUR",
        ...changes,
        line_items: [{ ...item, unit_price: price }],
      });
      expect([status, body.errors]).toEqual([400, [{ field, message: expect.stringMatching(/USDC/) }]]);
    }
  });

  test("in dollars counts them one to one only when the merchant said so", async () => {
    exchanges.set("all", { bid: "0.9997", ask: "0.9998" });
    expect((await create({ currency: "USD" })).body).toMatchObject({
      expected_usdc: "119.03",
      exchange_rate: { rate: "0.99975", source: "kraken, bitstamp" },
    });
    const merchant = `/api/merchants/${invoiceRequest.merchant_email}`;
    await till.api("PUT", merchant, { usd_parity: true });
    const before = exchanges.asked.length;
    expect((await create({ currency: "USD" })).body).toMatchObject({
      expected_usdc: "119.00",
      exchange_rate: { rate: "1", source: "parity" },
    });
    expect(exchanges.asked.length).toBe(before);
    expect((await create({ currency: "USD", rate: "0.5" })).body.expected_usdc).toBe("238.00");
    expect((await create({ currency: "EUR", rate: "0.5" })).body.exchange_rate.source).toBe("caller");
    await till.api("PUT", merchant, {});
  });

  test("is found whole by the doctor, whose sources are asked", async () => {
    const findings: Finding<string>[] = [];
    exchanges.set("all", { bid: "0.8606", ask: "0.8608", at: Date.now() });
    replayStored(
      till.db,
      null,
      (finding) => findings.push(finding),
      () => {},
    );
    await checkRates(till.config, till.db, (finding) => findings.push(finding));
    expect(findings.filter(({ level }) => level !== "ok")).toEqual([]);
    expect(findings.map(({ message }) => message).join("\n")).toContain("1 USDC = 0.8607 EUR");
    exchanges.set("all", { body: "", status: 503 });
    const wrong: Finding<string>[] = [];
    await checkRates(till.config, till.db, (finding) => wrong.push(finding));
    expect(wrong.map(({ level, message }) => [level, message])[0]).toEqual([
      "wrong",
      expect.stringMatching(/EUR \(kraken: HTTP 503; coinbase: HTTP 503/),
    ]);
  });

  test("has the doctor ask the central bank, where the books go by it", async () => {
    const closed = { baseUrl: "http://127.0.0.1:9" };
    const findings: Finding<string>[] = [];
    const config = { ...till.config, rates: [], bookkeepingCurrency: "GBP", bookkeepingEcb: closed };
    await checkRates(config, till.db, (finding) => findings.push(finding));
    expect(findings.map(({ level, message }) => [level, message])).toEqual([
      ["warning", expect.stringContaining("European Central Bank gives no rate of GBP (")],
    ]);
    const off = { ...config, bookkeepingCurrency: "EUR", bookkeepingEcb: null };
    await checkRates(off, till.db, (finding) => findings.push(finding));
    expect(findings.at(-1)?.message).toContain("nobody says what a payment was worth in EUR");
  });

  test("warns of it in its health while nobody says a rate that was wanted", async () => {
    exchanges.set("all", { body: "", status: 503 });
    await create({ currency: "EUR" });
    const told = async () => JSON.stringify((await till.api("GET", "/health/ready")).body);
    expect(await told()).toContain("gives a rate of USDC in EUR");
    exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
    now += 10_000;
    expect((await create({ currency: "EUR" })).status).toBe(201);
    expect(await told()).not.toContain("rate of USDC in EUR");
  });

  test("is shown in it to the customer: on the page, on paper and in the mail, with its rate", async () => {
    const { body } = await create({ currency: "EUR", merchant_name: "Rated Ltd" });
    const rate = "1 USDC = 0.8607 EUR · Kraken, Coinbase and Bitstamp · ";
    const page = await (await fetch(body.invoice_url)).text();
    for (const text of ["Amount (EUR)", "119.00", "Amount to pay in USDC", "138.26", rate])
      expect(page).toContain(text);
    const paper = await solidTextOf(await (await fetch(body.pdf_url)).bytes());
    for (const text of ["Amount (EUR)", "119.00 EUR", "138.26 USDC", rate])
      expect(paper).toContain(text.replaceAll(" ", ""));
    const mail = await until(
      () => till.mail.list().find(({ subject }) => subject.includes("Rated Ltd")),
      (found) => found !== undefined,
    );
    for (const text of ["138.26 USDC", "119.00 EUR", rate]) expect(JSON.stringify(mail)).toContain(text);
    const credit = { reason: "Half of it", amounts: [{ amount: "59.50" }] };
    expect((await till.api("POST", `/api/invoices/${body.invoice_id}/credit-notes`, credit)).status).toBe(
      201,
    );
    for (const shown of [
      await (await fetch(body.invoice_url)).text(),
      await solidTextOf(await (await fetch(body.pdf_url)).bytes()),
    ]) {
      expect(shown).toContain("69.13");
      expect(shown).not.toContain("138.26");
    }
    await till.api("POST", `/api/invoices/${body.invoice_id}/void`, { reason: "Twice" });
  });
});
