import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import * as Address from "../../src/domain/wallet/address.ts";
import { soon, startBrowser } from "../support/browser/browser.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

type Created = {
  slug: string;
  deposit_address: string;
  payment_link: string;
  iframe_snippet: string;
  js_widget_snippet: string;
};
type StatusEvent = { slug: string; status: string; received_amount: string; expected_amount: string };

let chain: TestChain;
let till: TestTill;
let browser: Browser;
let shop: ReturnType<typeof startShop>;
/** How far Till's clock is ahead, in ms. */
let aheadMs = 0;

beforeAll(async () => {
  chain = await startTestChain();
  till = await startTestTill(chain, {}, { now: () => Date.now() + aheadMs });
  browser = await startBrowser();
  shop = startShop();
});
afterAll(async () => {
  await shop.stop();
  await browser.close();
  await till.stop();
  await chain.stop();
});

/** A shop's website on another port, under two host names, that shows what it is given. */
function startShop() {
  let body = "";
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response(
        `<!doctype html><html lang="en"><title>Shop</title><body><h1>Your order</h1>
         <script>window.heard = []; addEventListener("till:status", (event) => window.heard.push(event.detail));
         window.ended = []; addEventListener("till:expired", (event) => window.ended.push(event.detail));</script>
         <div id="here">${body}</div><p id="after">Thank you</p></body></html>`,
        { headers: { "content-type": "text/html" } },
      ),
  });
  return {
    show(markup: string) {
      body = markup;
    },
    url: (host: "127.0.0.1" | "localhost") => `http://${host}:${server.port}/`,
    stop: () => server.stop(true),
  };
}

async function create(amount = "25.00", changes: Record<string, unknown> = {}): Promise<Created> {
  const { status, body } = await till.api("POST", "/api/links", {
    business_name: "Corner Shop",
    expected_amount: amount,
    merchant_email: "owner@corner.example",
    wallet_type: "managed",
    product_description: "One bag of coffee",
    ...changes,
  });
  expect(status).toBe(201);
  return body;
}

const pay = (link: Created, amount: string) => chain.pay(Address.checksum(link.deposit_address), amount);
const heard = (page: Page) => page.evaluate("window.heard") as Promise<StatusEvent[]>;
const lastHeard = async (page: Page, slug: string) =>
  (await heard(page)).filter((event) => event.slug === slug).at(-1);
const hears = (page: Page, slug: string, status: string) =>
  soon(page, async () => (await heard(page)).some((event) => event.slug === slug && event.status === status));

async function open(
  markup: string,
  host: "127.0.0.1" | "localhost" = "127.0.0.1",
  width = 1280,
): Promise<Page> {
  shop.show(markup);
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  await page.goto(shop.url(host));
  return page;
}

describe("a link that expires while its page is open", () => {
  test("asks for no more money, on its own page and in the widget, and shows what comes all the same", async () => {
    const ends = new Date(Date.now() + 3_600_000);
    const link = await create("25.00", { expires_at: ends.toISOString() });
    const own = await browser.newPage({ timezoneId: "Asia/Kolkata" });
    const around = await open(link.js_widget_snippet);
    await own.goto(link.payment_link);
    const framed = around.frameLocator(".till-checkout iframe");
    const payment = (phase: string) => `[data-payment=${phase}]`;
    const howToPay = "[data-part=how]";
    try {
      for (const page of [own, framed]) await page.locator(`${payment("open")} ${howToPay}`).waitFor();
      const there = new Date(ends.getTime() + 5.5 * 3_600_000).toISOString().slice(11, 16);
      for (const [page, clock] of [
        [own, `${there} GMT\\+5:30`],
        [framed, `${ends.toISOString().slice(11, 16)} UTC`],
      ] as const)
        expect(await page.locator("[data-part=summary]").textContent()).toMatch(
          new RegExp(`Pay by .*, ${clock} \\(in (58|59) minutes\\)`),
        );
      aheadMs = 1_800_000;
      await soon(own, () => own.getByText(/in (28|29) minutes/).isVisible());
      aheadMs = 3_600_001;
      await soon(own, () => own.locator(payment("expired")).isVisible());
      await soon(around, () => framed.locator(payment("expired")).isVisible());
      expect(await around.evaluate("window.ended")).toEqual([{ slug: link.slug }]);
      for (const page of [own, framed]) {
        expect(await page.locator(howToPay).count()).toBe(0);
        expect(await page.locator("body").textContent()).not.toContain(link.deposit_address);
        expect(await page.locator(".receipt-link").isVisible()).toBe(false);
      }
      await pay(link, "25.00");
      await soon(own, () => own.locator(payment("paid")).isVisible());
      await soon(around, () => framed.locator(payment("paid")).isVisible());
    } finally {
      aheadMs = 0;
      await Promise.all([own.close(), around.close()]);
    }
  });
});

describe("the checkout page", () => {
  test("shows a payment from nothing to paid without a reload, and asks for a new link for the next one", async () => {
    const link = await create("25.00", { success_url: "https://shop.example/thanks" });
    const page = await browser.newPage();
    await page.goto(link.payment_link);
    expect(await page.textContent("body")).toContain("One bag of coffee");
    expect(await page.textContent("body")).toContain(link.deposit_address);
    await page.evaluate("window.sameDocument = true");
    await pay(link, "10.00");
    await page.getByText("15.00").first().waitFor();
    await pay(link, "15.00");
    const back = page.getByRole("link", { name: /return to/i });
    await back.waitFor();
    expect(await back.getAttribute("href")).toBe("https://shop.example/thanks");
    expect(await page.getByText(link.deposit_address).count()).toBe(0);
    expect(await page.textContent("body")).toMatch(/new (payment )?link/i);
    expect(await page.evaluate("window.sameDocument")).toBe(true);
    await page.close();
  });
});

describe("the iframe snippet", () => {
  test("shows the checkout on a shop's page", async () => {
    const link = await create();
    const page = await open(link.iframe_snippet);
    const frame = page.frameLocator("iframe");
    await frame.getByText("Corner Shop").first().waitFor();
    const box = await page.locator("iframe").boundingBox();
    expect([box?.width, box?.height]).toEqual([400, 600]);
    await pay(link, "25.00");
    await soon(page, () => frame.getByText(/paid/i).first().isVisible());
    await page.close();
  });

  test("stays empty on a page of an origin that was not named", async () => {
    const link = await create("25.00", { embed_origins: ["https://shop.example"] });
    const page = await open(link.iframe_snippet);
    await page.waitForTimeout(1_000);
    expect(await page.frameLocator("iframe").getByText("Corner Shop").count()).toBe(0);
    await page.close();
  });
});

describe("the widget snippet", () => {
  test.each(["127.0.0.1", "localhost"] as const)(
    "tells the page on %s of every change of status",
    async (host) => {
      const link = await create();
      const page = await open(link.js_widget_snippet, host);
      await hears(page, link.slug, "pending");
      await pay(link, "10.00");
      await hears(page, link.slug, "partial");
      await pay(link, "15.00");
      await hears(page, link.slug, "confirmed");
      expect(await lastHeard(page, link.slug)).toEqual({
        slug: link.slug,
        status: "confirmed",
        received_amount: "25.00",
        expected_amount: "25.00",
      });
      const order = await page.evaluate(
        "document.querySelector('#here iframe').compareDocumentPosition(document.querySelector('#after')) & 4",
      );
      expect(order).toBe(4);
      await page.close();
    },
  );

  test("tells of too much as well, though it looks less often once it is paid", async () => {
    const link = await create();
    await pay(link, "25.00");
    const page = await open(link.js_widget_snippet);
    await hears(page, link.slug, "confirmed");
    await pay(link, "1.00");
    await hears(page, link.slug, "excess");
    await page
      .frameLocator("iframe")
      .getByText(/more than/i)
      .first()
      .waitFor();
    await page.close();
  });

  test.each([320, 1280])("fits the page at %d px, with no scroll bar inside or out", async (width) => {
    const link = await create();
    const page = await open(link.js_widget_snippet, "127.0.0.1", width);
    await page.frameLocator("iframe").getByText("Corner Shop").first().waitFor();
    const frame = page.frames().find((candidate) => candidate.url().includes("/pay/"));
    const inner = () =>
      frame?.evaluate<number[]>(
        "[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]",
      );
    // The frame gets its height once the page in it has told it.
    await until(inner, (beyond) => beyond?.every((pixels) => pixels === 0) ?? false);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.close();
  });

  test("three on one page, each for itself, also async and inserted later", async () => {
    const [first, second, third] = [await create("1.00"), await create("2.00"), await create("3.00")];
    const page = await open(
      `${first.js_widget_snippet}${second.js_widget_snippet.replace("<script ", "<script async ")}`,
    );
    await page.evaluate(`{
      const tag = document.createElement("script");
      tag.src = ${JSON.stringify(`${till.baseUrl}/w.js`)};
      tag.dataset.slug = ${JSON.stringify(third.slug)};
      document.getElementById("here").append(tag);
    }`);
    for (const link of [first, second, third]) await hears(page, link.slug, "pending");
    expect(await page.locator("iframe").count()).toBe(3);
    await pay(second, "2.00");
    await hears(page, second.slug, "confirmed");
    expect(
      new Set((await heard(page)).filter(({ status }) => status === "confirmed").map(({ slug }) => slug)),
    ).toEqual(new Set([second.slug]));
    await page.close();
  });

  test("believes no message but its own frame's", async () => {
    const link = await create();
    const page = await open(link.js_widget_snippet);
    await hears(page, link.slug, "pending");
    const forged = { type: "till:status", slug: link.slug, status: "confirmed", received_amount: "25.00" };
    const oversized = { type: "till:size", slug: link.slug, height: 9999 };
    const send = (target: string) =>
      [forged, oversized].map((message) => `${target}postMessage(${JSON.stringify(message)}, "*");`).join("");
    await page.evaluate(`{
      ${send("")}
      const frame = document.createElement("iframe");
      frame.srcdoc = ${JSON.stringify(`<script>${send("parent.")}</script>`)};
      document.body.append(frame);
    }`);
    await page.waitForTimeout(700);
    expect((await heard(page)).map(({ status }) => status)).toEqual(["pending"]);
    expect((await page.locator("#here iframe").boundingBox())?.height).toBeLessThan(2_000);
    await page.close();
  });

  test("tells nothing to a page that frames the checkout under somebody else's origin", async () => {
    const link = await create();
    const page = await open(
      `<iframe src="${link.payment_link}?embed=1&origin=${encodeURIComponent("https://shop.example")}"></iframe>
       <script>window.messages = []; addEventListener("message", (event) => window.messages.push(event.data));</script>`,
    );
    await page.frameLocator("iframe").getByText("Corner Shop").first().waitFor();
    await page.waitForTimeout(700);
    expect(await page.evaluate("window.messages")).toEqual([]);
    await page.close();
  });

  test("says so when the slug is wrong", async () => {
    const page = await open(`<script src="${till.baseUrl}/w.js" data-slug="nothing"></script>`);
    await page
      .frameLocator("iframe")
      .getByText(/not found/i)
      .first()
      .waitFor();
    await page.close();
  });
});
