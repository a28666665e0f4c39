import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { startBrowser } from "../support/browser.ts";
import { openInvoice } from "./client/live-page.ts";
import { states } from "./sample.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 900 };
const names = Object.keys(states) as (keyof typeof states)[];

describe("the invoice page", () => {
  test.each(names)("breaks no rule of axe and never scrolls sideways when %s", async (name) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const live = await openInvoice(browser, states[name], { colorScheme, viewport: phone });
      try {
        const run = `(() => { const module = undefined; ${axe.source}; return axe.run(); })()`;
        const { violations } = (await live.page.evaluate(run)) as {
          violations: { id: string; nodes: unknown[] }[];
        };
        expect(violations).toEqual([]);
        for (const viewport of [phone, desktop]) {
          await live.page.setViewportSize(viewport);
          const { width } = viewport;
          expect(await live.page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        }
      } finally {
        await live.stop();
      }
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
        if (presses < 6) expect(await live.page.evaluate(outline)).toBeGreaterThanOrEqual(2);
      }
      expect(reached.slice(0, 6)).toEqual([
        "way-wallet",
        "open-wallet",
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
