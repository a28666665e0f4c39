import { afterAll, afterEach, beforeAll, beforeEach, expect } from "bun:test";
import type { Browser, BrowserContextOptions, Frame, Page } from "playwright-core";
import { holds, startBrowser } from "../../support/browser/browser.ts";
import { linkStates } from "../link-sample.ts";
import { startTill, type TestTill, type Visit, visit } from "./live-checkout.ts";

/** What the tests of a file share after `useShop` at its top. */
export let browser: Browser;
export let till: TestTill;
export let shop: Shop;
export let visitor: Visit;
export let page: Page;

const links = () =>
  new Map(Object.entries({ abc: linkStates.awaiting, b: linkStates.partial, c: linkStates.paid }));

/** For all tests of a file a browser, a Till with three links, a shop, and a tab of somebody who visits both. */
let usual: Visit;
export function useShop(): void {
  beforeAll(async () => {
    browser = await startBrowser();
    [till, shop] = [startTill({}), startShop("")];
    usual = await visit(browser);
  });
  beforeEach(() => {
    Object.assign(till, { payments: links(), trouble: "none", successUrl: null });
    Object.assign(shop, { head: "", policy: null });
  });
  afterEach(async () => {
    if (visitor !== usual) await visitor.stop();
  });
  afterAll(async () => {
    await usual.stop();
    await Promise.all([till.stop(), shop.stop()]);
    await browser.close();
  });
}

/** Begins a visit in the usual tab, or with `options` in a browser that was never used. */
export async function arrive(options?: BrowserContextOptions): Promise<void> {
  visitor = options === undefined ? usual : await visit(browser, options);
  ({ page } = visitor);
  visitor.complaints.length = 0;
}

/** Visits the shop with this body. */
export async function open(body: string, options?: BrowserContextOptions): Promise<void> {
  shop.body = body;
  await arrive(options);
  await page.goto(shop.url);
}

export type Shop = { url: string; body: string; head: string; policy: string | null; stop(): Promise<void> };

/** A shop's own page, which writes down every message and every event that reaches it. */
export function startShop(body: string): Shop {
  const notes = `
    window.heard = [];
    window.told = [];
    addEventListener("message", ({ origin, data }) => heard.push({ origin, data }));
    document.addEventListener("till:status", ({ target, detail }) => told.push({ on: target.className, ...detail }));
  `;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      if (new URL(request.url).pathname === "/notes.js") {
        return new Response(notes, { headers: { "content-type": "text/javascript" } });
      }
      const headers: Record<string, string> = { "content-type": "text/html; charset=utf-8" };
      if (shop.policy !== null) headers["content-security-policy"] = shop.policy;
      const viewport = '<meta name="viewport" content="width=device-width">';
      const head = `<title>Shop</title>${viewport}<script src="/notes.js"></script>${shop.head}`;
      return new Response(
        `<!doctype html><html lang="en"><head>${head}</head><body>${shop.body}</body></html>`,
        {
          headers,
        },
      );
    },
  });
  const shop: Shop = { url: server.url.origin, body, head: "", policy: null, stop: () => server.stop(true) };
  return shop;
}

/** Waits until the page was told `count` states, and returns them. */
export async function told(page: Page, count: number): Promise<unknown[]> {
  await holds(page, `told.length >= ${count}`);
  return (await page.evaluate("told")) as unknown[];
}

export async function frameAt(page: Page, index: number): Promise<Frame> {
  const handle = await page.locator(".till-checkout iframe").nth(index).elementHandle();
  const frame = await handle?.contentFrame();
  if (!frame) throw new Error(`There is no frame ${index}`);
  return frame;
}

/** Waits until the frame is exactly as tall as what is in it. */
export async function untilFits(page: Page, index: number): Promise<number> {
  const frame = await frameAt(page, index);
  await holds(
    frame,
    "innerHeight === Math.ceil(document.querySelector('.page').getBoundingClientRect().height)",
  );
  expect(await frame.evaluate("document.documentElement.scrollHeight <= innerHeight")).toBe(true);
  return Number(await frame.evaluate("innerHeight"));
}

/** What the page is told of the link `abc`. */
export const pending = {
  on: "till-checkout",
  slug: "abc",
  status: "pending",
  received_amount: "0.00",
  expected_amount: "25.00",
};
export const paid = {
  on: "till-checkout",
  slug: "abc",
  status: "confirmed",
  received_amount: "25.00",
  expected_amount: "25.00",
};
