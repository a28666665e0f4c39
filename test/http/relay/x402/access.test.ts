import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startBrowser } from "../../../support/browser/browser.ts";
import { startTestChain } from "../../../support/chain/chain.ts";
import { newSigner } from "../../../support/chain/signer.ts";
import { decoded, encoded, makePayment, payingTill } from "../../../support/http/x402.ts";
import { shared } from "../../../support/per-file.ts";
import { linkRequest, startTestTill, type TestTill } from "../../../support/till/till.ts";

const chain = shared(startTestChain);

const newLink = async (till: TestTill) => (await till.api("POST", "/api/links", linkRequest)).body;

describe("a program in a browser", () => {
  let browser: Browser;
  let till: TestTill;
  beforeAll(async () => {
    [browser, till] = await Promise.all([startBrowser(), payingTill(chain)]);
  });
  afterAll(async () => {
    await browser.close();
    await till.stop();
  });

  for (const place of ["x402", "pay"]) {
    test(`pays from a page of another site at /${place}/…`, async () => {
      const shop = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("<p>A shop") });
      const page = await browser.newPage();
      await page.goto(shop.url.href);
      const ask = (url: string, headers: Record<string, string>, name: string) =>
        page.evaluate(
          async ([url, headers, name]) => {
            const answer = await fetch(url, { headers });
            return { status: answer.status, header: answer.headers.get(name) };
          },
          [url, headers, name] as const,
        );
      const url = `${till.baseUrl}/${place}/${(await newLink(till)).slug}`;
      const required = await ask(url, { accept: "application/json" }, "PAYMENT-REQUIRED");
      expect(required.status).toBe(402);
      const signer = await newSigner(chain, 25_000_000n);
      const payment = encoded(await makePayment(signer, decoded(required.header).accepts[0]));
      const headers = { "PAYMENT-SIGNATURE": payment, "Access-Control-Expose-Headers": "PAYMENT-RESPONSE" };
      const paid = await ask(url, headers, "PAYMENT-RESPONSE");
      expect(paid.status).toBe(200);
      expect(decoded(paid.header)).toMatchObject({ success: true, payer: signer.address });
      await page.close();
      await shop.stop(true);
    });
  }
});

describe("a Till", () => {
  test("that pays no fees for payers offers nothing, and takes no payment on a page either", async () => {
    const till = await startTestTill(chain, { TILL_RELAY: "off" });
    const link = await newLink(till);
    expect(link).not.toHaveProperty("x402_url");
    const json = { accept: "application/json" };
    const page = await till.api("GET", `/pay/${link.slug}`, undefined, json);
    expect(page.headers.get("content-type")).toBe("application/json");
    expect(page.body).toMatchObject({ slug: link.slug, expected_amount: "25.00" });
    expect(page.headers.has("link")).toBe(false);
    for (const [path, headers] of [
      [`/x402/${link.slug}`, {}],
      [`/pay/${link.slug}`, { ...json, "payment-signature": "e30=" }],
    ] as const) {
      const { status, body } = await till.api("GET", path, undefined, headers);
      expect(status).toBe(404);
      expect(body.detail).toContain("Send a plain transfer");
    }
    await till.stop();
  });

  test("slows down who sends too many payments, and answers that so that a browser can read it", async () => {
    const till = await payingTill(chain, { TILL_LIMIT_RELAYS: "2" }, { limitClock: () => 0 });
    const url = `${till.baseUrl}/x402/${(await newLink(till)).slug}`;
    const send = () => fetch(url, { headers: { "payment-signature": "e30=", accept: "text/html" } });
    expect([(await send()).status, (await send()).status]).toEqual([400, 400]);
    const slowed = await send();
    expect(slowed.status).toBe(429);
    expect(Number(slowed.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(slowed.headers.get("access-control-allow-origin")).toBe("*");
    expect(slowed.headers.get("content-type")).toContain("json");
    expect((await fetch(url)).status).toBe(402);
    await till.stop();
  });
});
