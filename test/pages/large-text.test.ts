import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { languageCodes } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { beginPage } from "../../src/pay/begin-page.tsx";
import { checkoutPage } from "../../src/pay/checkout-page.tsx";
import { invoicePage } from "../../src/pay/invoice-page.tsx";
import { clippedTexts } from "../support/browser/axe.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { announceWallets } from "../support/browser/screens.ts";
import { phone, type Stage, sidewaysPx, startStage } from "../support/browser/stage.ts";
import { beginStates, checkout, linkStates } from "./link-sample.ts";
import { invoice, states } from "./sample.ts";

/** Text of twice the size has half the room. */
const magnified = { width: phone.width / 2, height: phone.height };

let browser: Browser;
let stage: Stage;

beforeAll(async () => {
  browser = await startBrowser();
  stage = await startStage(browser);
});
afterAll(() => browser.close());

test.each(languageCodes)("with text of twice the size a phone cuts nothing off in %s", async (code) => {
  const locale = speak(code);
  const { page, show } = stage;
  for (const { html } of [
    ...Object.values(states).map((state) => invoicePage(invoice({ payment: { ...state, locale } }))),
    ...Object.values(linkStates).map((state) => checkoutPage(checkout({ payment: { ...state, locale } }))),
    ...Object.values(beginStates(code)).map(beginPage),
  ]) {
    await show(html);
    await page.evaluate(announceWallets);
    for (const way of ["scan", "exchange", "wallet"]) {
      await page.evaluate(`document.getElementById("way-${way}")?.click()`);
      expect(await sidewaysPx(page, magnified)).toBe(0);
      expect(await clippedTexts(page)).toEqual([]);
      if ((await page.locator("#way-scan").count()) === 0) break;
    }
  }
});
