import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Address } from "../../src/domain/wallet/address.ts";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import { browser, chain, till, useTillOnChain } from "../support/browser/setup.ts";
import { endProcesses, startProcess } from "../support/till/process.ts";
import { linkRequest, startTestTill, until } from "../support/till/till.ts";

/** So many blocks of 0.5 s that nothing counts before the test says so. */
const confirmations = 400;

useTillOnChain((chain) => startTestTill(chain, { TILL_CONFIRMATIONS: `${confirmations}` }), { blockMs: 500 });
afterAll(endProcesses);

/** Makes what a page asks by the clock come a thousand times later. */
const withoutPolls = `{
  const set = window.setTimeout.bind(window);
  window.setTimeout = (work, ms = 0, ...values) => set(work, ms < 1_000 ? ms : ms * 1_000, ...values);
}`;
const pollMs = 3_600_000;

const isWait = (url: string) => /\/told\?(.*&)?shown=[a-z]/.test(url);

/** A page that nothing but what it is told keeps up to date, and which waits for that. */
async function open(path: string, errors: string[], act: (page: Page) => Promise<void> = async () => {}) {
  const page = await (await browser.newContext({ locale: "en" })).newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.addInitScript(withoutPolls);
  const waits = page.waitForRequest((request) => isWait(request.url()));
  await page.goto(`${till.baseUrl}${path}`);
  await act(page);
  await waits;
  return page;
}

async function charge(counter: Page): Promise<void> {
  await counter.keyboard.type("2500");
  await counter.keyboard.press("Enter");
  await counter.waitForSelector("#sale-codes");
}

/** Makes everything count that was paid: another payment has Till look at the chain. */
async function makeCount(): Promise<void> {
  const { body: other } = await till.api("POST", "/api/links", linkRequest);
  // All at once would take longer than one call may, on a busy machine.
  for (let mined = 0; mined < confirmations; mined += 100) await chain.mine(100);
  await chain.pay(other.deposit_address, "1.00");
}

const saleAt = (counter: Page) => LinkStore.bySlug(till.db, counter.url().split("/").at(-1) ?? "");

test("invoice, checkout, counter and terminal are told of a payment with its block, and when it counts", async () => {
  const errors: string[] = [];
  const line_items = [{ description: "Tea", quantity: 1, unit_price: "25.00" }];
  const made = await till.createInvoice({ line_items });
  const { body: link } = await till.api("POST", "/api/links", linkRequest);
  const { body: watched } = await till.api("POST", "/api/links", linkRequest);
  const invoice = await open(new URL(made["invoice_url"] ?? "").pathname, errors);
  const checkout = await open(`/pay/${link.slug}`, errors);
  const counter = await open("/desk/counter", errors, charge);
  const terminal = startWaiting(watched.slug, till.baseUrl);
  await terminal.line((line) => line.startsWith("Waiting"));

  const showing = [
    invoice.waitForSelector("[data-payment=pending]"),
    checkout.waitForSelector("[data-payment=pending]"),
    counter.waitForSelector("#sale[data-waiting]:not(:has(#sale-codes))"),
    terminal.line((line) => line === "It: 25.00 USDC has been detected. It does not count yet."),
  ];
  const to = [
    made["deposit_address"],
    link.deposit_address,
    saleAt(counter)?.deposit.address,
    watched.deposit_address,
  ];
  for (const address of to as Address[]) await chain.pay(address, "25.00");
  await Promise.all(showing);
  expect(await checkout.title()).toStartWith("Payment detected · ");
  expect(await counter.textContent("#sale-status")).toContain("25.00 USDC");

  await makeCount();
  await Promise.all([
    invoice.waitForSelector("[data-payment=paid]"),
    checkout.waitForSelector("[data-payment=paid]"),
    counter.waitForSelector("#sale[data-phase=paid]"),
    terminal.line((line) => line.startsWith("It is confirmed")),
  ]);
  expect(await terminal.exited).toBe(0);
  expect(errors).toEqual([]);
});

test("the counter waits for the next sale alone", async () => {
  const counter = await open("/desk/counter", [], charge);
  const first = saleAt(counter)?.slug ?? "";
  const left = counter.waitForEvent("requestfailed", (request) =>
    request.url().includes(`/pay/${first}/told`),
  );
  await counter.click("a[data-next]");
  await counter.waitForSelector("#keypad");
  await left;
  const waits = counter.waitForRequest((request) => isWait(request.url()));
  await charge(counter);
  expect((await waits).url()).toContain(`/pay/${saleAt(counter)?.slug}/told`);
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
  expect(count("/told")).toBe(0);
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
      return new Response(`<h1>Not found: ${refused}</h1>`);
    },
  });
  const terminal = startWaiting(link.slug, proxy.url.origin, 300);
  await until(
    () => refused,
    (times) => times > 2,
  );
  await chain.pay(link.deposit_address, "25.00");
  await makeCount();
  await terminal.line((line) => line.startsWith("It is confirmed"));
  expect(await terminal.exited).toBe(0);
  await proxy.stop(true);
});

/** A terminal that waits for a link to be paid. */
function startWaiting(slug: string, baseUrl: string, everyMs = pollMs) {
  const source = join(import.meta.dir, "../../src/cli");
  return startProcess([
    ...[process.execPath, "-e"],
    `const { createClient } = await import(${JSON.stringify(`${source}/api/client.ts`)});
    const { watch } = await import(${JSON.stringify(`${source}/commands/issue/issue.ts`)});
    const payment = { path: "/api/payments/status/${slug}", page: "/pay/${slug}", name: "It", ids: {} };
    await watch(createClient({ TILL_BASE_URL: ${JSON.stringify(baseUrl)} }), payment, { json: false, pollMs: ${everyMs} });
    process.exit();`,
  ]);
}
