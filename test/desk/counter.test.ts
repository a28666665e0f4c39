import { beforeAll, describe, expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { languageCodes } from "../../src/language/languages.ts";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import { axeViolations } from "../support/browser/axe.ts";
import { browser, chain, till, useTillOnChain } from "../support/browser/setup.ts";
import { dayClock, linkRequest, startTestTill, until } from "../support/till/till.ts";

const phone = { width: 390, height: 844 };

useTillOnChain((chain) => startTestTill(chain, { TILL_RPC_WS_URL: chain.wsUrl }, { now: dayClock() }));
beforeAll(async () => {
  // Whoever billed before needs no settings to charge.
  await till.api("POST", "/api/links", linkRequest);
});

async function visit(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: phone, ...options });
  const errors: string[] = [];
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    // A form that is refused.
    if (message.type() === "error" && !message.text().includes("422")) errors.push(message.text());
  });
  await page.goto(`${till.baseUrl}/desk/counter`);
  await work(page);
  expect(errors).toEqual([]);
  await context.close();
}

const slugOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

function linkOf(page: Page) {
  const link = LinkStore.bySlug(till.db, slugOf(page));
  if (!link) throw new Error(`no link of ${page.url()}`);
  return link;
}

const toPay = (page: Page) => page.locator(".ask .figure").textContent();

async function charge(page: Page, keys: string): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#sale");
}

describe("with a script", () => {
  test("an amount is typed, its code is shown, and the screen says by itself that it is paid", () =>
    visit({}, async (page) => {
      for (const key of ["1", "7", "3", "00", "00"]) await page.click(`.keys button[value="${key}"]`);
      expect(await toPay(page)).toBe("17,300.00 USDC");
      await page.click('.keys button[value="erase"]');
      await page.keyboard.press("Backspace");
      await page.keyboard.press("8");
      expect(await toPay(page)).toBe("1,730.08 USDC");
      await page.fill("#what", "Espresso machine <b>");
      await page.waitForURL(/what=Espresso/);
      await page.reload();
      expect(await toPay(page)).toBe("1,730.08 USDC");
      expect(await page.inputValue("#what")).toBe("Espresso machine <b>");

      await page.click("#charge");
      await page.waitForSelector(".way-wallet .qr");
      const link = linkOf(page);
      expect(link).toMatchObject({
        productDescription: "Espresso machine <b>",
        merchantEmail: linkRequest.merchant_email,
      });
      expect(await axeViolations(page)).toEqual([]);
      const { width, side } = (await page.evaluate(`(() => {
        const svg = document.querySelector(".way-wallet svg");
        return { width: svg.getBoundingClientRect().width, side: svg.viewBox.baseVal.width };
      })()`)) as { width: number; side: number };
      expect(width % side).toBe(0);
      expect(width).toBeGreaterThan(phone.width * 0.75);
      await page.click("label[for=way-hand]");
      expect(await page.locator(".hand .amount").textContent()).toBe("1730.08");
      expect((await page.locator(".hand .address").textContent())?.replaceAll(/\s/g, "")).toBe(
        link.deposit.address,
      );

      await chain.pay(link.deposit.address, "1730.08");
      await page.waitForSelector(".paid-screen");
      expect(await page.locator(".paid .figure").textContent()).toBe("1,730.08 USDC");
      expect(await page.evaluate("document.documentElement.dataset.chimed !== undefined")).toBe(true);
      expect(await axeViolations(page)).toEqual([]);
      const home = await (await fetch(`${till.baseUrl}/desk`)).text();
      expect(home.replaceAll(/<[^>]*>/g, " ")).toMatch(/Espresso machine &lt;b&gt;\s+Counter/);
      // The button has the focus: Enter is enough.
      await page.keyboard.press("Enter");
      await page.waitForSelector("#keypad");
      expect(await page.locator(".counter-day li").allInnerTexts()).toEqual([
        expect.stringContaining("1,730.08"),
      ]);
    }));

  test("who goes back and charges as much again has another payment, and none that is paid", () =>
    visit({}, async (page) => {
      await charge(page, "650");
      const first = linkOf(page);
      await chain.pay(first.deposit.address, "6.50");
      await page.waitForSelector(".paid-screen");
      await page.goBack();
      await page.waitForSelector("#keypad");
      expect(await toPay(page)).toBe("6.50 USDC");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#sale-status");
      expect(linkOf(page).slug).not.toBe(first.slug);
      expect(await page.locator("#sale-status").textContent()).toBe("Waiting for the payment");
      await page.click("#cancel");
      await page.waitForSelector("#keypad");
    }));

  test("while the server is away the screen says so, loses nothing that was typed, and goes on when it is back", async () => {
    const context = await browser.newContext({ viewport: phone, locale: "en-GB" });
    const page = await context.newPage();
    await page.goto(`${till.baseUrl}/desk/counter`);
    const isLost = () => page.isVisible("#connection");
    const goAway = () => context.route("**", (route) => route.abort("connectionrefused"));
    await goAway();
    for (const key of "420") await page.keyboard.press(key);
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=Not sent: Till cannot be reached");
    expect(await toPay(page)).toBe("4.20 USDC");
    await context.unroute("**");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#sale-codes");
    expect(await page.isVisible("#counter-offline")).toBe(false);

    const { address } = linkOf(page).deposit;
    await goAway();
    await until(isLost, Boolean, 20_000);
    expect(await axeViolations(page)).toEqual([]);
    await chain.pay(address, "4.20");
    await context.unroute("**");
    await page.waitForSelector(".paid-screen");
    expect(await isLost()).toBe(false);
    await context.close();
  });

  test("a part, the rest with too much, and a receipt", () =>
    visit({}, async (page) => {
      await charge(page, "1250");
      const { address } = linkOf(page).deposit;
      const first = await page.locator(".way-wallet path[stroke]").getAttribute("d");
      await chain.pay(address, "5.00");
      await page.waitForSelector(".pill-partial");
      expect(await toPay(page)).toBe("7.50 USDC");
      expect(await page.locator("#sale-status").textContent()).toContain("5.00 of 12.50 USDC received");
      expect(await page.locator(".way-wallet path[stroke]").getAttribute("d")).not.toBe(first);
      // What has come cannot be cancelled.
      expect(await page.locator("#cancel").count()).toBe(0);
      await chain.pay(address, "2000.00");
      await page.waitForSelector(".paid-screen");
      expect(await page.locator(".paid .notice").textContent()).toContain(
        "1,992.50 USDC more than the 12.50 USDC due",
      );
      await page.click(".receipt summary");
      await page.fill("#email", "nobody");
      await page.click(".receipt button");
      await page.waitForSelector(".receipt .fault");
      await page.fill("#email", "noor@fjord.example");
      await page.click(".receipt button");
      await page.waitForSelector("text=The receipt is on its way.");
      await until(till.mail.list, (mails) => mails.some(({ to }) => to.includes("noor@fjord.example")));
    }));

  test("what is cancelled asks for nothing, and money that comes all the same is told of", () =>
    visit({}, async (page) => {
      await charge(page, "990");
      const link = linkOf(page);
      await page.click("#cancel");
      await page.waitForSelector("#keypad");
      expect(LinkStore.bySlug(till.db, link.slug)).toMatchObject({
        status: "void",
        voidReason: "Cancelled at the counter.",
      });
      await chain.pay(link.deposit.address, "9.90");
      await until(
        () => LinkStore.bySlug(till.db, link.slug)?.deposit.received,
        (received) => received === link.deposit.expected,
      );
      await page.reload();
      expect(await page.locator(".counter-till .notice").textContent()).toContain(
        "9.90 USDC came after the payment was cancelled.",
      );
      await page.click(".counter-till .notice a");
      await page.waitForSelector("#sale");
      expect(await page.locator("#sale").textContent()).toContain("9.90 USDC came after");
      expect(await axeViolations(page)).toEqual([]);
    }));

  test("two phones at one counter each have a payment of their own, and a form sent twice makes one", async () => {
    await visit({}, (one) =>
      visit({}, async (two) => {
        await charge(one, "111");
        await charge(two, "222");
        await chain.pay(linkOf(two).deposit.address, "2.22");
        await two.waitForSelector(".paid-screen");
        // It asks again, and is told that it still waits.
        const told = one.waitForResponse((answer) => answer.url().includes(linkOf(one).slug));
        await one.evaluate("dispatchEvent(new Event('online'))");
        await (await told).finished();
        expect(await one.locator("#sale-status").textContent()).toBe("Waiting for the payment");
        await one.reload();
        expect(await toPay(one)).toBe("1.11 USDC");
      }),
    );
    const page = await (await fetch(`${till.baseUrl}/desk/counter?digits=500`)).text();
    const form = /name="form" value="([^"]+)"|value="([^"]+)"[^>]*>\s*<span>\s*Charge/.exec(page);
    const body = new URLSearchParams({ form: form?.[1] ?? "", digits: "500", what: "", once: "twice" });
    const send = () =>
      fetch(`${till.baseUrl}/desk/counter`, {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin" },
        body,
        redirect: "manual",
      });
    const answers = [...(await Promise.all([send(), send()])), await send()];
    const places = answers.map(({ status, headers }) => ({ status, to: headers.get("location") }));
    expect(new Set(places.map(({ to }) => to)).size).toBe(1);
    expect(places[0]).toEqual({ status: 303, to: expect.stringMatching(/^\/desk\/counter\/\w{16}$/) });
  });
});

describe("without a script", () => {
  test("the keys send the form, and what is charged can be cancelled", () =>
    visit({ javaScriptEnabled: false }, async (page) => {
      for (const key of ["4", "2", "0"]) await page.click(`.keys button[value="${key}"]`);
      expect(await toPay(page)).toBe("4.20 USDC");
      await page.reload();
      expect(await toPay(page)).toBe("4.20 USDC");
      await page.click("#charge");
      await page.waitForSelector("#sale");
      // No token of a form stands in an address.
      expect(page.url()).not.toContain("form");
      await page.click("label[for=way-camera]");
      expect(await page.locator(".way-camera .qr").isVisible()).toBe(true);
      const { slug } = linkOf(page);
      await page.click("#cancel");
      await page.waitForSelector("text=The payment was cancelled.");
      expect(LinkStore.bySlug(till.db, slug)?.status).toBe("void");
    }));
});

test("each way to pay is a word that stays whole on a small phone in every language", () =>
  visit({}, async (page) => {
    await charge(page, "1250");
    for (const language of languageCodes) {
      await page.setExtraHTTPHeaders({ "accept-language": language });
      await page.reload();
      expect(await page.getAttribute("html", "lang")).toStartWith(language);
      for (const width of [320, 360, 390]) {
        await page.setViewportSize({ ...phone, height: 700, width });
        const broken =
          await page.evaluate(`[...document.querySelectorAll(".codes > label")].flatMap((label) =>
        (label.textContent.match(/\\S+/g) ?? []).filter((word) => {
          const range = document.createRange();
          const from = label.textContent.indexOf(word);
          range.setStart(label.firstChild, from);
          range.setEnd(label.firstChild, from + word.length);
          return range.getClientRects().length > 1;
        }))`);
        const sideways = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect([language, width, broken, sideways]).toEqual([language, width, [], 0]);
      }
    }
  }));

describe("with tax", () => {
  test("a tax is within the price, and remembered for the next sale", () =>
    visit({}, async (page) => {
      expect(await page.inputValue("#tax_rate")).toBe("");
      await page.fill("#tax_rate", "700");
      await page.locator("h1").click();
      for (const key of "1070") await page.keyboard.press(key);
      await page.keyboard.press("Enter");
      await page.waitForSelector("#keypad-fault");
      expect(await page.getAttribute("#tax_rate", "aria-invalid")).toBe("true");
      await page.fill("#tax_rate", "7");
      await page.click("#charge");
      await page.waitForSelector("#sale");
      const { bill, deposit } = linkOf(page);
      expect([deposit.expected, bill?.totals.tax]).toEqual([10_700_000n, 700_000n] as never);
      await page.goto(`${till.baseUrl}/desk/counter`);
      expect(await page.inputValue("#tax_rate")).toBe("7");
      await page.fill("#tax_rate", "");
      await page.locator("h1").click();
      await charge(page, "500");
      expect(linkOf(page).bill).toBeNull();
    }));
});
