import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startBrowser } from "../support/browser/browser.ts";
import { desktop, phone, resize } from "../support/browser/stage.ts";
import { addPerson, startDesk, visitor } from "../support/desk/desk.ts";
import { makeDataDir } from "../support/till/data-dir.ts";
import { linkRequest, type TestTill } from "../support/till/till.ts";

/** As programs export them: most write a viewBox and no size. */
const heads = {
  "a viewBox alone, wide": 'viewBox="0 0 2400 600"',
  "a viewBox alone, square": 'viewBox="0 0 32 32"',
  "a viewBox alone, tall": 'viewBox="0 0 100 300"',
  "a width of all there is": 'viewBox="0 0 240 60" width="100%" height="100%"',
  "no size at all": "",
  "a huge size": 'width="4000" height="1000"',
  "a tiny size": 'width="8" height="8"',
};

const longName = "Kaffeerösterei Morgenrot und Töchter";
/** All boxes in px: high enough to be seen, and at most that wide. */
const [heightMin, heightMax, widthMin, widthMax] = [16, 64, 5, 192];

let browser: Browser;
let page: Page;
let dir: ReturnType<typeof makeDataDir>;
beforeAll(async () => {
  browser = await startBrowser({ isStill: true });
  page = await browser.newPage();
  dir = makeDataDir();
});
afterAll(async () => {
  await browser.close();
  dir.remove();
});

async function open(head: string): Promise<{ till: TestTill; paths: string[] }> {
  const logo = join(dir.path, "logo.svg");
  await Bun.write(
    logo,
    `<svg xmlns="http://www.w3.org/2000/svg" ${head}><rect width="9999" height="9999" fill="teal"/></svg>`,
  );
  const till = await startDesk({ TILL_BRAND_LOGO: logo });
  const owner = visitor(till, await addPerson(till, "Mara", "owner"));
  const { cookie } = owner;
  await page.context().addCookies([{ name: "till", value: cookie ?? "", url: till.baseUrl }]);
  const { invoice_url } = await till.createInvoice({ merchant_name: longName });
  const { body: link } = await till.api("POST", "/api/links", { ...linkRequest, business_name: longName });
  const tail = (url = "") => new URL(url).pathname;
  const paths = ["/desk", "/desk/counter", "/desk/settings/look", "/desk/invoices/new", "/desk/links/new"];
  return { till, paths: [...paths, tail(invoice_url), `/pay/${link.slug}`, `/pay/${link.slug}?embed=1`] };
}

/** Each logo that shows, and how many lines the name beside it takes. */
const measure = `[...document.querySelectorAll("img.logo, .logo-box img")].flatMap((logo) => {
  const { width, height } = logo.getBoundingClientRect();
  const isHidden = logo.closest(".rail, .top, .phone-only")?.getClientRects().length === 0;
  const name = logo.parentElement.querySelector("strong, h1, .merchant, bdi");
  const lines = name === null ? 0 : name.getBoundingClientRect().height / parseFloat(getComputedStyle(name).lineHeight);
  return isHidden ? [] : [{ width, height, lines: Math.round(lines) || 0 }];
})`;

test.each(Object.entries(heads))(
  "a logo with %s fits the box that it has, and leaves the name its room",
  async (_, head) => {
    const { till, paths } = await open(head);
    const wrong: object[] = [];
    for (const path of paths) {
      await page.goto(new URL(path, till.baseUrl).href);
      for (const viewport of [phone, desktop]) {
        await resize(page, viewport);
        const logos = (await page.evaluate(measure)) as { width: number; height: number; lines: number }[];
        const bad = logos.filter(
          ({ width, height, lines }) =>
            height < heightMin || height > heightMax || width < widthMin || width > widthMax || lines > 3,
        );
        if (logos.length === 0 && !/new$/.test(path)) wrong.push({ path, logos: 0 });
        if (bad.length > 0) wrong.push({ path, width: viewport.width, bad });
      }
    }
    await till.stop();
    expect(wrong).toEqual([]);
  },
);
