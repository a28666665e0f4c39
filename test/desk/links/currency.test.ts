import { afterAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import * as ReusableStore from "../../../src/store/tables/invoicing/reusable-link.ts";
import { axeViolations } from "../../support/browser/axe.ts";
import { later } from "../../support/browser/browser.ts";
import { browser, chain, till, useTillOnChain } from "../../support/browser/setup.ts";
import { phone } from "../../support/browser/stage.ts";
import { type Walk, walk } from "../../support/desk/walk.ts";
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

async function visit(path: string, work: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ viewport: phone, timezoneId: "Asia/Tokyo" });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.clock.install();
  await page.goto(`${till.baseUrl}${path}`);
  await work(page);
  expect(errors).toEqual([]);
  await context.close();
}
async function open(path: string): Promise<Walk> {
  const desk = walk(till);
  await desk.open(`/desk/${path}`);
  return desk;
}

const textOf = async (page: Page, selector: string) =>
  ((await page.locator(selector).textContent()) ?? "").replaceAll("\u00a0", " ");
const slugOf = (path: string) => path.split("?")[0]?.split("/").at(-1) ?? "";
const linkAt = (path: string) => {
  const link = LinkStore.bySlug(till.db, slugOf(path));
  if (!link) throw new Error(`no link ${path}`);
  return link;
};

test("A link is made in euros, previewed and shown with both amounts, and the form keeps the currency", async () => {
  const desk = await open("links/new");
  const { business_name, merchant_email } = inEuros;
  desk.fill({ business_name, merchant_email, currency: "EUR", expected_amount: "0" });
  await desk.press("Create the link");
  expect(desk.text("#expected_amount-fault")).not.toBe("");
  expect(desk.value("currency")).toBe("EUR");
  desk.fill({ expected_amount: "20,00" });
  await desk.choose("as", "preview");
  const preview = await desk.frame("preview");
  for (const each of [rate, "20.00 EUR", "23.24"]) expect(preview.text("body")).toContain(each);
  await desk.press("Create the link");
  expect(desk.text()).toContain("The link was created.");
  const slug = slugOf(desk.path);
  for (const text of ["20.00 EUR", "23.24", rate, "Amount holds until"]) expect(desk.text()).toContain(text);
  expect(linkAt(slug)).toMatchObject({ currency: { code: "EUR", rate: "0.8607" } });
  await desk.open("/desk/links");
  expect(desk.text("#links")).toContain("20.00 EUR");
  await desk.open("/desk/links/new");
  expect(desk.value("currency")).toBe("EUR");
  await desk.open(`/desk/links/new?like=${slug}`);
  expect(desk.value("expected_amount")).toBe("20.00");
  await desk.open(`/desk/links/${slug}/print`);
  expect(desk.text(".poster-price")).toBe("20.00 EUR");
});

test("A reusable link is made in another currency, at a rate that is typed", async () => {
  const desk = await open("links/new?often=again&currency=CHF");
  const { business_name, merchant_email } = inEuros;
  desk.fill({ business_name, merchant_email, expected_amount: "8.00" });
  await desk.press("Create the link");
  expect(desk.text("#rate-fault")).not.toBe("");
  desk.fill({ rate: "0,8" });
  await desk.choose("as", "preview");
  expect((await desk.frame("preview")).text("body")).toContain("8.00 CHF");
  await desk.press("Create the link");
  expect(desk.text()).toContain("The link was created.");
  const slug = slugOf(desk.path);
  expect(ReusableStore.bySlug(till.db, slug)?.currency).toEqual({ code: "CHF", rate: "0.8" });
  expect(desk.text()).toContain("8.00 CHF");
  await desk.open(`/desk/links/${slug}/preview`);
  expect(desk.text("body")).toContain("8.00 CHF");
});

test.each([
  ["JPY", "150", "1000", "2,000 JPY"],
  ["KWD", "0.308", "1.250", "2.500 KWD"],
])("The total of several pieces has the decimals of %s", async (currency, rate, amount, total) => {
  const price = { currency, rate, amount, reusable: true, quantity_max: 5 };
  const { body } = await till.api("POST", "/api/links", { ...inEuros, ...price });
  await visit(`/pay/${body.slug}`, async (page) => {
    await page.fill("#quantity", "2");
    expect(await textOf(page, "#total")).toBe(total);
  });
});

test("The counter types in euros and charges in USDC, has no code once the price has ended, and stays in euros", async () => {
  await till.api("POST", "/api/links", inEuros);
  await visit("/desk/counter?currency=EUR", async (page) => {
    for (const key of ["2", "00", "0"]) await page.click(`.keys button[value="${key}"]`);
    expect(await textOf(page, "#to-pay")).toBe("20.00 EUR");
    expect(await textOf(page, "#in-usdc")).toBe("≈ 23.24 USDC");
    expect(await axeViolations(page)).toEqual([]);
    await page.click("#charge");
    await page.waitForSelector("#sale-codes");
    expect(await textOf(page, ".ask")).toBe("To pay20.00 EUR23.24 USDC");
    const { deposit } = linkAt(page.url());
    expect(Number(deposit.expected)).toBe(23_240_000);
    expect((await open("counter")).text("#counter-day")).toContain("20.00 EUR");
    exchanges.set("all", { bid: "0.9999", ask: "1.0001" });
    now += dayMs;
    await later(page, () => page.isVisible("text=Wait a minute"));
    expect(await page.locator("#sale-codes").count()).toBe(0);
    expect(await textOf(page, ".ask")).toBe("To pay20.00 EUR");
    now += 60_000;
    await later(page, () => page.isVisible("#sale-codes"));
    expect(await textOf(page, ".ask")).toBe("To pay20.00 EUR20.00 USDC");
    await chain.pay(deposit.address, "20.00");
    await later(page, () => page.isVisible(".paid-words"));
    expect(await textOf(page, ".paid-words")).toContain("20.00 EUR20.00 USDC");

    await page.goto(`${till.baseUrl}/desk/counter`);
    expect(await page.inputValue("#currency")).toBe("EUR");
    // Whoever changes their mind while a form is on its way gets what they chose last.
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/currency=&/, (route) => held.then(() => route.continue()));
    await page.selectOption("#currency", "");
    await page.selectOption("#currency", "EUR");
    release();
    await page.waitForSelector("#in-usdc");
    expect(await page.inputValue("#currency")).toBe("EUR");
    await page.unroute(/currency=&/);
    await page.selectOption("#currency", "");
    await until(
      () => textOf(page, "#to-pay"),
      (text) => text.endsWith("USDC"),
    );
    expect(await page.locator("#in-usdc").count()).toBe(0);

    // It shows the currency that it charges in, and keeps what is typed while the rate is asked for.
    const isOffline = page.waitForSelector("#counter-offline:not([hidden])");
    await page.route(/currency=EUR/, (route) => route.abort());
    await page.keyboard.press("7");
    await page.selectOption("#currency", "EUR");
    await isOffline;
    expect(await textOf(page, "#to-pay")).toBe("0.07 EUR");
    await page.unroute(/currency=EUR/);
    // Whoever types meanwhile goes on in the same field.
    await page.goto(`${till.baseUrl}/desk/counter?currency=`);
    exchanges.set("all", "hangs");
    now += 11 * 60_000;
    const { promise: typed, resolve: goOn } = Promise.withResolvers<void>();
    await page.route(/currency=EUR/, (route) => typed.then(() => route.continue()));
    await page.selectOption("#currency", "EUR");
    await page.evaluate("document.activeElement?.blur()");
    for (const key of ["1", "2"]) await page.keyboard.press(key);
    await page.fill("#tax_rate", "15");
    await page.keyboard.press("ArrowLeft");
    await page.evaluate("document.querySelector('#keypad').dataset.old = ''");
    goOn();
    await page.waitForSelector("#keypad:not([data-old])");
    await page.keyboard.press("9");
    expect(await page.inputValue("#tax_rate")).toBe("195");
    await page.keyboard.press("Delete");
    await page.evaluate("document.activeElement?.blur()");
    for (const key of ["5", "0", "0"]) await page.keyboard.press(key);
    expect(await textOf(page, "#to-pay")).toBe("125.00 EUR");
    await page.reload();
    expect([await page.inputValue("#tax_rate"), await textOf(page, "#to-pay")]).toEqual(["19", "125.00 EUR"]);
  });
  // Whoever asks for a rate now waits for the answer that is still on its way.
  exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
  const rateIsBack = async () => {
    now += 11_000;
    return (await till.api("POST", "/api/links", inEuros)).status;
  };
  await until(rateIsBack, (status) => status === 201);
});

test("The counter charges nothing while no rate is to be had, and says so", async () => {
  exchanges.set("all", { body: "", status: 503 });
  const desk = await open("counter?currency=EUR&digits=7");
  expect(desk.texts("#in-usdc")).toEqual([]);
  await desk.press(/^Charge/);
  expect(desk.text("#keypad-fault")).toContain("No exchange rate is available");
  expect(desk.text("#to-pay")).toBe("0.07 EUR");
  // A keypad that was opened in a currency that Till knows no rate of any more charges nothing else instead.
  desk.fill({ currency: "GBP" });
  await desk.press(/^Charge/);
  expect(desk.text("#to-pay")).toBe("0.00 USDC");
  expect(desk.text("#keypad-fault")).toContain("No exchange rate is available");
});

test("A page that is open when its price ends says so by itself, and then has the new amount", async () => {
  const { body: made } = await till.api("POST", "/api/links", inEuros);
  await visit(`/pay/${made.slug}`, async (page) => {
    expect(await textOf(page, "#payment")).toContain("23.24");
    for (const text of [rate, "This amount holds until", "GMT+9"])
      expect(await textOf(page, "#payment")).toContain(text);
    exchanges.set("all", { bid: "0.9999", ask: "1.0001" });
    now += dayMs;
    await later(page, () => page.isVisible("[data-payment=unpriced]"));
    const ended = await page.locator("main").innerHTML();
    for (const gone of [made.deposit_address, "23.24"]) expect(ended).not.toContain(gone);
    expect(await axeViolations(page)).toEqual([]);
    now += 60_000;
    await later(page, () => page.isVisible("[data-payment=open]"));
    expect(await textOf(page, "#payment")).toContain("1 USDC = 1 EUR");
    await chain.pay(made.deposit_address, "20.00");
    await later(page, () => page.isVisible("[data-payment=paid]"));
  });
});
