import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { scripts } from "../../../src/pages/scripts.ts";
import { lastAnswered, startBrowser, stopClock } from "../../support/browser/browser.ts";
import { type LinkState, linkPayment, linkStates } from "../link-sample.ts";
import { transfer } from "../sample.ts";
import { askNow, startTill, type TestTill, type Visit, visit } from "./live-checkout.ts";

const sectionAgeMsMax = 5_000;
const donePollMs = 10_000;

let browser: Browser;
let till: TestTill;
let visitor: Visit;
let page: Page;

beforeAll(async () => {
  browser = await startBrowser();
  till = startTill({});
  visitor = await visit(browser);
  ({ page } = visitor);
  await page.clock.install();
});
afterAll(async () => {
  await visitor.stop();
  await till.stop();
  await browser.close();
});

/** Opens the page of a link anew. */
async function open(state: LinkState, successUrl: string | null = null) {
  till.payments.set("abc", linkStates[state]);
  till.successUrl = successUrl;
  visitor.complaints.length = 0;
  await page.clock.resume();
  await page.goto("about:blank");
  const asked = page.waitForResponse("**/status/abc");
  await page.goto(`${till.url}/pay/abc`);
  await asked;
}

async function become(state: LinkState): Promise<void> {
  till.payments.set("abc", linkStates[state]);
  await askNow(page);
}

/** The status is asked for within so long by the page's clock, which stands still otherwise. */
async function answerWithin(ms: number): Promise<void> {
  const answered = page.waitForResponse("**/status/abc");
  await page.clock.runFor(ms);
  await answered;
  await lastAnswered(page);
}

async function asksNothingWithin(ms: number): Promise<void> {
  const asked = () => till.asked.filter((path) => path.includes("/status/")).length;
  const before = asked();
  await page.clock.runFor(ms);
  await lastAnswered(page);
  expect(asked()).toBe(before);
}

describe("checkout script", () => {
  test("shows a payment as it arrives, in the page, the tab's title and for a screen reader", async () => {
    await open("awaiting", "https://shop.example/thanks");
    const address = page.url();
    await page.evaluate("window.sameDocument = true");

    await become("partial");
    await page.getByText("10.00 of 25.00 USDC received", { exact: true }).waitFor();
    expect(await page.textContent("#announcement")).toContain("15.00 USDC remaining.");

    await become("paid");
    await page.getByText("Received in full.").waitFor();
    expect(await page.title()).toBe("Paid · Pay Acme Coffee");
    expect(await page.textContent("#announcement")).toBe("Paid. 25.00 USDC received.");
    expect(await page.getByRole("link", { name: "Return to shop" }).getAttribute("href")).toBe(
      "https://shop.example/thanks",
    );
    expect(await page.evaluate("window.sameDocument")).toBe(true);
    expect(page.url()).toBe(address);
    expect(visitor.complaints).toEqual([]);
  });

  test("counts down to when it counts, which the status says nothing about", async () => {
    await open("awaiting");
    till.payments.set("abc", linkStates.seen);
    await page.clock.fastForward(sectionAgeMsMax);
    await page.getByText("Confirmed in 10 s").first().waitFor();
    const transfers = [transfer("25.00", { counts: { inMs: 7_000, ofMs: 10_000 }, confirmed: false })];
    till.payments.set("abc", linkPayment({ pending: "25.00", transfers }));
    await page.clock.fastForward(sectionAgeMsMax);
    await page.getByText("Confirmed in 7 s").first().waitFor();
  });

  test("asks every 3 seconds while something is to come", async () => {
    await open("awaiting");
    await stopClock(page);
    for (let time = 0; time < 3; time++) await answerWithin(3_000);
    await asksNothingWithin(2_500);
  });

  test("asks slowly when all has come", async () => {
    await open("paid");
    await stopClock(page);
    await answerWithin(donePollMs);
    await asksNothingWithin(8_000);
    await answerWithin(donePollMs);
  });

  test("sees a paid link that is paid again, or whose payment is in trouble", async () => {
    await open("paid");
    await become("excess");
    await page.clock.fastForward(donePollMs);
    await page.getByText("you overpaid by 5.00 USDC").waitFor();
    await become("error");
    await page.clock.fastForward(donePollMs);
    await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
    expect(await page.textContent("#announcement")).toContain("Do not pay again.");
  });

  test("says that the server cannot be reached, also when something else answers, and recovers", async () => {
    await open("awaiting");
    const connection = page.locator("#connection");
    till.trouble = "proxy";
    await askNow(page);
    await connection.waitFor();
    expect(await page.textContent("#announcement")).toContain("Connection lost");
    expect(await page.isVisible(".way-scan .qr")).toBe(true);
    till.trouble = "none";
    till.payments.set("abc", linkStates.paid);
    await page.clock.fastForward(3_000);
    await connection.waitFor({ state: "hidden" });
    await page.getByText("Received in full.").waitFor();
  });

  test("waits for a server that is too busy for the section, without alarm", async () => {
    await open("awaiting");
    await stopClock(page);
    till.trouble = "busy";
    const refused = page.waitForResponse((response) => response.status() === 429);
    await become("paid");
    await refused;
    await lastAnswered(page);
    expect(await page.isVisible("#connection")).toBe(false);
    till.trouble = "none";
    await page.clock.fastForward(3_000);
    await page.getByText("Received in full.").waitFor();
  });

  test("listens to nobody's messages", () => {
    for (const name of ["checkout", "widget/checkout-message"] as const) {
      expect(scripts[name]).not.toMatch(/onmessage|Listener\(["'`]message/);
    }
  });
});

test("on paper stands the day until which it can be paid, and not how much time was left", async () => {
  await open("ending");
  const isShown = () =>
    Promise.all(["21 Nov 2026", "in 25 minutes"].map((text) => page.getByText(text).isVisible()));
  expect(await isShown()).toEqual([true, true]);
  await page.emulateMedia({ media: "print" });
  expect(await isShown()).toEqual([true, false]);
});
