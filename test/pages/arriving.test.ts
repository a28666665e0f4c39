import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Address } from "../../src/domain/wallet/address.ts";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import { browser, chain, till, useTillOnChain } from "../support/browser/setup.ts";
import { type FlashblocksNode, pendingLog, startFlashblocksNode } from "../support/chain/flashblocks-node.ts";
import { startProcess } from "../support/till/process.ts";
import { linkRequest, startTestTill, until } from "../support/till/till.ts";

let node: FlashblocksNode;

useTillOnChain((chain) => {
  node = startFlashblocksNode(chain);
  return startTestTill(chain, { TILL_RPC_WS_URL: node.wsUrl });
});
afterAll(() => node.stop());

/** Far below the time between two regular questions, of 3 s and more; the terminal asks every second. */
const shownMsMax = 1_000;
const askedMsMax = 3_000;

/** Tells of payments before their block, and says how long it takes until all of that shows. */
async function tellAll(to: readonly Address[], shown: readonly (() => Promise<unknown>)[]): Promise<string> {
  await until(
    () => to.every((each) => `${node.asked.at(-1)}`.includes(each.slice(2).toLowerCase())),
    Boolean,
  );
  const { number } = await chain.blockAt("latest");
  // The pages have begun to wait.
  await Bun.sleep(2_500);
  const startedAt = performance.now();
  node.tell(...to.map((address) => pendingLog(chain, address, 25_000_000n, number + 1)));
  const tookMs = await Promise.all(shown.map((each) => each().then(() => performance.now() - startedAt)));
  expect(Math.max(...tookMs.slice(0, 2))).toBeLessThan(shownMsMax);
  expect(Math.max(...tookMs)).toBeLessThan(askedMsMax);
  return tookMs.map((ms) => ms.toFixed(0)).join(", ");
}

test("an arriving payment shows at once on invoice, checkout, counter and in a terminal, and goes again", async () => {
  const errors: string[] = [];
  const open = async (url: string, language = "en"): Promise<Page> => {
    const page = await (await browser.newContext({ locale: language })).newPage();
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(url);
    return page;
  };
  const line_items = [{ description: "Tea", quantity: 1, unit_price: "25.00" }];
  const made = await till.createInvoice({ line_items });
  const { body: link } = await till.api("POST", "/api/links", linkRequest);
  const { body: watched } = await till.api("POST", "/api/links", linkRequest);
  const invoice = await open(made["invoice_url"] ?? "", "ar");
  const checkout = await open(link.payment_link);
  await checkout.click("label[for=way-exchange]");
  const counter = await open(`${till.baseUrl}/desk/counter`);
  await counter.keyboard.type("2500");
  await counter.keyboard.press("Enter");
  await counter.waitForSelector("#sale-codes");
  const sale = LinkStore.bySlug(till.db, counter.url().split("/").at(-1) ?? "");
  const terminal = startWaiting(watched.slug, till.baseUrl);
  await terminal.line((line) => line.startsWith("Waiting"));

  const to = [made["deposit_address"], link.deposit_address, sale?.deposit.address, watched.deposit_address];
  const tookMs = await tellAll(to as Address[], [
    () => invoice.waitForSelector("[data-payment=arriving]"),
    () => checkout.waitForSelector("[data-payment=arriving]"),
    () => counter.waitForSelector("#sale[data-phase=arriving]"),
    () => terminal.line((line) => line === "It: 25.00 USDC is arriving. It is in no block yet."),
  ]);
  console.log(`shown on invoice, checkout, counter and in a terminal after ${tookMs} ms`);
  expect(await invoice.textContent(".pill")).toBe("قيد الوصول");
  expect(await checkout.title()).toStartWith("Arriving · ");
  expect(await checkout.textContent("#announcement")).toBe(
    "Your payment is arriving: it is not in a block yet.",
  );
  expect(await checkout.locator(".how, .seal, .mark-done").count()).toBe(0);
  expect(await counter.textContent("#sale-status")).toContain("25.00 USDC arriving, not in a block yet.");
  expect(await counter.locator("#sale-codes, .seal, #cancel").count()).toBe(0);

  // A block that has none of it: everything is as it was, and the way to pay that was chosen is open.
  await chain.mine(1);
  await chain.pay(
    ((await till.api("POST", "/api/links", linkRequest)).body as typeof link).deposit_address,
    "1.00",
  );
  await checkout.waitForSelector("[data-payment=open]", { timeout: shownMsMax });
  expect(await checkout.isChecked("#way-exchange")).toBe(true);
  await invoice.waitForSelector("[data-payment=open]");
  await counter.waitForSelector("#sale-codes");
  await counter.waitForSelector("#cancel");
  await terminal.line((line) => line === "It: what was arriving is gone again. It is in no block.");

  await chain.pay(watched.deposit_address, "25.00");
  await terminal.line((line) => line.startsWith("It is confirmed"));
  expect(await terminal.exited).toBe(0);
  expect(errors).toEqual([]);
});

test("the counter says one sum in title and heading while the rest arrives", async () => {
  const page = await (await browser.newContext({ locale: "en" })).newPage();
  await page.goto(`${till.baseUrl}/desk/counter`);
  await page.keyboard.type("2500");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#sale-codes");
  const sale = LinkStore.bySlug(till.db, page.url().split("/").at(-1) ?? "");
  const to = sale?.deposit.address as Address;
  const says = async () => [
    (await page.title()).split(" · ")[0],
    (await page.textContent(".ask .figure"))?.trim(),
  ];
  const rest = ["To pay 15.00 USDC", "15.00 USDC"];
  await chain.pay(to, "10.00");
  await until(says, (said) => Bun.deepEquals(said, rest));
  node.tell(pendingLog(chain, to, 15_000_000n, 1_000_000));
  await page.waitForSelector("#sale[data-phase=arriving]");
  expect(await says()).toEqual(rest);
});

test("a page in a frame holds no request, and is kept up to date as before", async () => {
  const { body: link } = await till.api("POST", "/api/links", linkRequest);
  const asked: string[] = [];
  const page = await (await browser.newContext()).newPage();
  page.on("request", (request) => asked.push(request.url()));
  const shop = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response(`<iframe src="${link.payment_link}?embed=1"></iframe>`, {
        headers: { "content-type": "text/html" },
      }),
  });
  await page.goto(shop.url.href);
  const count = (part: string) => asked.filter((url) => url.includes(part)).length;
  await until(
    () => count("/status/"),
    (polls) => polls >= 2,
  );
  expect(await page.frameLocator("iframe").locator("[data-arriving]").count()).toBe(1);
  expect(count("/arriving")).toBe(0);
  await shop.stop(true);
});

test("a terminal waits on where nothing but the API can be reached", async () => {
  const { body: link } = await till.api("POST", "/api/links", linkRequest);
  let refused = 0;
  const proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/api/")) return fetch(till.localUrl + pathname);
      refused += 1;
      return new Response("<h1>Not found</h1>", { status: 404 });
    },
  });
  const terminal = startWaiting(link.slug, proxy.url.origin);
  await until(
    () => refused,
    (times) => times > 2,
  );
  await chain.pay(link.deposit_address, "25.00");
  await terminal.line((line) => line.startsWith("It is confirmed"));
  expect(await terminal.exited).toBe(0);
  await proxy.stop(true);
});

/** A terminal that waits for a link to be paid. */
function startWaiting(slug: string, baseUrl: string) {
  const source = join(import.meta.dir, "../../src/cli");
  return startProcess([
    ...[process.execPath, "-e"],
    `const { createClient } = await import(${JSON.stringify(`${source}/api/client.ts`)});
    const { watch } = await import(${JSON.stringify(`${source}/commands/issue/issue.ts`)});
    const payment = { path: "/api/payments/status/${slug}", page: "/pay/${slug}", name: "It", ids: {} };
    await watch(createClient({ TILL_BASE_URL: ${JSON.stringify(baseUrl)} }), payment, { json: false, pollMs: 300 });`,
  ]);
}
