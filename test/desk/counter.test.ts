import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { languageCodes } from "../../src/language/languages.ts";
import * as LinkStore from "../../src/store/tables/invoicing/link.ts";
import { axeViolations } from "../support/browser/axe.ts";
import { browser, chain, till, useTillOnChain } from "../support/browser/setup.ts";
import { phone } from "../support/browser/stage.ts";
import { type Walk, walk } from "../support/desk/walk.ts";
import { cross, sign } from "../support/till/moves.ts";
import { dayClock, linkRequest, startTestTill, until } from "../support/till/till.ts";

useTillOnChain((chain) => startTestTill(chain, { TILL_RPC_WS_URL: chain.wsUrl }, { now: dayClock() }));
beforeAll(async () => {
  // Whoever billed before needs no settings to charge.
  await till.api("POST", "/api/links", linkRequest);
});

async function visit(work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: phone, locale: "en-GB" });
  const errors: string[] = [];
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(`${till.baseUrl}/desk/counter`);
  await work(page);
  expect(errors).toEqual([]);
  await context.close();
}

const slugIn = (path: string) => path.split("?")[0]?.split("/").at(-1) ?? "";
function linkAt(path: string) {
  const link = LinkStore.bySlug(till.db, slugIn(path));
  if (!link) throw new Error(`no link of ${path}`);
  return link;
}
const linkOf = (page: Page) => linkAt(new URL(page.url()).pathname);
const toPay = (page: Page) => page.locator(".ask .figure").textContent();

async function type(page: Page, keys: string): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  await page.keyboard.press("Enter");
}

/** What is broken within a word, of each way to pay in a language, or how far the page can be scrolled sideways. */
const brokenWords = async (page: Page, html: string) =>
  page.evaluate(`(() => {
    const other = new DOMParser().parseFromString(${JSON.stringify(html)}, "text/html");
    const { lang, dir } = other.documentElement;
    Object.assign(document.documentElement, { lang, dir });
    document.querySelector(".codes").replaceWith(document.importNode(other.querySelector(".codes"), true));
    const px = document.documentElement.scrollWidth - innerWidth;
    const broken = [...document.querySelectorAll(".codes > label")].flatMap((label) =>
      (label.textContent.match(/\\S+/g) ?? []).filter((word) => {
        const range = document.createRange();
        const from = label.textContent.indexOf(word);
        range.setStart(label.firstChild, from);
        range.setEnd(label.firstChild, from + word.length);
        return range.getClientRects().length > 1;
      }));
    return px === 0 ? broken : [...broken, px];
  })()`);

describe("with a script", () => {
  test("an amount is typed, its code is shown, and the screen says by itself that it is paid", () =>
    visit(async (page) => {
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
      const { width, side } = (await page.evaluate(`(() => {
        const svg = document.querySelector(".way-wallet svg");
        return { width: svg.getBoundingClientRect().width, side: svg.viewBox.baseVal.width };
      })()`)) as { width: number; side: number };
      expect(width % side).toBe(0);
      expect(width).toBeGreaterThan(phone.width * 0.75);
      expect(await page.isVisible(".hand .amount")).toBe(false);
      await page.click("label[for=way-hand]");
      expect(await page.isVisible(".hand .amount")).toBe(true);
      expect(await page.locator(".hand .amount").textContent()).toBe("1730.08");
      expect((await page.locator(".hand .address").textContent())?.replaceAll(/\s/g, "")).toBe(
        link.deposit.address,
      );

      await chain.pay(link.deposit.address, "1730.08");
      await page.waitForSelector(".paid-screen");
      expect(await page.locator(".paid .figure").textContent()).toBe("1,730.08 USDC");
      expect(await page.evaluate("document.documentElement.dataset.chimed !== undefined")).toBe(true);
      // The button has the focus: Enter is enough.
      await page.keyboard.press("Enter");
      await page.waitForSelector("#keypad");
      expect(await page.locator(".counter-day li").allInnerTexts()).toEqual([
        expect.stringContaining("1,730.08"),
      ]);
      const home = walk(till);
      await home.open("/desk");
      expect(home.text()).toMatch(/Espresso machine <b> ?Counter/);
    }));

  test("a screen without a connection says so, loses nothing that was typed, and goes on when it is back", () =>
    visit(async (page) => {
      const context = page.context();
      const goAway = () => context.route("**", (route) => route.abort("connectionrefused"));
      await goAway();
      await type(page, "1250");
      await page.waitForSelector("text=Not sent: Till cannot be reached");
      expect(await toPay(page)).toBe("12.50 USDC");
      await context.unroute("**");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#sale-codes");
      expect(await page.isVisible("#counter-offline")).toBe(false);

      const first = linkOf(page);
      const code = () => page.locator(".way-wallet path[stroke]").getAttribute("d");
      const codeOfAll = await code();
      await goAway();
      await page.waitForSelector("#connection:not([hidden])");
      expect(await axeViolations(page)).toEqual([]);
      // A part comes meanwhile: the rest has a code of its own, and what has come cannot be cancelled.
      await chain.pay(first.deposit.address, "5.00");
      await context.unroute("**");
      await page.waitForSelector(".pill-partial");
      expect(await page.isVisible("#connection")).toBe(false);
      expect(await toPay(page)).toBe("7.50 USDC");
      expect(await page.locator("#sale-status").textContent()).toContain("5.00 of 12.50 USDC received");
      expect(await code()).not.toBe(codeOfAll);
      expect(await page.locator("#cancel").count()).toBe(0);
      await chain.pay(first.deposit.address, "2000.00");
      await page.waitForSelector(".paid-screen");
      expect(await page.locator(".paid .notice").textContent()).toContain(
        "1,992.50 USDC more than the 12.50 USDC due",
      );

      // Whoever goes back and charges as much again has another payment, and none that is paid.
      await page.goBack();
      await page.waitForSelector("#keypad");
      expect(await toPay(page)).toBe("12.50 USDC");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#sale-status");
      expect(linkOf(page).slug).not.toBe(first.slug);
      expect(await page.locator("#sale-status").textContent()).toBe("Waiting for the payment");

      // Each way to pay is a word that stays whole on a small phone in every language.
      const { pathname } = new URL(page.url());
      const pages = await Promise.all(
        languageCodes.map(async (language) => {
          const desk = walk(till, { language });
          await desk.open(pathname);
          return { language, html: desk.html };
        }),
      );
      for (const width of [320, 360, 390]) {
        await page.setViewportSize({ ...phone, width });
        for (const { language, html } of pages)
          expect([language, width, await brokenWords(page, html)]).toEqual([language, width, []]);
      }
    }));
});

describe("without a script", () => {
  let desk: Walk;
  beforeEach(async () => {
    desk = walk(till);
    await desk.open("/desk/counter");
  });
  const charge = async (at: Walk, digits: string) => {
    await at.open(`/desk/counter?digits=${digits}`);
    await at.press(/^Charge/);
  };

  test("the keys send the form, and what is charged can be cancelled; money that comes all the same is told of", async () => {
    for (const key of "990") await desk.choose("key", key);
    expect(desk.text(".ask .figure")).toBe("9.90 USDC");
    await desk.press(/^Charge/);
    // No token of a form stands in an address.
    expect(desk.path).not.toContain("form");
    const link = linkAt(desk.path);
    await desk.press("Cancel");
    expect(desk.text()).toContain("The payment was cancelled.");
    expect(linkAt(link.slug)).toMatchObject({ status: "void", voidReason: "Cancelled at the counter." });
    await chain.pay(link.deposit.address, "9.90");
    await until(
      () => linkAt(link.slug).deposit.received,
      (received) => received === link.deposit.expected,
    );
    await desk.open("/desk/counter");
    expect(desk.text(".counter-till .notice")).toContain("9.90 USDC came after the payment was cancelled.");
    await desk.open(`/desk/counter/${link.slug}`);
    expect(desk.text("#sale")).toContain("9.90 USDC came after");
  });

  test("two phones at one counter each have a payment of their own, and a form sent twice makes one", async () => {
    const [one, two] = [walk(till), walk(till)];
    await charge(one, "111");
    await charge(two, "222");
    const { deposit, slug } = linkAt(two.path);
    await chain.pay(deposit.address, "2.22");
    await until(
      () => two.open(`/desk/counter/${slug}`).then(() => two.html),
      (html) => html.includes("paid-screen"),
    );
    await one.open(one.path);
    expect([one.text("#sale-status"), one.text(".ask .figure")]).toEqual([
      "Waiting for the payment",
      "1.11 USDC",
    ]);
    // The receipt of what was paid.
    two.fill({ email: "nobody" });
    await two.press("Send");
    expect(two.text(".receipt .fault")).not.toBe("");
    two.fill({ email: "noor@fjord.example" });
    await two.press("Send");
    expect(two.text()).toContain("The receipt is on its way.");
    await until(till.mail.list, (mails) => mails.some(({ to }) => to.includes("noor@fjord.example")));

    await desk.open("/desk/counter?digits=500");
    const [again, late] = [desk.copy(), desk.copy()];
    await Promise.all([desk.press(/^Charge/), again.press(/^Charge/)]);
    await late.press(/^Charge/);
    expect([again.path, late.path]).toEqual([desk.path, desk.path]);
    expect(desk.path).toMatch(/^\/desk\/counter\/\w{16}$/);
  });

  test("what was signed is on its way: no code asks for it again, and nobody cancels it", async () => {
    await desk.open("/desk/counter?digits=444");
    const again = desk.copy();
    await desk.press(/^Charge/);
    const { deposit, slug } = linkAt(desk.path);
    const stale = desk.copy();
    sign(till.db, deposit.index, deposit.expected, 1);
    await stale.press("Cancel");
    expect(linkAt(slug).voidedAt).toBeNull();
    await desk.open(desk.path);
    expect(desk.text("#sale-status")).toBe("Payment signedA signed payment of 4.44 USDC is on its way.");
    expect(desk.text("title")).toContain("To pay 4.44 USDC");
    expect(desk.html).not.toContain('id="sale-codes"');
    expect(desk.html).not.toContain('id="cancel"');
    // Circle has confirmed what comes from another network.
    till.db.run("DELETE FROM relay");
    cross(till.db, deposit.index, deposit.expected, Date.now());
    await desk.open(desk.path);
    expect(desk.text("#sale-status")).toContain("On its wayOn its way from Ethereum (Anvil): 4.44 USDC.");
    expect(desk.html).not.toContain('id="sale-codes"');
    // The next customer owes as much.
    await again.press(/^Charge/);
    expect(linkAt(again.path).slug).not.toBe(slug);
  });

  test("a tax is within the price, and remembered for the next sale", async () => {
    await desk.open("/desk/counter?digits=1070");
    expect(desk.value("tax_rate")).toBe("");
    desk.fill({ tax_rate: "700" });
    await desk.press(/^Charge/);
    expect(desk.text("#keypad-fault")).not.toBe("");
    expect(desk.html).toMatch(/<input[^>]*id="tax_rate"[^>]*aria-invalid="true"/);
    desk.fill({ tax_rate: "7" });
    await desk.press(/^Charge/);
    const { bill, deposit } = linkAt(desk.path);
    expect([deposit.expected, bill?.totals.tax]).toEqual([10_700_000n, 700_000n] as never);
    await desk.open("/desk/counter?digits=500");
    expect(desk.value("tax_rate")).toBe("7");
    desk.fill({ tax_rate: "" });
    await desk.press(/^Charge/);
    expect(linkAt(desk.path).bill).toBeNull();
  });
});
