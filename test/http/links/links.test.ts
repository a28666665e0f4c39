import { describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { shared } from "../../support/per-file.ts";
import { linkRequest, startTestTill, untilIs } from "../../support/till/till.ts";

const request = {
  ...linkRequest,
  wallet_type: "byo",
  wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  product_description: "One bag of coffee",
};

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain));

const post = (body: unknown) => till.api("POST", "/api/links", body);
async function create(changes: Record<string, unknown> = {}): Promise<Record<string, string>> {
  const { status, body } = await post({ ...request, ...changes });
  expect(status).toBe(201);
  return body;
}
const statusOf = async (slug: string | undefined) =>
  (await till.api("GET", `/api/payments/status/${slug}`)).body;
const pay = (link: Record<string, string>, amount: string) =>
  chain.pay(Address.checksum(link["deposit_address"] ?? ""), amount);

describe("POST /api/links", () => {
  test("reports every fault at once", async () => {
    const { status, body } = await post({
      expected_amount: "0.00",
      merchant_email: "nobody",
      wallet_type: "byo",
      success_url: "javascript:alert(1)",
      embed_origins: ["https://shop.example/path", "https://a;sandbox", "https://ok.example"],
      colour: "red",
    });
    expect(status).toBe(400);
    expect(body.errors.map((fault: { field: string }) => fault.field).sort()).toEqual(
      [
        "business_name",
        "expected_amount",
        "merchant_email",
        "wallet_address",
        "success_url",
        "embed_origins[0]",
        "embed_origins[1]",
        "colour",
      ].sort(),
    );
  });

  test("shares numbers of deposits with invoices, and no address", async () => {
    const invoice = await till.createInvoice();
    const [first, second] = [await create(), await create()];
    const addresses = [invoice, first, second].map((made) => made["deposit_address"]);
    expect(new Set(addresses).size).toBe(3);
  });
});

describe("GET /api/links/{slug}", () => {
  test("is the public view and holds nothing private", async () => {
    const link = await create({
      webhook_url: "http://127.0.0.1:9/secret-hook",
      merchant_email: "private@corner.example",
    });
    const answer = await till.api("GET", `/api/links/${link["slug"]}`);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const status = await till.api("GET", `/api/payments/status/${link["slug"]}`);
    const page = await till.api("GET", `/pay/${link["slug"]}`);
    const fragment = await till.api("GET", `/pay/${link["slug"]}/payment`);
    for (const { body } of [answer, status, page, fragment]) {
      const text = JSON.stringify(body);
      for (const secret of ["private@corner", "secret-hook", "whsec_", request.wallet_address]) {
        expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
      }
    }
  });

  test("is the whole record for a key, as in the list, and refuses a key that is none", async () => {
    await using open = await startTestTill(chain, { TILL_BASE_URL: "https://pay.example.com" });
    const { key } = createApiKey(open.db, "shop", Date.now());
    const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
    const get = (path: string, headers = bearer(key)) => open.api("GET", path, undefined, headers);
    const { expected_amount, wallet_type, wallet_address, ...shared } = request;
    const reusable = { ...shared, wallet_type: "managed", reusable: true, expected_amount };
    for (const [list, body] of Object.entries({ links: request, "reusable-links": reusable })) {
      const { slug } = (await open.api("POST", "/api/links", body, bearer(key))).body;
      const whole = await get(`/api/links/${slug}`);
      expect(whole.body).toEqual((await get(`/api/${list}?slug=${slug}`)).body.data[0]);
      expect(whole.body.merchant_email).toBe("owner@corner.example");
      expect(whole.headers.get("access-control-allow-origin")).toBeNull();
      expect((await get(`/api/links/${slug}`, bearer(`till_${"a".repeat(32)}`))).status).toBe(401);
      const { body: seen } = await open.api("GET", `/api/links/${slug}`);
      expect(seen.slug).toBe(slug);
      expect(seen).not.toHaveProperty("merchant_email");
    }
    expect((await get("/api/links/nothing")).status).toBe(404);
  });
});

describe("a payment link", () => {
  test("is an error while a confirmed payment has left the chain, and heals when it is covered again", async () => {
    const link = await create();
    await chain.mine(2);
    await pay(link, "25.00");
    await untilIs(() => statusOf(link["slug"]), { status: "confirmed" });
    await chain.reorg(1);
    await pay(await create(), "1.00");
    await untilIs(() => statusOf(link["slug"]), { status: "error" });
    // Somebody has to look at it, but no load balancer is to take Till out of service for it.
    const ready = await till.api("GET", "/health/ready");
    expect(ready).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(ready.body.warnings.join()).toContain("left the chain");
    expect((await till.api("GET", `/pay/${link["slug"]}`)).body).toContain("Something went wrong");
    await pay(link, "25.00");
    await untilIs(() => statusOf(link["slug"]), { status: "confirmed" });
  });
});

describe("GET /w.js", () => {
  test("is a small script that is not sent again while it stays the same", async () => {
    const response = await fetch(`${till.baseUrl}/w.js`);
    expect(response.headers.get("content-type")).toContain("text/javascript");
    expect((await response.text()).length).toBeLessThan(10_000);
    const etag = response.headers.get("etag") ?? "";
    // A proxy on the way that compresses makes the tag a weak one, and a cache may know several.
    for (const known of [etag, `W/${etag}`, `"other", W/${etag}`, "*"]) {
      const again = await fetch(`${till.baseUrl}/w.js`, { headers: { "if-none-match": known } });
      expect([known, again.status]).toEqual([known, 304]);
    }
    const other = await fetch(`${till.baseUrl}/w.js`, { headers: { "if-none-match": '"other"' } });
    expect(other.status).toBe(200);
  });
});
