import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, BrowserContext, FrameLocator, Page } from "playwright-core";
import * as Address from "../../src/domain/wallet/address.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { expectedSignature, type Receiver, startReceiver } from "../support/http/receiver.ts";
import { linkRequest, startTestTill, type TestTill, until } from "../support/till/till.ts";

type StatusEvent = { slug: string; status: string; received_amount: string; expected_amount: string };

const timeout = 30_000;

let chain: TestChain;
let till: TestTill;
let receiver: Receiver;
let browser: Browser;
let shop: Bun.Server<undefined>;
/** The page of a shop: a file that never changes and is the same for everybody. */
let shopPage = "";

beforeAll(async () => {
  chain = await startTestChain();
  [till, receiver, browser] = await Promise.all([startTestTill(chain), startReceiver(), startBrowser()]);
  shop = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(shopPage, { headers: { "content-type": "text/html" } }),
  });
});
afterAll(async () => {
  await shop.stop(true);
  await browser.close();
  await receiver.stop();
  await till.stop();
  await chain.stop();
});

async function create(changes: Record<string, unknown> = {}): Promise<Record<string, string>> {
  const { status, body } = await till.api("POST", "/api/links", {
    ...linkRequest,
    expected_amount: "12.50",
    product_description: "One bag of coffee",
    reusable: true,
    quantity_max: 10,
    webhook_url: receiver.url,
    ...changes,
  });
  expect(status).toBe(201);
  return body;
}

/** The shop's page with a snippet, as one customer sees it. */
async function visit(snippet: string, context: BrowserContext): Promise<Page> {
  shopPage = `<!doctype html><html lang="en"><title>Shop</title><body><h1>Coffee</h1>
    <script>window.heard = []; addEventListener("till:status", (event) => window.heard.push(event.detail));</script>
    ${snippet}</body></html>`;
  const page = await context.newPage();
  // Another site than Till, as the browser sees it.
  await page.goto(`http://localhost:${shop.port}/`);
  return page;
}

const heard = (page: Page) => page.evaluate("window.heard") as Promise<StatusEvent[]>;
const linkOf = async (slug: string) => (await till.api("GET", `/api/links?slug=${slug}`)).body.data[0];
const slugOf = (url: string) => /\/pay\/([a-z0-9]+)/.exec(url)?.[1] ?? "";
const paymentsOf = async (slug: string | undefined) =>
  (await till.api("GET", `/api/links?reusable_slug=${slug}`)).body.data;
const pay = async (slug: string, amount: string) =>
  chain.pay(Address.checksum((await linkOf(slug)).deposit_address), amount);
/** The address of the payment that stands in the frame of the shop's page, once there is one. */
const paymentIn = (page: Page, slug: string | undefined): Promise<string> =>
  until(
    () =>
      page
        .frames()
        .map((frame) => frame.url())
        .find((url) => url.includes("/pay/") && !url.includes(`/pay/${slug}`)) ?? "",
    (url) => url !== "",
    timeout,
  );
const price = (page: Page | FrameLocator) => page.getByLabel("Quantity");
const goOn = (page: Page | FrameLocator) => page.getByRole("button", { name: "Continue to payment" });

test(
  "one snippet in a static page serves two customers, and the one secret verifies what is told of both",
  async () => {
    const link = await create();
    const contexts = [
      await browser.newContext(),
      await browser.newContext({ viewport: { width: 390, height: 844 } }),
    ];
    const quantities = ["2", "3"];
    const sums = ["25.00", "37.50"];
    const pages = [];
    for (const [at, context] of contexts.entries()) {
      const page = await visit(link["js_widget_snippet"] ?? "", context);
      const frame = page.frameLocator("iframe");
      await price(frame).fill(quantities[at] ?? "");
      await frame.getByText(`${sums[at]} USDC`).waitFor({ timeout });
      const before = (await page.locator("iframe").boundingBox())?.height ?? 0;
      await goOn(frame).click();
      await frame.getByText(`Quantity: ${quantities[at]}`).waitFor({ timeout });
      // The frame is as tall as what stands in it now.
      await until(
        async () => (await page.locator("iframe").boundingBox())?.height ?? 0,
        (height) => height > before + 100,
        timeout,
      );
      pages.push(page);
    }
    const slugs: string[] = [];
    for (const [at, page] of pages.entries()) {
      const url = await paymentIn(page, link["slug"]);
      expect(url).toContain("embed=1");
      expect(url).toContain(`origin=${encodeURIComponent(`http://localhost:${shop.port}`)}`);
      slugs.push(slugOf(url));
      await pay(slugs[at] ?? "", sums[at] ?? "");
    }
    for (const [at, page] of pages.entries()) {
      await page.frameLocator("iframe").getByText("Please don't pay again").waitFor({ timeout });
      const told = await until(
        () => heard(page),
        (events) => events.some(({ status }) => status === "confirmed"),
        timeout,
      );
      expect(told.at(-1)).toEqual({
        slug: slugs[at] ?? "",
        status: "confirmed",
        received_amount: sums[at] ?? "",
        expected_amount: sums[at] ?? "",
      });
      expect(new Set(told.map(({ slug }) => slug))).toEqual(new Set([slugs[at] ?? ""]));
    }
    const events = await until(
      () => receiver.received.filter(({ raw }) => slugs.includes(JSON.parse(raw.toString()).slug)),
      (all) => all.length === 2,
      timeout,
    );
    for (const { headers, raw } of events)
      expect(headers["x-service-signature"]).toBe(expectedSignature(link["webhook_secret"] ?? "", raw));
    expect(await paymentsOf(link["slug"])).toHaveLength(2);

    // Who wants to pay once more says so.
    const [page] = pages as [Page];
    const frame = page.frameLocator("iframe");
    await frame.getByRole("link", { name: "Start a new payment" }).click();
    await price(frame).fill("2");
    await goOn(frame).click();
    await frame.getByText("Quantity: 2").waitFor({ timeout });
    await frame.getByText("Awaiting payment").waitFor({ timeout });
    expect(await paymentsOf(link["slug"])).toHaveLength(3);
    for (const context of contexts) await context.close();
  },
  { timeout: 120_000 },
);

test(
  "who comes to the page again in the same tab and makes the same choice comes back to their payment",
  async () => {
    const link = await create();
    const context = await browser.newContext();
    const page = await context.newPage();
    const begin = async () => {
      await price(page).fill("3");
      await goOn(page).click();
      await page.getByText("Quantity: 3").waitFor({ timeout });
      return slugOf(page.url());
    };
    await page.goto(link["payment_link"] ?? "");
    const first = await begin();
    await pay(first, "37.50");
    await page.getByText("Please don't pay again").waitFor({ timeout });
    await page.goto(link["payment_link"] ?? "");
    await page.reload();
    expect(await begin()).toBe(first);
    await page.getByText("Please don't pay again").waitFor({ timeout });
    await page.getByRole("link", { name: "Start a new payment" }).click();
    expect(await begin()).not.toBe(first);
    expect(await paymentsOf(link["slug"])).toHaveLength(2);
    await context.close();
  },
  { timeout: 120_000 },
);

test(
  "without JavaScript, and with Back, reload and a second click, one payment is begun",
  async () => {
    const link = await create();
    const context = await browser.newContext({ javaScriptEnabled: false });
    const alone = await context.newPage();
    await alone.goto(link["payment_link"] ?? "");
    await price(alone).fill("11");
    await goOn(alone).click();
    await alone.getByText("Enter a whole number from 1 to 10.").first().waitFor({ timeout });
    expect(await price(alone).inputValue()).toBe("11");
    await price(alone).fill("5");
    await goOn(alone).dblclick();
    await alone.getByText("Quantity: 5").waitFor({ timeout });
    const begun = alone.url();
    await alone.reload();
    expect(alone.url()).toBe(begun);
    await alone.goBack();
    await price(alone).fill("5");
    await goOn(alone).click();
    await alone.getByText("Quantity: 5").waitFor({ timeout });
    expect(alone.url()).toBe(begun);
    expect(await paymentsOf(link["slug"])).toHaveLength(1);
    await context.close();
  },
  { timeout: 120_000 },
);
