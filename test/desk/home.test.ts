import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import * as Address from "../../src/domain/wallet/address.ts";
import { browser, chain, till, useTillOnChain } from "../support/browser/setup.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { dayClock, startTestTill, until } from "../support/till/till.ts";

let page: Page;

useTillOnChain(async (chain) => {
  const now = dayClock();
  await chain.rpc("evm_increaseTime", [Math.floor((now() - Date.now()) / 1_000)]);
  return startTestTill(chain, { TILL_CONFIRMATIONS: "2" }, { now });
});
beforeAll(async () => {
  page = await browser.newPage();
  await page.goto(`${till.baseUrl}/desk`);
});

const main = async () => (await page.locator("main").textContent()) ?? "";
/** Of the page that is open, which nobody loads again. */
const shows = (...texts: string[]) =>
  until(main, (shown) => texts.every((text) => shown.includes(text)), 20_000);

describe("Home", () => {
  test("says what to do first, one thing at a time", async () => {
    expect(await main()).toContain("Create your first invoice");
    expect(await page.locator("main a.button:not(.button-quiet)").allTextContents()).toEqual([
      "Fill in your details",
    ]);
  });

  test("and the health page agree while nobody is to pay: no block is read then", async () => {
    const health = await browser.newPage();
    await health.goto(`${till.baseUrl}/desk/settings/health`);
    await health.locator("#watch").getByText("up to date").waitFor();
    expect(await health.locator("#chain").textContent()).toContain(
      "Not read just now: nobody is about to pay",
    );
    await health.close();
  });

  test("says what is owed and what is late, without what was paid of it", async () => {
    await till.createInvoice({ due_date: "2026-01-31", issue_date: "2026-01-01" });
    await till.createInvoice({ vendor_name: "Café Morgenrot" });
    await page.reload();
    const shown = await main();
    expect(shown).toContain("3,000.00 USDC");
    expect(shown).toContain("1,500.00 USDC");
    expect(shown).toContain("Next due 31 January 2030");
    expect(shown).toContain("Oldest due 31 January");
  });

  test("shows a payment while it is open, as it is confirmed", async () => {
    const { deposit_address } = await till.createInvoice({ vendor_name: "Hotel Linde" });
    await chain.pay(Address.checksum(deposit_address ?? ""), "738.8");
    await shows("Hotel Linde", "738.80");
    // Nothing counts before it is confirmed.
    expect(await page.locator("#received .figure").textContent()).toStartWith("0.00");
    await chain.rpc("anvil_mine", ["0x1"]);
    await shows("Confirmed");
    await until(
      () => page.locator("#received .figure").textContent(),
      (text) => text?.startsWith("738.80") ?? false,
      20_000,
    );
    expect(await page.locator("#received .pairs").textContent()).toContain("738.80");
    expect(await page.locator(".chart rect.now").getAttribute("height")).not.toBe("1.4%");
    expect(await page.locator("#chart-name").textContent()).toContain("738.80 USDC");
  });

  test("keeps what stands beside the page up to date, too", async () => {
    const rail = async () => (await page.locator(".rail").textContent()) ?? "";
    const says = (text: string) => until(rail, (shown) => shown.includes(text), 20_000);
    await page.goto(`${till.baseUrl}/desk`);
    expect(await rail()).toContain("Invoices3");
    await till.createInvoice();
    await says("Invoices4");
    await says("up to date");
  });
});

test("a logo in the place of the shop's name is read out as that", async () => {
  const dir = makeDataDir();
  const logo = join(dir.path, "logo.svg");
  await Bun.write(logo, "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>");
  const own = await startTestTill({ rpcUrl: "http://127.0.0.1:9" }, { TILL_BRAND_LOGO: logo });
  try {
    await own.createInvoice({ merchant_name: 'Café "Morgenrot"' });
    const html = await (await fetch(`${own.baseUrl}/desk`)).text();
    const alts = [...html.matchAll(/<img class="logo"[^>]* alt="([^"]*)"/g)].map(([, alt]) => alt);
    expect(new Set(alts)).toEqual(new Set(["Café &quot;Morgenrot&quot;"]));
  } finally {
    await own.stop();
    dir.remove();
  }
});
