import { beforeEach, describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import { solidTextOf } from "../../document/poppler.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { newSigner } from "../../support/chain/signer.ts";
import { startExchanges } from "../../support/http/exchanges.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { type Accepted, decoded, encoded, makePayment, payingTill } from "../../support/http/x402.ts";
import { shared } from "../../support/per-file.ts";
import { cross } from "../../support/till/moves.ts";
import { linkRequest, until, untilIs } from "../../support/till/till.ts";
import { begin, openForm, sendForm, slugIn } from "../../support/till/visitor.ts";

/** Links in a currency: how they are made, how long their price holds, and what becomes of it then. */

const exchanges = shared(() => startExchanges(() => now));

const chain = shared(startTestChain);
const node = shared(() => startRpcProxy(chain.rpcUrl));
const till = shared(() =>
  payingTill(
    { ...chain, rpcUrl: node.url },
    { TILL_RATES: exchanges.setting, TILL_TOLERANCE: "0.50" },
    { now: () => now },
  ),
);
let now = Date.now();
beforeEach(() => {
  now += 11 * minuteMs;
  node.answer = null;
  exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
});

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Payers who pay at the last moment have a minute. */
const lateMs = minuteMs;

const inEuros = { ...linkRequest, expected_amount: undefined, currency: "EUR", amount: "20.00" };
const post = (changes: object = {}, headers = {}) =>
  till.api("POST", "/api/links", { ...inEuros, ...changes }, headers);
async function make(changes: object = {}): Promise<Record<string, string>> {
  const { status, body } = await post(changes);
  expect([status, body.errors]).toEqual([201, undefined]);
  return body;
}
type Made = Record<string, string>;
const stored = ({ slug = "" }: Made) => {
  const link = LinkStore.bySlug(till.db, slug);
  if (!link) throw new Error("no such link");
  return link;
};
/** Between the style and the script. */
const page = async ({ payment_link = "" }: Made) =>
  /<body.*(?=<script)/s.exec(await (await fetch(payment_link)).text())?.[0] ?? "";
const section = async ({ payment_link }: Made) => (await fetch(`${payment_link}/payment`)).text();
const statusOf = async ({ slug }: Made) => (await till.api("GET", `/api/payments/status/${slug}`)).body;
const becomes = (made: Made, status: string) => untilIs(() => statusOf(made), { status });
const pay = (made: Made, amount: string | bigint) =>
  chain.pay(Address.checksum(made["deposit_address"] ?? ""), amount);
const quotes = async ({ slug }: Made) =>
  (await till.api("GET", `/api/links/${slug}/timeline`)).body.data.filter(
    ({ type }: { type: string }) => type === "quoted",
  );
const faultsOf = async (changes: object) => {
  const { status, body } = await post(changes);
  expect(status).toBe(400);
  return Object.fromEntries(
    body.errors.map((fault: Record<string, string>) => [fault["field"], fault["message"]]),
  );
};
/** From now on the price of what was made before has ended, and can be quoted again. */
const endPrices = () => {
  now += dayMs + lateMs;
};
const cheaper = () => exchanges.set("all", { bid: "0.9999", ask: "1.0001" });

describe("a link in euros", () => {
  test("is fixed in USDC at the rate of the moment, for a day", async () => {
    const made = await make();
    const price = {
      currency: "EUR",
      amount: "20.00",
      expected_amount: "23.24",
      exchange_rate: {
        rate: "0.8607",
        source: "kraken, coinbase, bitstamp",
        fetched_at: new Date(now).toISOString(),
      },
      rate_expires_at: new Date(now + dayMs).toISOString(),
    };
    expect(made).toMatchObject(price);
    expect((await till.api("GET", `/api/links/${made["slug"]}`)).body).toMatchObject(price);
    const [listed] = (await till.api("GET", `/api/links?slug=${made["slug"]}`)).body.data;
    expect(listed).toMatchObject({ ...price, received_amount: "0.00" });
    expect(await statusOf(made)).toEqual({
      status: "pending",
      received_amount: "0.00",
      expected_amount: "23.24",
    });
  });

  test("has its price ended by its expiry, if that comes before", async () => {
    const expires_at = new Date(now + 3_600_000).toISOString();
    expect(await make({ expires_at })).toMatchObject({ rate_expires_at: expires_at });
    expect(await make({ expires_at, rate: "0.9" })).toMatchObject({ rate_expires_at: expires_at });
  });

  test("has either form of price, not both, and not a half of one", async () => {
    expect(await faultsOf({ amount: undefined })).toEqual({ amount: "is required with currency" });
    expect(await faultsOf({ currency: undefined })).toEqual({
      currency: "is required with amount; a price in USDC is expected_amount",
    });
    expect(await faultsOf({ expected_amount: "25.00" })).toEqual({
      expected_amount: "must be left out with currency and amount: Till computes it",
    });
    expect(await faultsOf({ currency: undefined, amount: undefined, rate: "0.9" })).toEqual({
      expected_amount: "is required",
      rate: "must be left out without currency",
    });
    expect(await faultsOf({ amount: "0.00" })).toEqual({ amount: "must be more than 0.00 EUR" });
    expect(JSON.stringify(await faultsOf({ amount: "1,00" }))).not.toContain("USDC");
    expect(await faultsOf({ amount_min: "1.00" })).toEqual({
      amount_min: "must be left out without reusable: true",
    });
    expect(await faultsOf({ rate: "100000" })).toEqual({
      rate: expect.stringContaining("makes 0.00 USDC of the total"),
    });
    expect(await faultsOf({ currency: "DEM" })).toHaveProperty("currency");
    expect(await faultsOf({ amount: "1000000000.00" })).toEqual({
      amount: expect.stringContaining("makes more than 1000000000.00 USDC"),
    });
  });

  test("is not made while nobody says a rate, and nothing of it is", async () => {
    exchanges.set("all", { body: "", status: 503 });
    const count = () => till.db.query("SELECT count(*) AS count FROM receivable").get();
    const before = count();
    const { status, headers, body } = await post();
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "rate_unavailable", "60"]);
    expect(await faultsOf({ currency: "CHF" })).toEqual({
      rate: "is required: no source has a rate of USDC in CHF",
    });
    expect(count()).toEqual(before);
    expect(await make({ currency: "CHF", rate: "0.8" })).toMatchObject({ expected_amount: "25.00" });
  });
});

describe("the page of a link in euros", () => {
  test("asks for nothing once that has ended, and for the new amount a minute later", async () => {
    const made = await make();
    const open = await page(made);
    const until = new Date(now + dayMs).toISOString();
    for (const text of ["23.24", "1 USDC = 0.8607 EUR · Kraken, Coinbase and Bitstamp", until])
      expect(open).toContain(text);
    cheaper();
    now += dayMs;
    for (const shown of [await page(made), await section(made)]) {
      expect(shown).toContain("Exchange rate expired");
      for (const old of [made["deposit_address"] ?? "", "23.24"]) expect(shown).not.toContain(old);
    }
    expect(await quotes(made)).toEqual([]);
    now += lateMs;
    const shown = await page(made);
    for (const text of ["20.00", "1 USDC = 1 EUR", made["deposit_address"] ?? ""])
      expect(shown).toContain(text);
    expect(shown).not.toContain("23.24");
    expect(await quotes(made)).toMatchObject([
      {
        summary: "It was quoted again: 20.00 USDC, at 1 USDC = 1 EUR.",
        data: { before: { expected_usdc: "23.24", rate: "0.8607" } },
      },
    ]);
    const { deposit } = stored(made);
    expect([deposit.expected, deposit.tolerance].map(Number)).toEqual([20_000_000, 500_000]);
    expect((await till.api("GET", `/api/links?slug=${made["slug"]}`)).body.data[0]).toMatchObject({
      expected_amount: "20.00",
      rate_expires_at: new Date(now + dayMs).toISOString(),
    });
    // What was sent of the old amount says what it is.
    await pay(made, "23.24");
    expect(await becomes(made, "excess")).toMatchObject({
      received_amount: "23.24",
      expected_amount: "20.00",
    });
  });

  test("is answered by what its script asks for, and an old amount may be a part then", async () => {
    const made = await make();
    exchanges.set("all", { bid: "0.7999", ask: "0.8001" });
    endPrices();
    expect(await section(made)).toContain("25.00");
    await pay(made, "23.24");
    await becomes(made, "partial");
    endPrices();
    expect(await page(made)).toContain("1.76");
    expect(await quotes(made)).toHaveLength(1);
  });

  test("holds a payer who has begun to pay to nothing new", async () => {
    const made = await make();
    await pay(made, "5.00");
    await becomes(made, "partial");
    cheaper();
    endPrices();
    const shown = await page(made);
    expect(shown).toContain("18.24");
    expect(shown).not.toContain("Exchange rate expired");
    await pay(made, "18.24");
    await becomes(made, "confirmed");
  });

  test("is quoted again whatever dust a stranger sent, confirmed or not, and is paid by its new price", async () => {
    const made = await make();
    await pay(made, 1n);
    await untilIs(() => stored(made).deposit.received, 1n);
    cheaper();
    endPrices();
    const shown = await page(made);
    expect(shown).toContain("1 USDC = 1 EUR");
    expect(await quotes(made)).toHaveLength(1);
    await pay(made, "20.00");
    expect(await becomes(made, "confirmed")).toMatchObject({ received_amount: "20.00" });
  });

  test("counts what comes late, of what was shown last", async () => {
    const made = await make();
    cheaper();
    endPrices();
    await pay(made, "23.24");
    expect(await page(made)).not.toContain("20.00 USDC");
    expect(await becomes(made, "confirmed")).toMatchObject({ expected_amount: "23.24" });
    expect(await quotes(made)).toEqual([]);
  });

  test("never ends with a rate that the caller said, or with one to one", async () => {
    const merchant = `/api/merchants/${linkRequest.merchant_email}`;
    await till.api("PUT", merchant, { usd_parity: true });
    const said = await make({ rate: "0.8607" });
    const parity = await make({ currency: "USD" });
    await till.api("PUT", merchant, {});
    expect([said["rate_expires_at"], parity["rate_expires_at"], parity["expected_amount"]]).toEqual([
      undefined,
      undefined,
      "20.00",
    ]);
    cheaper();
    now += 40 * dayMs;
    expect(await page(said)).toContain("23.24");
    expect(await page(parity)).toContain("20.00");
    expect([...(await quotes(said)), ...(await quotes(parity))]).toEqual([]);
  });

  test("says so while no rate is to be had, and asks the exchanges once a minute for all who look", async () => {
    const made = await make();
    endPrices();
    exchanges.set("all", { body: "", status: 503 });
    const asked = exchanges.asked.length;
    const looks = await Promise.all(Array.from({ length: 5 }, () => section(made)));
    for (const shown of looks) expect(shown).toContain("Exchange rate expired");
    expect(exchanges.asked.length).toBe(asked + 3);
    cheaper();
    now += 20_000;
    expect(await page(made)).toContain("Exchange rate expired");
    expect(exchanges.asked.length).toBe(asked + 3);
    expect(till.logged.join("\n")).toMatch(/\[quote\.failed\].*No current rate of USDC in EUR/);
    now += 41_000;
    expect(await page(made)).toContain("1 USDC = 1 EUR");
  });

  test("waits no longer than some seconds, and holds nobody else up", async () => {
    const made = await make();
    const waiting = Promise.withResolvers<undefined>();
    node.answer = () => waiting.promise;
    cheaper();
    endPrices();
    const [first, other] = [page(made), make({ rate: "0.9" })];
    expect((await other)["expected_amount"]).toBe("22.22");
    expect(await first).toContain("Exchange rate expired");
    expect(await quotes(made)).toEqual([]);
    node.answer = null;
    waiting.resolve(undefined);
    await untilIs(() => quotes(made), { length: 1 });
  });
});

describe("a link is not quoted again", () => {
  test("while the node is away, as a payment of the old price may not be known", async () => {
    const made = await make();
    node.answer = () => new Response("no", { status: 503 });
    cheaper();
    await pay(made, "23.24");
    endPrices();
    expect(await page(made)).toContain("Exchange rate expired");
    expect(await quotes(made)).toEqual([]);
    node.answer = null;
    expect(await becomes(made, "confirmed")).toMatchObject({ expected_amount: "23.24" });
    now += minuteMs;
    await page(made);
    expect(await quotes(made)).toEqual([]);
  });

  test("when Circle has signed a payment from another network, which can be delivered on its page", async () => {
    const made = await make();
    cross(till.db, stored(made).deposit.index, 23_240_000n, now);
    cheaper();
    endPrices();
    const shown = await section(made);
    for (const text of ["Exchange rate expired", "Not delivered yet", "data-deliver"])
      expect(shown).toContain(text);
    expect(await statusOf(made)).toMatchObject({ expected_amount: "23.24" });
  });

  test("when it is void, has expired or was marked as paid", async () => {
    const expires_at = new Date(now + dayMs + 2 * minuteMs).toISOString();
    const [gone, marked, expired] = [await make(), await make(), await make({ expires_at })];
    await till.api("POST", `/api/links/${gone["slug"]}/void`, { reason: "Sold" });
    await till.api("POST", `/api/links/${marked["slug"]}/mark`, { as: "paid" });
    endPrices();
    now += 2 * minuteMs;
    for (const made of [gone, marked, expired]) {
      expect(await page(made)).not.toContain("Exchange rate expired");
      expect(await quotes(made)).toEqual([]);
    }
    expect(await page(expired)).toContain("This payment link has expired");
  });

  test("twice by two who open it at once", async () => {
    const made = await make();
    cheaper();
    endPrices();
    const shown = await Promise.all(
      Array.from({ length: 4 }, (_, at) => (at % 2 ? page(made) : section(made))),
    );
    for (const each of shown) expect(each).toContain("1 USDC = 1 EUR");
    expect(await quotes(made)).toHaveLength(1);
  });

  test("against a payment that comes at once: it is of one of the two prices, and says what it is", async () => {
    for (let round = 0; round < 2; round++) {
      const made = await make();
      exchanges.set("all", round % 2 ? { bid: "0.9999", ask: "1.0001" } : { bid: "0.7999", ask: "0.8001" });
      endPrices();
      await Promise.all([page(made), pay(made, "23.24")]);
      const { status, expected_amount } = await untilIs(() => statusOf(made), { received_amount: "23.24" });
      const is = { "23.24": "confirmed", "20.00": "excess", "25.00": "partial" } as Record<string, string>;
      expect(status).toBe(is[expected_amount]);
      const { deposit, currency } = stored(made);
      expect([currency?.rate === "0.8607", expected_amount === "23.24"]).toEqual(
        (await quotes(made)).length === 0 ? [true, true] : [false, false],
      );
      expect(deposit.expected).toBe(deposit.net);
      exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
      now += 11 * minuteMs;
    }
  });
});

describe("a signed payment", () => {
  const path = ({ slug }: Made) => `/x402/${slug}`;
  const offerOf = async (made: Made) => {
    const asked = await till.api("GET", path(made));
    expect(asked.status).toBe(402);
    return decoded(asked.headers.get("payment-required")).accepts[0];
  };
  /** For some minutes from now. */
  const sign = async (accepted: Accepted) =>
    makePayment(await newSigner(chain, 100_000_000n), accepted, {
      validBeforeSec: Math.floor(now / 1_000) + 1_800,
    });
  const bring = async (made: Made, payment: object) =>
    till.api("GET", path(made), undefined, { "payment-signature": encoded(payment) });

  test("of the price that ended is refused, and one of the new price pays", async () => {
    const made = await make();
    const offer = await offerOf(made);
    now += dayMs - minuteMs;
    const old = await sign(offer);
    cheaper();
    now += minuteMs;
    const early = await bring(made, old);
    expect([early.status, early.body.code, early.headers.get("retry-after")]).toEqual([
      503,
      "unpriced",
      "60",
    ]);
    expect((await till.api("GET", path(made))).body.code).toBe("unpriced");
    const ask = { payer: made["deposit_address"] };
    expect((await till.api("POST", `/pay/${made["slug"]}/authorization`, ask)).body).toMatchObject({
      code: "unpriced",
      message: "The exchange rate has expired. Nothing was sent. A new amount will be here in a minute.",
    });
    now += lateMs;
    const late = await bring(made, old);
    expect(late.status).toBe(402);
    expect(decoded(late.headers.get("payment-response"))).toMatchObject({
      success: false,
      errorReason: "invalid_exact_evm_payload_authorization_value_mismatch",
    });
    const accepted = await offerOf(made);
    expect(accepted.amount).toBe("20000000");
    expect((await bring(made, await sign(accepted))).status).toBe(200);
    await becomes(made, "confirmed");
  });

  test("is what holds the price when it is brought as the page is opened", async () => {
    const outcomes = new Set<number>();
    for (let round = 0; round < 3; round++) {
      const made = await make();
      const offer = await offerOf(made);
      now += dayMs - minuteMs;
      const brought = bring(made, await sign(offer));
      cheaper();
      // The last is there before the price ends, however slow the machine is.
      if (round === 2) await brought;
      // Time itself: how far the payment has come when its price ends.
      else await Bun.sleep(round * 30);
      now += minuteMs + lateMs;
      const [answer] = await Promise.all([brought, page(made)]);
      const wasQuoted = (await quotes(made)).length > 0;
      outcomes.add(answer.status);
      if (answer.status === 200) {
        expect(wasQuoted).toBe(false);
        expect(await becomes(made, "confirmed")).toMatchObject({ expected_amount: "23.24" });
      } else expect(await statusOf(made)).toMatchObject({ received_amount: "0.00" });
      exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
      now += 11 * minuteMs;
    }
    // Early ones pay, and late ones are told the new amount, or to wait for it.
    expect(outcomes.has(200)).toBe(true);
    expect(outcomes.isSubsetOf(new Set([200, 402, 503]))).toBe(true);
  });
});

describe("a reusable link in euros", () => {
  const reusable = { reusable: true, amount: "2.50", quantity_max: 10 };
  const chosen = { reusable: true, amount: undefined, amount_min: "1.00", amount_max: "500.00" };
  const begun = async (made: Made, typed: Record<string, string> = {}) => {
    const slug = slugIn(await begin(made["payment_link"] ?? "", typed));
    const [record] = (await till.api("GET", `/api/links?slug=${slug}`)).body.data;
    return record;
  };

  test("has its price in euros, and each payment is quoted when it is begun", async () => {
    const made = await make(reusable);
    expect(made).toMatchObject({ currency: "EUR", amount: "2.50", quantity_max: 10 });
    expect(Object.keys(made)).not.toContain("expected_amount");
    const shown = await page(made);
    for (const text of ["2.50", "EUR", "You pay in USDC"]) expect(shown).toContain(text);
    expect(await begun(made, { quantity: "8" })).toMatchObject({
      ...{ currency: "EUR", amount: "20.00", expected_amount: "23.24", quantity: 8 },
      reusable_slug: made["slug"],
    });
    cheaper();
    now += 11 * minuteMs;
    const later = await begun(made, { quantity: "8" });
    expect(later).toMatchObject({ amount: "20.00", expected_amount: "20.00" });
    await pay(later, "20.00");
    await becomes(later, "confirmed");
    expect((await till.api("GET", `/api/reusable-links?slug=${made["slug"]}`)).body.data[0]).toMatchObject({
      ...{ currency: "EUR", amount: "2.50", payments_begun: 2, payments_paid: 1, received_amount: "20.00" },
    });
  });

  test("takes the payer's choice in euros, within its bounds, which it names in euros", async () => {
    const made = await make(chosen);
    expect(made).toMatchObject({ currency: "EUR", amount_min: "1.00", amount_max: "500.00" });
    expect(await page(made)).toContain("From 1.00 to 500.00 EUR");
    expect(await begun(made, { amount: "20,00" })).toMatchObject({
      amount: "20.00",
      expected_amount: "23.24",
    });
    const url = made["payment_link"] ?? "";
    const { token } = await openForm(url);
    const refused = await sendForm(url, { token, amount: "0.50" });
    expect([refused.status, refused.html.includes("Enter at least 1.00 EUR.")]).toEqual([422, true]);
  });

  test("begins nothing while no rate is to be had, and says so", async () => {
    const made = await make(chosen);
    exchanges.set("all", { body: "", status: 503 });
    now += 11 * minuteMs;
    const url = made["payment_link"] ?? "";
    const { token } = await openForm(url);
    const { status, html, headers } = await sendForm(url, { token, amount: "20.00" });
    expect([status, headers.get("retry-after")]).toEqual([503, "60"]);
    for (const text of ["No exchange rate is available", 'value="20.00"']) expect(html).toContain(text);
    expect((await till.api("GET", `/api/links?reusable_slug=${made["slug"]}`)).body.data).toEqual([]);
    exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
    now += 11_000;
    expect((await sendForm(url, { token, amount: "20.00" })).status).toBe(303);
  });

  test("begins nothing that was asked for before it was closed, while an exchange is slow", async () => {
    const made = await make(reusable);
    const url = made["payment_link"] ?? "";
    const tokens = await Promise.all(Array.from({ length: 5 }, async () => (await openForm(url)).token));
    now += 11 * minuteMs;
    const closed = Promise.withResolvers<void>();
    exchanges.set("all", { bid: "0.8606", ask: "0.8608", after: closed.promise });
    const asked = exchanges.asked.length;
    const forms = tokens.map((token) => sendForm(url, { token, quantity: "1" }));
    await until(
      () => exchanges.asked.length,
      (count) => count > asked,
    );
    expect((await till.api("POST", `/api/links/${made["slug"]}/void`, { reason: "Sold out." })).status).toBe(
      200,
    );
    closed.resolve();
    expect((await Promise.all(forms)).map(({ status }) => status)).not.toContain(303);
    expect((await till.api("GET", `/api/links?reusable_slug=${made["slug"]}`)).body.data).toEqual([]);
  });

  test("counts no payment of a visitor that was not begun, for want of a rate", async () => {
    const made = await make(reusable);
    const url = made["payment_link"] ?? "";
    exchanges.set("all", { body: "", status: 503 });
    now += 11 * minuteMs;
    for (let i = 0; i < 12; i++) {
      now += 11_000;
      const { token } = await openForm(url);
      expect((await sendForm(url, { token, quantity: "1" })).status).toBe(503);
    }
    exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
    now += 11_000;
    expect(await begun(made, { quantity: "1" })).toMatchObject({ currency: "EUR" });
  });

  test("keeps the rate that the caller said, and refuses prices that no rate makes payable", async () => {
    expect(await begun(await make({ ...reusable, rate: "0.5" }), { quantity: "2" })).toMatchObject({
      ...{ amount: "5.00", expected_amount: "10.00", exchange_rate: { rate: "0.5", source: "caller" } },
    });
    expect(await faultsOf({ ...chosen, amount: "1.00" })).toEqual({
      amount: "must be omitted with amount_min and amount_max: the payer chooses the amount",
    });
    expect(await faultsOf({ reusable: true, amount: undefined })).toEqual({
      amount: "is required without amount_min and amount_max",
    });
    expect(await faultsOf({ ...reusable, rate: "1000000" })).toEqual({
      rate: expect.stringContaining("makes 0.00 USDC of the total"),
    });
    expect(await faultsOf({ ...reusable, amount: "1000000000.00" })).toEqual({
      quantity_max: "must be lower: 10 × 1000000000.00 EUR is more than 1000000000.00 EUR",
    });
    expect(await faultsOf({ ...chosen, amount_max: "900000000.00" })).toEqual({
      amount_max: expect.stringContaining("makes more than 1000000000.00 USDC of the total"),
    });
    expect(await faultsOf({ ...reusable, currency: "XXX", amount: "0.00" })).toMatchObject({
      amount: "must be more than 0.00 XXX",
    });
    expect(await faultsOf({ ...reusable, currency: "CHF" })).toEqual({
      rate: "is required: no source has a rate of USDC in CHF",
    });
  });
});

test("Mails, receipt, webhook and export of a link in euros have both amounts and the rate", async () => {
  const receiver = await startReceiver();
  try {
    const made = await make({
      webhook_url: receiver.url,
      webhook_events: "standard",
      product_description: "Coffee in euros",
    });
    const form = await fetch(`${made["payment_link"]}/receipt`, {
      method: "POST",
      body: new URLSearchParams({ email: "jo@initech.example" }),
      redirect: "manual",
    });
    expect(form.status).toBe(303);
    await pay(made, "23.24");
    await becomes(made, "confirmed");
    const rate = "1 USDC = 0.8607 EUR";
    for (const to of ["jo@initech.example", linkRequest.merchant_email]) {
      const mail = await until(
        () =>
          till.mail
            .list()
            .find((each) => JSON.stringify(each.to).includes(to) && each.text.includes("Coffee in euros")),
        (found) => found !== undefined,
      );
      for (const text of ["23.24 USDC", "20.00 EUR", rate]) expect(mail?.text).toContain(text);
    }
    const paper = await solidTextOf(
      await (await fetch(`${till.baseUrl}/api/links/${made["slug"]}/receipt`)).bytes(),
    );
    for (const text of ["Amount (EUR)", "20.00", "23.24", rate])
      expect(paper).toContain(text.replaceAll(" ", ""));
    const [told] = await until(
      () => receiver.received.map(({ raw }) => JSON.parse(raw.toString())),
      ({ length }) => length > 0,
    );
    expect(told).toMatchObject({
      type: "link.paid",
      data: {
        link: {
          currency: "EUR",
          amount: "20.00",
          expected_amount: "23.24",
          exchange_rate: { rate: "0.8607" },
        },
      },
    });
    const shown = await page(made);
    for (const text of ["20.00", "EUR", "23.24", rate]) expect(shown).toContain(text);
  } finally {
    await receiver.stop();
  }
});
