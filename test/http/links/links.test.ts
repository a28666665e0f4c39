import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import * as Address from "../../../src/domain/wallet/address.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { expectedSignature, startReceiver } from "../../support/http/receiver.ts";
import { startTestTill, type TestTill, until } from "../../support/till/till.ts";

const request = {
  business_name: "Corner Shop",
  expected_amount: "25.00",
  merchant_email: "owner@corner.example",
  wallet_type: "byo",
  wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  product_description: "One bag of coffee",
};

let chain: TestChain;
let till: TestTill;

beforeAll(async () => {
  chain = await startTestChain();
  till = await startTestTill(chain);
});
afterAll(async () => {
  await till.stop();
  await chain.stop();
});

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
  test("answers 201 with the link and two snippets", async () => {
    const { slug, ...link } = await create();
    expect(link).toEqual({
      payment_link: `${till.baseUrl}/pay/${slug}`,
      iframe_snippet: expect.stringContaining(
        `<iframe src="${till.baseUrl}/pay/${slug}" width="400" height="600" frameborder="0"`,
      ),
      js_widget_snippet: `<script src="${till.baseUrl}/w.js" data-slug="${slug}"></script>`,
      deposit_address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      expected_amount: "25.00",
      status: "pending",
      x402_url: `${till.baseUrl}/x402/${slug}`,
    });
  });

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
    expect(answer.body).toEqual({
      slug: link["slug"],
      business_name: "Corner Shop",
      expected_amount: "25.00",
      status: "pending",
      deposit_address: link["deposit_address"],
      product_description: "One bag of coffee",
    });
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

  test.each(["/api/links/", "/api/payments/status/"])(
    "answers 404 below %s for an unknown slug",
    async (path) => {
      expect(await till.api("GET", `${path}nothing`)).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    },
  );

  test("is the whole record for a key, as in the list, and refuses a key that is none", async () => {
    const open = await startTestTill(chain, { TILL_BASE_URL: "https://pay.example.com" });
    try {
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
    } finally {
      await open.stop();
    }
  });

  test("has no description when none was given", async () => {
    const { slug } = await create({ product_description: undefined });
    expect((await till.api("GET", `/api/links/${slug}`)).body.product_description).toBeNull();
  });
});

describe("a payment link", () => {
  test("goes from pending over partial and confirmed to excess, and tells the shop", async () => {
    const receiver = await startReceiver();
    try {
      const link = await create({ webhook_url: receiver.url });
      expect(await statusOf(link["slug"])).toEqual({
        status: "pending",
        received_amount: "0.00",
        expected_amount: "25.00",
      });
      for (const [amount, status, received] of [
        ["10.00", "partial", "10.00"],
        ["15.00", "confirmed", "25.00"],
        ["0.50", "excess", "25.50"],
      ] as const) {
        await pay(link, amount);
        const now = await until(
          () => statusOf(link["slug"]),
          (answer) => answer.status === status,
        );
        expect(now).toEqual({ status, received_amount: received, expected_amount: "25.00" });
      }
      await until(
        () => receiver.received.length,
        (count) => count === 3,
      );
      const secret = link["webhook_secret"] ?? "";
      const bodies = receiver.received.map(({ headers, raw }) => {
        expect(headers["x-service-signature"]).toBe(expectedSignature(secret, raw));
        return new Webhook(secret).verify(raw.toString(), headers) as Record<string, string>;
      });
      expect(bodies[1]).toEqual({
        event: "link.paid",
        slug: link["slug"] ?? "",
        expected_amount: "25.00",
        received_amount: "25.00",
        status: "confirmed",
      });
      expect(bodies.map((body) => body["status"])).toEqual(["partial", "confirmed", "excess"]);
      const payments = await till.api("GET", `/api/links/${link["slug"]}/payments`);
      expect(payments.body.data.map((payment: { amount: string }) => payment.amount)).toEqual([
        "10.00",
        "15.00",
        "0.50",
      ]);
      const events = await till.api("GET", `/api/links/${link["slug"]}/events`);
      expect(events.body.data).toHaveLength(3);
    } finally {
      await receiver.stop();
    }
  });

  test("is an error while a confirmed payment has left the chain, and heals when it is covered again", async () => {
    const link = await create();
    await chain.mine(2);
    await pay(link, "25.00");
    await until(
      () => statusOf(link["slug"]),
      ({ status }) => status === "confirmed",
    );
    await chain.reorg(1);
    await pay(await create(), "1.00");
    await until(
      () => statusOf(link["slug"]),
      ({ status }) => status === "error",
    );
    // Somebody has to look at it, but no load balancer is to take Till out of service for it.
    const ready = await till.api("GET", "/health/ready");
    expect(ready).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(ready.body.warnings.join()).toContain("left the chain");
    expect((await till.api("GET", `/pay/${link["slug"]}`)).body).toContain("Something went wrong");
    await pay(link, "25.00");
    await until(
      () => statusOf(link["slug"]),
      ({ status }) => status === "confirmed",
    );
  });
});

describe("GET /api/links", () => {
  test("lists the newest first, page by page, by status", async () => {
    const slugs = [];
    for (let i = 0; i < 3; i++) slugs.push((await create({ product_description: `No. ${i}` }))["slug"]);
    const page = await till.api("GET", "/api/links?limit=2");
    expect(page.body.has_more).toBe(true);
    expect(page.body.data.map((link: { slug: string }) => link.slug)).toEqual([slugs[2], slugs[1]]);
    expect(page.body.data[0]).toMatchObject({
      merchant_email: request.merchant_email,
      received_amount: "0.00",
    });
    const next = await till.api("GET", `/api/links?limit=1&starting_after=${slugs[1]}`);
    expect(next.body.data[0].slug).toBe(slugs[0]);
    const pending = await till.api("GET", "/api/links?status=pending&limit=100");
    expect(pending.body.data.every((link: { status: string }) => link.status === "pending")).toBe(true);
    expect((await till.api("GET", "/api/links?status=paid")).status).toBe(400);
  });
});

describe("framing", () => {
  const policyOf = async (path: string) =>
    (await fetch(`${till.baseUrl}${path}`)).headers.get("content-security-policy");

  test("the checkout can be framed by anybody, or by the origins that were named; the invoice by nobody", async () => {
    expect(await policyOf(`/pay/${(await create())["slug"]}`)).toContain("frame-ancestors *");
    const embed_origins = ["https://shop.example", "http://localhost:8080"];
    const named = await create({ embed_origins });
    expect(await policyOf(`/pay/${named["slug"]}`)).toEndWith(
      "frame-ancestors http://localhost:8080 https://shop.example",
    );
    expect(await policyOf(`/i/${(await till.createInvoice())["slug"]}`)).toContain("frame-ancestors 'none'");
  });

  test("an unknown link is a page for people that can be framed too", async () => {
    const response = await fetch(`${till.baseUrl}/pay/nothing`);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors *");
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
