import { expect, test } from "bun:test";
import { qrPng } from "../../../src/document/qr.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import { paymentUri } from "../../../src/domain/wallet/deposit-address.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import { linkRequest, startTestTill } from "../../support/till/till.ts";

/** What the page of a link tells programs of its price. */

const chain = shared(startTestChain);
const till = shared(() =>
  startTestTill(chain, { TILL_CHAIN: "base", TILL_CONFIRMATIONS: "1", TILL_RELAY: "off" }),
);

const make = async (changes: object = {}) =>
  (await till.api("POST", "/api/links", { ...linkRequest, ...changes })).body;
const html = async (slug: string, query = "") =>
  (await till.api("GET", `/pay/${slug}${query}`)).body as string;
const factsIn = (page: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)?.[1] ?? "null");

test("its head says how much is due, where that is paid, and where it is as JSON", async () => {
  const { slug, deposit_address } = await make({ product_description: "One bag of coffee" });
  const page = await html(slug);
  expect(page).toContain(`<link rel="alternate" type="application/json" href="/api/links/${slug}"/>`);
  expect(page).toMatch(
    new RegExp(`<link rel="payment" href="ethereum:[^"]*${deposit_address}[^"]*25000000"`),
  );
  expect(factsIn(page)).toEqual({
    "@context": "https://schema.org",
    "@type": "Invoice",
    provider: { "@type": "Organization", name: linkRequest.business_name },
    description: "One bag of coffee",
    paymentStatus: "https://schema.org/PaymentDue",
    totalPaymentDue: { "@type": "MonetaryAmount", value: "25.00", currency: "USDC" },
  });
  expect(factsIn(await html(slug, "?embed=1"))).toBeNull();
  await till.api("POST", `/api/links/${slug}/mark`, { as: "paid" });
  const paid = await html(slug);
  expect(factsIn(paid)).toMatchObject({ paymentStatus: "https://schema.org/PaymentComplete" });
  expect(factsIn(paid)).not.toHaveProperty("totalPaymentDue");
  expect(paid).not.toContain('rel="payment"');
});

test("a reusable link offers its price, in what it is in", async () => {
  const fixed = {
    expected_amount: undefined,
    reusable: true,
    currency: "EUR",
    rate: "0.8607",
    amount: "20.00",
  };
  expect(factsIn(await html((await make(fixed)).slug))).toMatchObject({
    "@type": "Offer",
    price: "20.00",
    priceCurrency: "EUR",
  });
  const chosen = { expected_amount: undefined, reusable: true, amount_min: "1.00", amount_max: "50.00" };
  expect(factsIn(await html((await make(chosen)).slug))).toMatchObject({
    priceSpecification: { minPrice: "1.00", maxPrice: "50.00", priceCurrency: "USDC" },
  });
});

test("asked for JSON, where no program can pay, it is the public view", async () => {
  const ask = async (path: string, accept: string) => {
    const answer = await fetch(`${till.baseUrl}${path}`, { headers: { accept } });
    return { status: answer.status, vary: answer.headers.get("vary"), body: await answer.text() };
  };
  const json = "application/json";
  for (const { slug } of [await make(), await make({ reusable: true })]) {
    const shown = await ask(`/pay/${slug}`, json);
    expect(shown).toMatchObject({ status: 200, vary: "accept" });
    expect(shown.body).toBe((await ask(`/api/links/${slug}`, json)).body);
    expect((await ask(`/pay/${slug}`, `text/html, ${json}`)).body).toContain("<!doctype html>");
  }
  expect((await ask("/pay/nothing", json)).status).toBe(404);
});

test("the code for wallet apps is of what is due, while something is", async () => {
  const { slug, deposit_address: to } = await make();
  const code = () => fetch(`${till.baseUrl}/pay/${slug}/wallet.png`);
  const answer = await code();
  expect(answer.headers.get("content-type")).toBe("image/png");
  const { usdc, chainId } = till.config.network;
  const asked = { usdc, chainId, to, amount: Usdc.parse("25.00") ?? Usdc.zero };
  expect(Buffer.from(await answer.bytes())).toEqual(qrPng(paymentUri(asked)));
  await till.api("POST", `/api/links/${slug}/void`, { reason: "Sold out" });
  expect((await code()).status).toBe(404);
  expect(factsIn(await html(slug))).not.toHaveProperty("paymentStatus");
  expect((await fetch(`${till.baseUrl}/pay/nothing/wallet.png`)).status).toBe(404);
});
