import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { languageCodes } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { compact } from "../../src/pages/layout.tsx";
import { beginPage } from "../../src/pay/begin-page.tsx";
import { checkoutPage } from "../../src/pay/checkout-page.tsx";
import { invoicePage } from "../../src/pay/invoice-page.tsx";
import { pagesOf } from "../document/poppler.ts";
import { clippedTexts, crampedWays, none, violations, violationsInTurn } from "../support/browser/axe.ts";
import { holds, startBrowser } from "../support/browser/browser.ts";
import { announceWallets, brand, longInvoice, screens } from "../support/browser/screens.ts";
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
import { beginStates, checkout, linkStates } from "./link-sample.ts";
import { everyField, invoice, payment, states, transfer } from "./sample.ts";

let browser: Browser;
let page: Page;
let show: Stage["show"];

beforeAll(async () => {
  browser = await startBrowser({ isStill: true });
  ({ page, show } = await startStage(browser));
});
afterAll(() => browser.close());

async function expectNoViolations(markup: string): Promise<void> {
  await show(markup);
  expect(await violations(page)).toEqual(none);
}

describe("with the operator's name, colour and logo, no rule of axe is broken", () => {
  const shown = screens().filter(({ name }) => name.includes("brand") && !name.startsWith("mail"));

  test.each(shown.map(({ name }) => name))("on %s", async (name) => {
    await expectNoViolations(shown.find((screen) => screen.name === name)?.html ?? "");
  });
});

describe("an invoice in euros with every field", () => {
  test.each(["en", "ar"] as const)(
    "breaks no rule of axe, and its rate is no heading, in %s",
    async (code) => {
      const locale = speak(code);
      const full = invoice({ ...everyField(locale), payment: { ...states.awaiting, locale } });
      await expectNoViolations(invoicePage(full).html);
      expect(await sidewaysPx(page, smallest)).toBe(0);
      await resize(page, phone);
      const weights =
        "[...document.querySelectorAll('tfoot .rate')].map((rate) => getComputedStyle(rate).fontWeight)";
      expect(await page.evaluate(weights)).toEqual(["400"]);
    },
  );
});

describe("a mail", () => {
  // Each is judged in English, and in some of the other languages in turn.
  const mails = screens()
    .filter(({ name }) => name.startsWith("mail"))
    .filter(({ name }, at) => !/-(de|ja|ar)$/.test(name) || hasTurn(at, 3));
  const rules = ["color-contrast", "link-name", "html-has-lang", "document-title"];

  test.each(mails.map(({ name }) => name))("can be read: %s", async (name) => {
    const at = mails.findIndex((screen) => screen.name === name);
    await show(mails[at]?.html ?? "");
    expect(await violationsInTurn(page, at, rules)).toEqual(none);
    expect(await sidewaysPx(page, smallest)).toBe(0);
    await resize(page, phone);
  });
});

test("no page and no mail is too wide for a small phone in another set of fonts", async () => {
  const other = await startBrowser({ fonts: "own", isStill: true });
  try {
    const stage = await startStage(other);
    const tooWide: string[] = [];
    for (const [at, { name, html }] of screens().entries()) {
      if (!hasTurn(at, 6)) continue;
      await stage.show(html);
      const px = await sidewaysPx(stage.page, smallest);
      if (px > 0) tooWide.push(`${name}: ${px} px`);
    }
    expect(tooWide).toEqual([]);
  } finally {
    await other.close();
  }
});

describe("what a script or a payer does to the page breaks no rule of axe", () => {
  const happens = {
    "the connection is lost": "document.getElementById('connection').hidden = false",
    "a wallet is chosen": "document.getElementById('way-wallet').click()",
    "an exchange is chosen": "document.getElementById('way-exchange').click()",
    "wallets are found": announceWallets,
  };
  const pages = {
    "an invoice": invoicePage(invoice({ payment: states.partialOverdue })).html,
    "a checkout": checkoutPage(checkout({ payment: linkStates.late })).html,
  };

  test.each(Object.entries(happens))("when %s", async (_, what) => {
    for (const markup of Object.values(pages)) {
      await show(markup);
      await page.evaluate(what);
      expect(await violations(page)).toEqual(none);
    }
  });
});

describe("that the connection is lost", () => {
  test.each([
    ["an invoice", invoicePage(invoice()).html],
    ["a checkout", checkoutPage(checkout()).html],
  ])("is said above what is to be paid, and covers nothing of it, on %s", async (_, markup) => {
    await show(markup);
    await page.evaluate("document.getElementById('connection').hidden = false");
    const bottom = Number(
      await page.evaluate("document.getElementById('connection').getBoundingClientRect().bottom"),
    );
    const top = Number(
      await page.evaluate("document.querySelector('[data-payment]').getBoundingClientRect().top"),
    );
    expect(bottom).toBeGreaterThan(0);
    expect(top).toBeGreaterThanOrEqual(bottom);
  });
});

/** Text of twice the size has half the room. What a page of 640 px is at 200 %, the smallest phone shows too. */
const magnified = { width: phone.width / 2, height: phone.height };

describe("on the smallest phone, and with text of twice the size, nothing is cut off or scrolls sideways", () => {
  test.each(languageCodes)("in %s", async (code) => {
    const locale = speak(code);
    const pages = [
      ...Object.values(states).map(
        (payment) => () => invoicePage(invoice({ brand, payment: { ...payment, locale } })),
      ),
      ...Object.values(linkStates).map(
        (payment) => () => checkoutPage(checkout({ brand, payment: { ...payment, locale } })),
      ),
      ...Object.values(beginStates(code)).map((props) => () => beginPage(props)),
    ];
    for (const [at, shown] of pages.entries()) {
      if (!hasTurn(at + languageCodes.indexOf(code), 4)) continue;
      await show(shown().html);
      for (const viewport of [smallest, magnified]) {
        await resize(page, viewport);
        expect(await crampedWays(page)).toEqual([]);
        await page.evaluate(announceWallets);
      }
    }
  });
});

test.each(languageCodes)("the largest amounts have room on the smallest phone in %s", async (code) => {
  const most = "1000000000.00";
  const item = { description: "Consulting", quantity: "1000000.123456", unitPrice: most, lineTotal: most };
  const large = { total: most, remaining: most, locale: speak(code) };
  const arrived = "1999999999.999999";
  const paid = { status: "excess", received: arrived, excess: "999999999.999999" } as const;
  for (const changes of [large, { ...large, ...paid, transfers: [transfer(arrived)] }]) {
    await show(invoicePage(invoice({ total: most, lineItems: [item], payment: payment(changes) })).html);
    expect(await sidewaysPx(page, smallest)).toBe(0);
    expect(await clippedTexts(page)).toEqual([]);
  }
});

test.each(languageCodes)(
  "an address is two even lines, and the ways to pay are short, in %s",
  async (code) => {
    await show(invoicePage(invoice({ payment: { ...states.awaiting, locale: speak(code) } })).html);
    for (const viewport of [desktop, phone]) {
      await resize(page, viewport);
      const perLine = await page.evaluate(`Object.values(Object.groupBy(
      document.querySelectorAll(".address > span"),
      (group) => Math.round(group.getBoundingClientRect().top),
    )).map((line) => line.length)`);
      expect(perLine).toEqual([6, 5]);
    }
    await resize(page, { ...phone, width: 360 });
    expect(await linesOf("[for=way-exchange]")).toBeLessThanOrEqual(3);
    await resize(page, smallest);
    expect(await linesOf("[for=way-wallet]")).toBe(1);
  },
);

/** How many lines a text takes. */
async function linesOf(selector: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector("${selector}"));
    return range.getClientRects().length;
  })()`);
}

test("with the reader's own colours, how far a payment has come can still be seen", async () => {
  await show(invoicePage(invoice({ payment: states.partial })).html);
  await page.emulateMedia({ forcedColors: "active" });
  const styles = await page.evaluate(`(() => {
    const { borderTopWidth } = getComputedStyle(document.querySelector("progress"));
    const { outlineStyle } = getComputedStyle(document.querySelector(".pill"));
    return { borderTopWidth, outlineStyle };
  })()`);
  await page.emulateMedia({ forcedColors: null });
  expect(styles).toEqual({ borderTopWidth: "1px", outlineStyle: "solid" });
});

test.each(languageCodes)(
  "the name of the amount is one line beside the state, or below it, in %s",
  async (code) => {
    await show(checkoutPage(checkout({ payment: { ...linkStates.awaiting, locale: speak(code) } })).html);
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ ...phone, width });
      const lines = await linesOf(".summary > .figure-label");
      expect([width, lines, await sidewaysPx(page, { ...phone, width })]).toEqual([width, 1, 0]);
    }
  },
);

describe("on paper", () => {
  test("a paid invoice is a receipt: who, what, when, by which transaction, and nothing to press", async () => {
    await show(invoicePage(invoice({ payment: states.paid })).html);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const text = String(await page.evaluate("document.body.innerText"));
    const [transfer] = states.paid.transfers;
    for (const part of [
      "Receipt",
      "1,500.00",
      "21 Nov 2026, 14:05 UTC",
      transfer?.txHash ?? "?",
      "Acme Studio",
      "Globex Corporation",
      "INV-0042",
    ])
      expect(text).toContain(part);
    for (const selector of [".button", ".copy", ".qr", ".languages"])
      expect(await page.locator(`${selector}:visible`).count()).toBe(0);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
    await page.emulateMedia({ media: null, colorScheme: "light" });
    expect(String(await page.evaluate("document.body.innerText"))).not.toContain("Receipt");
  });

  test("an invoice of many lines says its total once, after the last of them", async () => {
    const item = { description: "A day", quantity: "1", unitPrice: "50.00", lineTotal: "50.00" };
    await show(invoicePage(invoice({ lineItems: Array(30).fill(item), payment: states.paid })).html);
    const sheets = await pagesOf(await page.pdf({ format: "A4" }));
    expect(sheets.length).toBeGreaterThan(1);
    expect(sheets.map((sheet) => (sheet.match(/^ *Total /gm) ?? []).length)).toEqual([
      ...sheets.slice(1).map(() => 0),
      1,
    ]);
    for (const sheet of sheets) expect(sheet).toContain("Amount (USDC)");
  });
});

describe("who has read 30 items to the end", () => {
  let other: Browser;
  let page: Page;
  let show: Stage["show"];
  beforeAll(async () => {
    other = await startBrowser();
    ({ page, show } = await startStage(other));
  });
  afterAll(() => other.close());

  const visibility = (selector: string) => `(() => {
    const { top, bottom } = document.querySelector("${selector}").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`;

  test.each([
    [700, [".particulars .address", ".only"]],
    [1000, [".way-scan .qr", ".particulars .address", ".only"]],
  ] as const)("has as much of the payment beside them as fits into %d px", async (height, selectors) => {
    await resize(page, { width: 1280, height });
    await show(invoicePage(longInvoice).html);
    await page.evaluate("scrollTo(0, document.querySelector('.items tfoot').offsetTop)");
    // What stays in sight is put there with the next drawing.
    for (const selector of selectors) await holds(page, visibility(selector));
  });

  test("gets back to the payment on a phone with one tap, while there is something to pay", async () => {
    await resize(page, phone);
    await show(invoicePage(longInvoice).html);
    await page.evaluate("scrollTo(0, 1e6)");
    await page.getByRole("link", { name: "How to pay" }).click();
    await holds(page, "Math.round(document.getElementById('payment').getBoundingClientRect().top) === 0");
    await show(invoicePage({ ...longInvoice, payment: states.paid }).html);
    expect(await page.getByRole("link", { name: "How to pay" }).isVisible()).toBe(false);
  });
});

test("a style sheet is shortened to one that means the same: the signs in calc() keep their spaces", () => {
  const css = compact(".a > .b + .c {\n  top: calc(100% + 0.5rem);\n  left: calc(0.75rem - 1px);\n}\n");
  expect(css).toBe(".a>.b+.c{top:calc(100% + .5rem);left:calc(.75rem - 1px)}");
});

test("an invoice number is never broken", async () => {
  await resize(page, smallest);
  for (const name of ["A", "A company with a name of middling length"]) {
    await show(invoicePage(invoice({ merchantName: name, number: `INV-${"1".repeat(28)}` })).html);
    expect(await page.evaluate("document.querySelector('h1 .whole').getClientRects().length")).toBe(1);
  }
});

test.each([
  ["a computer", {}, "Scan"],
  ["a phone", { hasTouch: true, isMobile: true }, "Wallet"],
])("without a script the open way to pay is marked on %s", async (_, device, marked) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...device });
  const still = await context.newPage();
  await still.setContent(invoicePage(invoice()).html);
  // By its ground, and for who does not see it, by a line.
  for (const property of ["backgroundColor", "borderBottomWidth"]) {
    const looks = (await still.evaluate(
      `[...document.querySelectorAll(".ways > label")].map((label) => [
        label.textContent,
        getComputedStyle(label).${property},
      ])`,
    )) as [string, string][];
    const plain = looks.at(-1)?.[1];
    expect(looks.filter(([, look]) => look !== plain).map(([words]) => words)).toEqual([marked]);
  }
  await context.close();
});

test("the merchant's own logo stands at the top, once; another operator's in the foot", async () => {
  const logos = async (name: string | null) => {
    await show(invoicePage(invoice({ brand: { ...brand, name } })).html);
    return page.evaluate(
      "[...document.querySelectorAll('header img, footer img')].map((image) => image.closest('header, footer').localName)",
    );
  };
  expect(await logos(null)).toEqual(["header"]);
  expect(await logos(invoice().merchantName.toUpperCase())).toEqual(["header"]);
  expect(await logos("Acme Pay")).toEqual(["footer"]);
});

test("a logo stands on white where the page is dark, so that a dark one is seen", async () => {
  const grounds = async (colorScheme: "light" | "dark") => {
    await page.emulateMedia({ colorScheme });
    await show(invoicePage(invoice({ brand: { ...brand, name: null } })).html);
    return page.evaluate("getComputedStyle(document.querySelector('header img')).backgroundColor");
  };
  expect(await grounds("dark")).toBe("rgb(255, 255, 255)");
  expect(await grounds("light")).toBe("rgba(0, 0, 0, 0)");
  await page.emulateMedia({ colorScheme: null });
});
