import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { beginPage } from "../../src/pages/invoice/begin-page.tsx";
import type { BeginPageProps } from "../../src/pages/invoice/begin-props.ts";
import { axeViolations } from "../support/browser/axe.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { startTill, visit } from "./client/live-checkout.ts";
import { openInvoice } from "./client/live-page.ts";
import { beginStates, linkStateNames, linkStates } from "./link-sample.ts";
import { states } from "./sample.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 900 };
const smallest = { width: 320, height: 600 };
const names = Object.keys(states) as (keyof typeof states)[];

async function expectNoViolations(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect({ colorScheme, broken: await axeViolations(page) }).toEqual({ colorScheme, broken: [] });
  }
}

async function expectNoSidewaysScroll(page: Page, viewport: { width: number; height: number }) {
  await page.setViewportSize(viewport);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
}

describe("the invoice page", () => {
  test.each(names)("breaks no rule of axe and never scrolls sideways when %s", async (name) => {
    const live = await openInvoice(browser, states[name], { viewport: phone });
    try {
      await expectNoViolations(live.page);
      for (const viewport of [phone, desktop]) await expectNoSidewaysScroll(live.page, viewport);
    } finally {
      await live.stop();
    }
  });

  test("every control can be reached with the keyboard, and shows it", async () => {
    const live = await openInvoice(browser, states.awaiting);
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
        if (presses < 5) expect(await live.page.evaluate(outline)).toBeGreaterThanOrEqual(2);
      }
      expect(reached.slice(0, 5)).toEqual([
        "way-scan",
        "copy-amount",
        "copy-address",
        "Download PDF",
        "contact",
      ]);
    } finally {
      await live.stop();
    }
  });
});

describe("the checkout page", () => {
  test.each(linkStateNames)("breaks no rule of axe and never scrolls sideways when %s", async (name) => {
    const till = startTill({ abc: linkStates[name] });
    till.successUrl = "https://shop.example/thanks";
    try {
      const { page, stop } = await visit(browser, { viewport: phone });
      await page.goto(`${till.url}/pay/abc`);
      await expectNoViolations(page);
      for (const viewport of [desktop, smallest]) await expectNoSidewaysScroll(page, viewport);
      await page.goto(`${till.url}/pay/abc?embed=1`);
      await expectNoSidewaysScroll(page, smallest);
      await stop();
    } finally {
      await till.stop();
    }
  });
});

describe("the page that begins a payment", () => {
  test.each(
    Object.entries({ ...beginStates(), arabic: beginStates("ar")["amount-fault"] as BeginPageProps }),
  )("breaks no rule of axe and never scrolls sideways in the state %s", async (_, props) => {
    const page = await browser.newPage({ viewport: phone });
    try {
      await page.setContent(beginPage(props).html);
      await expectNoViolations(page);
      for (const viewport of [smallest, phone, desktop]) await expectNoSidewaysScroll(page, viewport);
    } finally {
      await page.close();
    }
  });
});
