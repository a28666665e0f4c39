import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { may, type Role, roles } from "../../src/domain/party/person.ts";
import { axeViolations, bringAxe, clippedTexts } from "../support/browser/axe.ts";
import { type Fonts, startBrowser } from "../support/browser/browser.ts";
import { desktop, phone, resize, sidewaysPx, smallest } from "../support/browser/stage.ts";
import { addPerson, visitor } from "../support/desk/desk.ts";
import { listDeskRoutes } from "../support/desk/routes.ts";
import { emptyPages, openShop, pagesOf, refusedForms, type Shop, submitEmpty } from "../support/desk/shop.ts";
import { hasTurn } from "../support/turn.ts";

/** `errors`: what the page itself complained of: its policy, its script, what it could not load. */
type Tab = { page: Page; errors: string[] };

/**
 * In what a page is looked at, each in one of them in turn, and at night in all: every width in either scheme, the long
 * words of other languages, and their fonts.
 */
const looks = [
  { language: "en", viewport: desktop, colorScheme: "light" },
  { language: "de", viewport: phone, colorScheme: "dark" },
  { language: "pt", viewport: smallest, colorScheme: "light" },
  { language: "en", viewport: phone, colorScheme: "light" },
  { language: "de", viewport: desktop, colorScheme: "dark" },
  { language: "pt", viewport: phone, colorScheme: "dark" },
  { language: "en", viewport: smallest, colorScheme: "dark" },
] as const;
/** The texts of each are measured in one of two fonts. */
const fontsOf = { en: "wide", de: "wide", pt: "own" } as const satisfies Record<Language, Fonts>;
type Look = (typeof looks)[number];
type Language = Look["language"];

let shop: Shop;
let browsers: Browser[];
let contexts: BrowserContext[];
/** One for each language. */
let tabs: Record<Language, Tab>;

beforeAll(async () => {
  const [opened, wide, own] = await Promise.all([
    openShop(),
    startBrowser({ isStill: true }),
    startBrowser({ isStill: true, fonts: "own" }),
  ]);
  shop = opened;
  browsers = [wide, own];
  contexts = [];
  const open = (language: Language) => openTab(fontsOf[language] === "own" ? own : wide, language);
  tabs = { en: await open("en"), de: await open("de"), pt: await open("pt") };
});
afterAll(async () => {
  for (const browser of browsers) await browser.close();
  await shop.stop();
});

async function openTab(browser: Browser, locale: Language): Promise<Tab> {
  const context = await browser.newContext({ locale, viewport: desktop });
  contexts.push(context);
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

/** What is wrong with the page that is open. */
async function faults({ page, errors }: Tab, { viewport, colorScheme }: Look): Promise<object[]> {
  const found: object[] = [];
  await page.emulateMedia({ colorScheme });
  await resize(page, viewport);
  const broken = await axeViolations(page);
  if (broken.length > 0) found.push({ broken });
  // What has room on the smallest phone may have none where there is more of it, on a wider one.
  for (const narrow of viewport === phone ? [phone, smallest] : [smallest]) {
    const px = await sidewaysPx(page, narrow);
    const clipped = await clippedTexts(page);
    if (px > 0 || clipped.length > 0) found.push({ width: narrow.width, px, clipped });
  }
  return errors.length > 0 ? [...found, { errors }] : found;
}

/** Looks at pages; `act` is what happens in each before. */
async function sweep(paths: readonly string[], act = (_: Page) => Promise.resolve()): Promise<void> {
  const all: object[] = [];
  const visits = paths.flatMap((path, at) =>
    looks.flatMap((look, place) => (hasTurn(at + place, looks.length) ? [{ path, look }] : [])),
  );
  // One page loads while another is looked at.
  const lookThrough = async (language: Language) => {
    const tab = tabs[language];
    for (const { path, look } of visits.filter(({ look }) => look.language === language)) {
      tab.errors.length = 0;
      const url = new URL(path, shop.till.baseUrl).href;
      await tab.page.goto(url);
      // What was done is told once, and not by the address any more.
      if (tab.page.url() !== url.replace(/\?did=\w+$/, "")) all.push({ path, ledTo: tab.page.url() });
      await act(tab.page);
      const found = await faults(tab, look);
      if (found.length > 0) all.push({ path, look, found });
    }
  };
  await Promise.all([lookThrough("en"), lookThrough("de"), lookThrough("pt")]);
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
    const cookie = { name: "till", value, url: shop.till.baseUrl };
    return Promise.all(contexts.map((context) => context.addCookies([cookie])));
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
    test("a form that was refused", () => sweep(refusedForms, submitEmpty));
  });
});
