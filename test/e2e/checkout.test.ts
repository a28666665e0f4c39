import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import * as Address from "../../src/domain/wallet/address.ts";
import { soon, startBrowser } from "../support/browser/browser.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { startTestTill, type TestTill } from "../support/till/till.ts";

type Created = {
  slug: string;
  deposit_address: string;
  payment_link: string;
  js_widget_snippet: string;
};

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

/** A shop's website that shows what it is given. */
function startShop() {
  let body = "";
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response(
        `<!doctype html><html lang="en"><title>Shop</title><body><h1>Your order</h1>
         <script>window.ended = []; addEventListener("till:expired", (event) => window.ended.push(event.detail));</script>
         ${body}</body></html>`,
        { headers: { "content-type": "text/html" } },
      ),
  });
  return {
    show(markup: string) {
      body = markup;
    },
    url: `http://localhost:${server.port}/`,
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

/** Another site than Till's, as the browser sees it. */
async function open(markup: string): Promise<Page> {
  shop.show(markup);
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(shop.url);
  return page;
}

test("a link that expires while its page is open asks for no more money, there and in the widget, and shows what comes all the same", async () => {
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
