import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import tokens from "../../assets/styles/tokens.css" with { type: "text" };
import { type Locale, speak } from "../../src/language/locale.ts";
import { contrast, parseColour } from "../../src/lib/image/colour.ts";
import { type BeginPageProps, beginPage } from "../../src/pay/begin-page.tsx";
import { checkoutPage } from "../../src/pay/checkout-page.tsx";
import { invoicePage } from "../../src/pay/invoice-page.tsx";
import { crampedWays, none, violationsInTurn } from "../support/browser/axe.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { longInvoice } from "../support/browser/screens.ts";
import {
  desktop,
  phone,
  resize,
  type Stage,
  sidewaysPx,
  smallest,
  startStage,
} from "../support/browser/stage.ts";
import { hasTurn } from "../support/turn.ts";
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
async function expectAccessible(markup: string, at: number): Promise<void> {
  await resize(page, phone);
  await show(markup);
  expect(await violationsInTurn(page, at)).toEqual(none);
  for (const viewport of [phone, desktop, smallest])
    expect([viewport, await sidewaysPx(page, viewport)]).toEqual([viewport, 0]);
}

/** The `at`-th of many is judged in one language and one scheme of the four pairs in turn, and at night in all. */
const directions = ["en", "ar"] as const;
async function expectAccessibleInTurn(markup: (locale: Locale) => string, at: number): Promise<void> {
  for (const [place, code] of directions.entries())
    if (hasTurn(at + place, directions.length))
      await expectAccessible(markup(speak(code)), Math.floor(at / directions.length));
}

describe("the invoice page", () => {
  test.each(names)("breaks no rule of axe and never scrolls sideways when %s", async (name) => {
    const markup = (locale: Locale) => invoicePage(invoice({ payment: { ...states[name], locale } })).html;
    await expectAccessibleInTurn(markup, names.indexOf(name));
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

/** The controls that have the focus while they are covered all over, when one goes through the page by keys. */
const findCovered = `() => {
  const { activeElement: active } = document;
  if (active === document.body) return null;
  const shown = active.matches("input") ? active.nextElementSibling : active;
  const { left, top, width, height } = shown.getBoundingClientRect();
  const isSeen = [0.1, 0.5, 0.9].some((part) => {
    const found = document.elementFromPoint(left + width / 2, top + height * part);
    return found !== null && (shown.contains(found) || found.contains(shown));
  });
  return isSeen ? "" : shown.id || shown.textContent.trim();
}`;

test("what stays in sight on a small screen covers nothing that has the focus", async () => {
  const drawn = await startBrowser();
  const { page, show } = await startStage(drawn);
  try {
    // As on a computer at 400 %.
    await resize(page, { width: 320, height: 256 });
    for (const { html } of [
      invoicePage(longInvoice),
      checkoutPage(checkout({ payment: linkStates.awaiting })),
    ]) {
      await show(html);
      await page.evaluate("document.getElementById('connection').hidden = false");
      const covered: unknown[] = [];
      for (const key of ["Tab", "Shift+Tab"]) {
        for (let at: unknown = ""; at !== null; ) {
          await page.keyboard.press(key);
          at = await page.evaluate(`(${findCovered})()`);
          if (at) covered.push([key, at]);
        }
      }
      expect(covered).toEqual([]);
    }
  } finally {
    await drawn.close();
  }
});

/** The spaces of WCAG 2.2, success criterion 1.4.12. */
const spaced =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }" +
  "p { margin-bottom: 2em !important }";

test.each(["en", "de", "ar"] as const)(
  "with more space within texts nothing is cut off in %s",
  async (code) => {
    const locale = speak(code);
    await resize(page, smallest);
    for (const { html } of [
      invoicePage(invoice({ payment: { ...states.partialOverdue, locale } })),
      checkoutPage(checkout({ payment: { ...linkStates.inEuros, locale } })),
      beginPage(beginStates(code)["amount-fault"] as BeginPageProps),
    ]) {
      await show(html);
      await page.addStyleTag({ content: spaced });
      expect(await crampedWays(page)).toEqual([]);
    }
  },
);

/** The tokens of light, then of dark. */
const schemes = tokens.split("@media").map((scheme) => {
  const found = scheme.matchAll(/--([\w-]+): (#[\da-f]{3,6});/g);
  return Object.fromEntries(
    [...found].map(([, name = "", hex = ""]) => [name, hex.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3")]),
  );
});

test.each([0, 1])("edges of fields have 3:1 on every ground, and texts 4.5:1, in scheme %d", (at) => {
  const colour = (name: string) => parseColour(schemes[at]?.[name] ?? "") ?? [0, 0, 0];
  const grounds = ["ground", "card", "panel", "accent-tint", "good-tint", "warn-tint", "late-tint"];
  for (const ground of grounds) {
    expect([ground, contrast(colour("line-strong"), colour(ground)) >= 3]).toEqual([ground, true]);
    for (const text of ["ink", "soft", "accent", "accent-strong", "late"])
      expect([text, ground, contrast(colour(text), colour(ground)) >= 4.5]).toEqual([text, ground, true]);
  }
});

describe("the checkout page", () => {
  test.each(linkStateNames)("breaks no rule of axe and never scrolls sideways when %s", async (name) => {
    const at = linkStateNames.indexOf(name);
    const markup = (locale: Locale) =>
      checkoutPage(checkout({ payment: { ...linkStates[name], locale } })).html;
    await expectAccessibleInTurn(markup, at);
    if (!hasTurn(at, 4)) return;
    await show(checkoutPage(checkout({ payment: linkStates[name], embedded: true })).html);
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
      await expectAccessible(beginPage(all[name] as BeginPageProps).html, at);
    },
  );
});
