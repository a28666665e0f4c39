import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { may, type Role, roles } from "../../src/domain/party/person.ts";
import { axeViolations, bringAxe, clippedTexts } from "../support/browser/axe.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { desktop, phone, resize, sidewaysPx, smallest } from "../support/browser/stage.ts";
import { addPerson, visitor } from "../support/desk/desk.ts";
import { listDeskRoutes } from "../support/desk/routes.ts";
import { emptyPages, openShop, pagesOf, refusedForms, type Shop, submitEmpty } from "../support/desk/shop.ts";
import { hasTurn } from "../support/turn.ts";

/** `errors`: what the page itself complained of: its policy, its script, what it could not load. */
type Tab = { page: Page; errors: string[] };

/** In what a page is judged, each in one of them in turn, and at night in all. */
const views = [
  [desktop, "light"],
  [phone, "dark"],
  [desktop, "dark"],
  [phone, "light"],
] as const;

let shop: Shop;
let browser: Browser;
let context: BrowserContext;
/** One loads while the other is looked at. */
let tabs: Tab[];

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), startBrowser({ isStill: true })]);
  context = await browser.newContext({ viewport: desktop });
  tabs = await Promise.all([openTab(), openTab()]);
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
});

async function openTab(): Promise<Tab> {
  const page = await context.newPage();
  const errors: string[] = [];
  await bringAxe(page);
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    // A page that says why there is nothing, and a frame in which no script is to run.
    if (message.type() === "error" && !/status of 4(04|22)|sandboxed/.test(message.text()))
      errors.push(message.text());
  });
  return { page, errors };
}

/** What is wrong with the page that is open, the `at`-th of many. */
async function faults({ page, errors }: Tab, at: number): Promise<object[]> {
  const found: object[] = [];
  for (const [place, [viewport, colorScheme]] of views.entries()) {
    if (!hasTurn(at + place, views.length)) continue;
    await page.emulateMedia({ colorScheme });
    await resize(page, viewport);
    const broken = await axeViolations(page);
    if (broken.length > 0) found.push({ width: viewport.width, colorScheme, broken });
  }
  for (const [place, viewport] of [phone, smallest].entries()) {
    if (!hasTurn(at + place, 2)) continue;
    const px = await sidewaysPx(page, viewport);
    // It shows when it has the focus.
    const clipped = (await clippedTexts(page)).filter((text) => text !== "Skip to the content");
    if (px > 0 || clipped.length > 0) found.push({ width: viewport.width, px, clipped });
  }
  await resize(page, desktop);
  return errors.length > 0 ? [...found, { errors }] : found;
}

/** Looks at pages; `act` is what happens in each before. */
async function sweep(paths: readonly string[], act = (_: Page) => Promise.resolve()): Promise<void> {
  const all: object[] = [];
  const left = paths.entries();
  const lookThrough = async (tab: Tab) => {
    // Both take from the same row.
    for (let next = left.next(); !next.done; next = left.next()) {
      const [at, path] = next.value;
      const { page, errors } = tab;
      errors.length = 0;
      const url = new URL(path, shop.till.baseUrl).href;
      await page.goto(url);
      // What was done is told once, and not by the address any more.
      if (page.url() !== url.replace(/\?did=\w+$/, "")) all.push({ path, ledTo: page.url() });
      await act(page);
      const found = await faults(tab, at);
      if (found.length > 0) all.push({ path, found });
    }
  };
  await Promise.all(tabs.map(lookThrough));
  expect(all).toEqual([]);
}

const samePageMax = 3;

function methodsOf(name: string | undefined, tag: string): readonly string[] {
  if (name === "a") return ["GET"];
  return tag.includes('method="post"') ? ["POST"] : ["GET", "POST"];
}

/**
 * What the desk offers to somebody of this role, who follows every link from Home on, and then refuses, or does not
 * have. No form is sent: who may send one is told elsewhere.
 */
async function refusedOffers(role: Role): Promise<string[]> {
  const { till } = shop;
  const routes = listDeskRoutes(till).map(({ method, path, duty }) => ({
    key: new RegExp(`^${method} ${path.replaceAll(/:\w+/g, "[^/]+")}$`),
    isAllowed: duty === null || may(role, duty),
  }));
  const isOpen = (key: string) => routes.find((route) => route.key.test(key))?.isAllowed ?? false;
  const who = visitor(till, await addPerson(till, `${role} ${crypto.randomUUID()}`, role));
  const left = ["/desk"];
  const seen = new Set(left);
  const times = new Map<string, number>();
  const refused: string[] = [];
  for (let page = left.shift(); page !== undefined; page = left.shift()) {
    const answer = await who.get(page);
    if (answer.status >= 400) refused.push(`${page}: ${answer.status}`);
    const html = (await answer.text()).replaceAll("&amp;", "&");
    for (const [tag, name, href = ""] of html.matchAll(
      /<(a|form|button) [^>]*(?:href|action|formaction)="(\/desk[^"#]*)[^>]*>/g,
    )) {
      const [path = ""] = href.split("?");
      const methods = methodsOf(name, tag);
      if (!methods.some((method) => isOpen(`${method} ${path}`))) refused.push(`${page} offers ${href}`);
      const before = times.get(path) ?? 0;
      if (name !== "a" || seen.has(href) || before === samePageMax) continue;
      times.set(path, before + 1);
      seen.add(href);
      left.push(href);
    }
  }
  expect(seen.size).toBeGreaterThan(10);
  return refused;
}

test("no page before signing in breaks a rule", () => sweep(Object.values(shop.door).flat()));

describe("no page breaks a rule", () => {
  beforeAll(() => {
    const value = shop.owner.cookie ?? "";
    return context.addCookies([{ name: "till", value, url: shop.till.baseUrl }]);
  });

  test("of a desk in which nothing is", () => sweep(emptyPages));
  test.each(roles)("and none offers what the desk refuses, to the %s of an empty one", async (role) => {
    expect(await refusedOffers(role)).toEqual([]);
  });

  describe("of a desk that is in use:", () => {
    let pages: string[];
    beforeAll(async () => {
      pages = pagesOf(shop.till, await shop.fill());
    });
    const isBill = (path: string) => path.startsWith("/desk/invoices");
    const isSale = (path: string) => /^\/desk\/(links|counter|customers)/.test(path);

    test("invoices", () => sweep(pages.filter(isBill)));
    test("links, the counter and customers", () => sweep(pages.filter(isSale)));
    const isSetting = (path: string) => path.startsWith("/desk/settings");

    test("settings", () => sweep(pages.filter(isSetting)));
    test("all others", () =>
      sweep(pages.filter((path) => !isBill(path) && !isSale(path) && !isSetting(path))));
    test.each(roles)("nothing is offered to the %s that the desk refuses", async (role) => {
      expect(await refusedOffers(role)).toEqual([]);
    });
    /** Long words of other languages, in two fonts. */
    test.each([
      [0, "de", "wide"],
      [1, "pt", "own"],
    ] as const)("%d: and none is too wide for a small phone in %s", async (place, language, fonts) => {
      const other = await startBrowser({ fonts, isStill: true });
      try {
        const small = await other.newContext({ locale: language, viewport: smallest });
        await small.addCookies(await context.cookies());
        const page = await small.newPage();
        const tooWide: string[] = [];
        for (const [at, path] of pages.entries()) {
          if (!hasTurn(at + place, 2)) continue;
          await page.goto(new URL(path, shop.till.baseUrl).href);
          const px = await sidewaysPx(page, smallest);
          if (px > 0) tooWide.push(`${path}: ${px} px`);
        }
        expect(tooWide).toEqual([]);
      } finally {
        await other.close();
      }
    });
    test("a form that was refused", () => sweep(refusedForms, submitEmpty));
  });
});
