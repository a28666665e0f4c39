import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { type BeginPageProps, beginPage } from "../../src/pay/begin-page.tsx";
import { checkoutPage } from "../../src/pay/checkout-page.tsx";
import { invoicePage } from "../../src/pay/invoice-page.tsx";
import { none, violationsInTurn } from "../support/browser/axe.ts";
import { startBrowser } from "../support/browser/browser.ts";
import {
  desktop,
  phone,
  resize,
  type Stage,
  sidewaysPx,
  smallest,
  startStage,
} from "../support/browser/stage.ts";
import { openInvoice } from "./client/live-page.ts";
import { beginStates, checkout, linkStateNames, linkStates } from "./link-sample.ts";
import { invoice, states } from "./sample.ts";

let browser: Browser;
let page: Page;
let show: Stage["show"];

beforeAll(async () => {
  browser = await startBrowser({ isStill: true });
  ({ page, show } = await startStage(browser));
});
afterAll(() => browser.close());

const names = Object.keys(states) as (keyof typeof states)[];

/** On a phone no rule of axe is broken, and at no width the page can be scrolled sideways. */
async function expectAccessible(
  markup: string,
  at: number,
  widths: readonly (typeof phone)[],
): Promise<void> {
  await resize(page, phone);
  await show(markup);
  expect(await violationsInTurn(page, at)).toEqual(none);
  for (const viewport of widths) expect([viewport, await sidewaysPx(page, viewport)]).toEqual([viewport, 0]);
}

describe("the invoice page", () => {
  test.each(names)("breaks no rule of axe and never scrolls sideways when %s", async (name) => {
    const { html } = invoicePage(invoice({ payment: states[name] }));
    await expectAccessible(html, names.indexOf(name), [phone, desktop]);
  });

  test("every control can be reached with the keyboard, and shows it", async () => {
    const drawn = await startBrowser();
    const live = await openInvoice(drawn, states.awaiting);
    try {
      const reached: string[] = [];
      for (let presses = 0; presses < 8; presses++) {
        await live.page.keyboard.press("Tab");
        reached.push(
          String(
            await live.page.evaluate(
              "document.activeElement.id || document.activeElement.textContent.trim()",
            ),
          ),
        );
        const outline = `(() => {
          const active = document.activeElement;
          const shown = active.matches("input") ? active.nextElementSibling : active;
          return parseFloat(getComputedStyle(shown).outlineWidth);
        })()`;
        if (presses < 6) expect(await live.page.evaluate(outline)).toBeGreaterThanOrEqual(2);
      }
      expect(reached.slice(0, 6)).toEqual([
        "way-scan",
        "Code for wallet apps only",
        "copy-amount",
        "copy-address",
        "Invoice as of today (PDF)",
        "contact",
      ]);
    } finally {
      await live.stop();
      await drawn.close();
    }
  });
});

describe("the checkout page", () => {
  test.each(linkStateNames)("breaks no rule of axe and never scrolls sideways when %s", async (name) => {
    const payment = linkStates[name];
    const { html } = checkoutPage(checkout({ payment }));
    await expectAccessible(html, linkStateNames.indexOf(name), [desktop, smallest]);
    await show(checkoutPage(checkout({ payment, embedded: true })).html);
    expect(await sidewaysPx(page, smallest)).toBe(0);
  });
});

describe("the page that begins a payment", () => {
  const all: Record<string, BeginPageProps> = {
    ...beginStates(),
    arabic: beginStates("ar")["amount-fault"] as BeginPageProps,
  };
  test.each(Object.keys(all).entries().toArray())(
    "in its state %d breaks no rule of axe and never scrolls sideways: %s",
    async (at, name) => {
      await expectAccessible(beginPage(all[name] as BeginPageProps).html, at, [smallest, phone, desktop]);
    },
  );
});
