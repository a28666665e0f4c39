import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { languageCodes } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { beginPage } from "../../src/pay/begin-page.tsx";
import { checkoutPage } from "../../src/pay/checkout-page.tsx";
import { invoicePage } from "../../src/pay/invoice-page.tsx";
import { crampedWays } from "../support/browser/axe.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { announceWallets } from "../support/browser/screens.ts";
import { phone, resize, type Stage, startStage } from "../support/browser/stage.ts";
import { hasTurn } from "../support/turn.ts";
import { beginStates, checkout, linkStates } from "./link-sample.ts";
import { invoice, states } from "./sample.ts";

/** Text of twice the size has half the room. */
const magnified = { width: phone.width / 2, height: phone.height };

let browser: Browser;
let stage: Stage;

beforeAll(async () => {
  browser = await startBrowser({ isStill: true });
  stage = await startStage(browser);
});
afterAll(() => browser.close());

test.each(languageCodes)("with text of twice the size a phone cuts nothing off in %s", async (code) => {
  const locale = speak(code);
  const { page, show } = stage;
  const pages = [
    ...Object.values(states).map((state) => () => invoicePage(invoice({ payment: { ...state, locale } }))),
    ...Object.values(linkStates).map(
      (state) => () => checkoutPage(checkout({ payment: { ...state, locale } })),
    ),
    ...Object.values(beginStates(code)).map((props) => () => beginPage(props)),
  ];
  for (const [at, shown] of pages.entries()) {
    // Others than on the smallest phone, in `looks.test.ts`.
    if (!hasTurn(at + languageCodes.indexOf(code) + 1, 3)) continue;
    await show(shown().html);
    await page.evaluate(announceWallets);
    await resize(page, magnified);
    expect(await crampedWays(page)).toEqual([]);
  }
});
