import { afterAll, beforeEach, expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import * as ReusableStore from "../../../src/store/tables/invoicing/reusable-link.ts";
import { axeViolations } from "../../support/browser/axe.ts";
import { browser, chain, till, useTillOnChain } from "../../support/browser/setup.ts";
import { type Exchanges, startExchanges } from "../../support/http/exchanges.ts";
import { startTestTill, until } from "../../support/till/till.ts";

/** Links and the counter in the merchant's money, as people see them: 20.00 EUR are 23.24 USDC. */

let exchanges: Exchanges;
let now = Date.now();
useTillOnChain(async (chain) => {
  exchanges = await startExchanges(() => now);
  return startTestTill(
    chain,
    { TILL_RATES: exchanges.setting, TILL_RPC_WS_URL: chain.wsUrl, TILL_CONFIRMATIONS: "1" },
    { now: () => now },
  );
});
afterAll(() => exchanges.stop());
beforeEach(() => {
  now += 11 * 60_000;
  exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
});

const dayMs = 86_400_000;
const rate = "1 USDC = 0.8607 EUR";
const inEuros = {
  business_name: "Kestrel Coffee",
  merchant_email: "owner@kestrel.example",
  wallet_type: "managed",
  product_description: "Guji",
  currency: "EUR",
  amount: "20.00",
};

async function visit(path: string, options: BrowserContextOptions, work: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(`${till.baseUrl}${path}`);
  await work(page);
  expect(errors).toEqual([]);
  await context.close();
}

const textOf = async (page: Page, selector: string) =>
  ((await page.locator(selector).textContent()) ?? "").replaceAll("\u00a0", " ");
const preview = (page: Page) => page.frameLocator("#preview").locator("body").textContent().then(String);
const slugOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";
const linkAt = (slug: string) => {
  const link = LinkStore.bySlug(till.db, slug);
  if (!link) throw new Error(`no link ${slug}`);
  return link;
};

test("A link is made in euros, previewed and shown with both amounts, and the form keeps the currency", async () => {
  let slug = "";
  await visit("/desk/links/new", {}, async (page) => {
    if (!(await page.isVisible("#business_name"))) await page.click("details.billed-by summary");
    await page.fill("#business_name", inEuros.business_name);
    await page.fill("#merchant_email", inEuros.merchant_email);
    await page.selectOption("#currency", "EUR");
    await page.fill("#expected_amount", "0");
    await page.click("text=Create the link");
    await page.waitForSelector("#expected_amount-fault");
    expect(await page.inputValue("#currency")).toBe("EUR");
    await page.fill("#expected_amount", "20,00");
    await until(
      () => preview(page),
      (text) => [rate, "20.00 EUR", "23.24"].every((each) => text.includes(each)),
    );
    await page.click("text=Create the link");
    await page.waitForSelector("text=The link was created.");
    slug = slugOf(page);
    const shown = await textOf(page, "main");
    for (const text of ["20.00 EUR", "23.24", rate, "Amount holds until"]) expect(shown).toContain(text);
  });
  expect(linkAt(slug)).toMatchObject({ currency: { code: "EUR", rate: "0.8607" } });
  await visit("/desk/links", { viewport: { width: 1280, height: 900 } }, async (page) => {
    expect(await textOf(page, "#links")).toContain("20.00 EUR");
    await page.goto(`${till.baseUrl}/desk/links/new`);
    expect(await page.inputValue("#currency")).toBe("EUR");
    await page.goto(`${till.baseUrl}/desk/links/new?like=${slug}`);
    expect(await page.inputValue("#expected_amount")).toBe("20.00");
    await page.goto(`${till.baseUrl}/desk/links/${slug}/print`);
    expect(await textOf(page, ".poster-price")).toBe("20.00 EUR");
  });
});

test("A reusable link is made in another currency, at a rate that is typed", async () => {
  await visit("/desk/links/new?often=again&currency=CHF", { javaScriptEnabled: false }, async (page) => {
    if (!(await page.isVisible("#business_name"))) await page.click("details.billed-by summary");
    await page.fill("#business_name", inEuros.business_name);
    await page.fill("#merchant_email", inEuros.merchant_email);
    await page.fill("#expected_amount", "8.00");
    await page.click("text=Create the link");
    await page.waitForSelector("#rate-fault");
    await page.fill("#rate", "0,8");
    await page.click("text=Create the link");
    await page.waitForSelector("text=The link was created.");
    expect(ReusableStore.bySlug(till.db, slugOf(page))?.currency).toEqual({ code: "CHF", rate: "0.8" });
    expect(await textOf(page, "main")).toContain("8.00 CHF");
    await until(
      () => preview(page),
      (text) => text.includes("8.00 CHF"),
    );
  });
});

test("The counter types in euros, charges in USDC beneath them, and stays in euros", async () => {
  await till.api("POST", "/api/links", inEuros);
  await visit("/desk/counter?currency=EUR", {}, async (page) => {
    for (const key of ["2", "00", "0"]) await page.click(`.keys button[value="${key}"]`);
    expect(await textOf(page, "#to-pay")).toBe("20.00 EUR");
    expect(await textOf(page, "#in-usdc")).toBe("≈ 23.24 USDC");
    expect(await axeViolations(page)).toEqual([]);
    await page.click("#charge");
    await page.waitForSelector("#sale");
    expect(await textOf(page, ".ask")).toBe("To pay20.00 EUR23.24 USDC");
    const { deposit } = linkAt(slugOf(page));
    expect(Number(deposit.expected)).toBe(23_240_000);
    await chain.pay(deposit.address, "23.24");
    await page.waitForSelector(".paid-words");
    expect(await textOf(page, ".paid-words")).toContain("20.00 EUR23.24 USDC");
    await page.goto(`${till.baseUrl}/desk/counter`);
    expect(await page.inputValue("#currency")).toBe("EUR");
    expect(await textOf(page, "#counter-day")).toContain("20.00 EUR");
    await page.selectOption("#currency", "");
    await until(
      () => textOf(page, "#to-pay"),
      (text) => text.endsWith("USDC"),
    );
    expect(await page.locator("#in-usdc").count()).toBe(0);
  });
});

test("The counter charges nothing while no rate is to be had, and says so", async () => {
  exchanges.set("all", { body: "", status: 503 });
  await visit("/desk/counter?currency=EUR", {}, async (page) => {
    await page.keyboard.press("7");
    expect(await page.locator("#in-usdc").count()).toBe(0);
    await page.click("#charge");
    await page.waitForSelector("#keypad-fault");
    expect(await textOf(page, "#keypad-fault")).toContain("No exchange rate is available");
    expect(await textOf(page, "#to-pay")).toBe("0.07 EUR");
    // A keypad that was opened in a currency that Till knows no rate of any more charges nothing else instead.
    await page.evaluate(`document.querySelector("#currency option:checked").value = "GBP"`);
    await page.click("#charge");
    await until(
      () => textOf(page, "#to-pay"),
      (text) => text === "0.00 USDC",
    );
    expect(await textOf(page, "#keypad-fault")).toContain("No exchange rate is available");
  });
});

test("The counter shows the currency that it charges in, and keeps what is typed while the rate is asked for", async () => {
  await visit("/desk/counter?currency=", {}, async (page) => {
    const isOffline = page.waitForSelector("#counter-offline:not([hidden])");
    await page.route(/currency=EUR/, (route) => route.abort());
    await page.keyboard.press("7");
    await page.selectOption("#currency", "EUR");
    await isOffline;
    expect(await textOf(page, "#to-pay")).toBe("0.07 EUR");
    await page.unroute(/currency=EUR/);
    await page.goto(`${till.baseUrl}/desk/counter?currency=`);
    exchanges.set("all", "hangs");
    now += 11 * 60_000;
    const answered = page.waitForResponse(/currency=EUR/);
    await page.selectOption("#currency", "EUR");
    await page.evaluate("document.activeElement?.blur()");
    for (const key of ["1", "2"]) await page.keyboard.press(key);
    await answered;
    await page.waitForFunction("location.search.includes('currency=EUR')");
    for (const key of ["5", "0", "0"]) await page.keyboard.press(key);
    expect(await textOf(page, "#to-pay")).toBe("125.00 EUR");
  });
  // Whoever asks for a rate now waits for the answer that is still on its way.
  exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
  const rateIsBack = async () => {
    now += 11_000;
    return (await till.api("POST", "/api/links", inEuros)).status;
  };
  await until(rateIsBack, (status) => status === 201);
});

test("A page that is open when its price ends says so by itself, and then has the new amount", async () => {
  const { body: made } = await till.api("POST", "/api/links", inEuros);
  await visit(`/pay/${made.slug}`, { timezoneId: "Asia/Tokyo" }, async (page) => {
    expect(await textOf(page, "#payment")).toContain("23.24");
    for (const text of [rate, "This amount holds until", "GMT+9"])
      expect(await textOf(page, "#payment")).toContain(text);
    exchanges.set("all", { bid: "0.9999", ask: "1.0001" });
    now += dayMs;
    await page.waitForSelector("[data-payment=unpriced]");
    const ended = await page.locator("main").innerHTML();
    for (const gone of [made.deposit_address, "23.24"]) expect(ended).not.toContain(gone);
    expect(await axeViolations(page)).toEqual([]);
    now += 60_000;
    await page.waitForSelector("[data-payment=open]");
    expect(await textOf(page, "#payment")).toContain("1 USDC = 1 EUR");
    await chain.pay(made.deposit_address, "20.00");
    await page.waitForSelector("[data-payment=paid]");
  });
});

test("The counter's screen has no code once its price has ended, and a new one by itself", async () => {
  await visit("/desk/counter?currency=EUR&digits=2000", {}, async (page) => {
    await page.click("#charge");
    await page.waitForSelector("#sale-codes");
    exchanges.set("all", { bid: "0.9999", ask: "1.0001" });
    now += dayMs;
    await page.waitForSelector("text=Wait a minute");
    expect(await page.locator("#sale-codes").count()).toBe(0);
    expect(await textOf(page, ".ask")).toBe("To pay20.00 EUR");
    now += 60_000;
    await page.waitForSelector("#sale-codes");
    expect(await textOf(page, ".ask")).toBe("To pay20.00 EUR20.00 USDC");
  });
});
