import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { browser, useTill } from "../support/browser/setup.ts";
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

const svg = (head: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${head}><rect width="9999" height="9999" fill="teal"/></svg>`;

let till: TestTill;
let page: Page;
let paths: string[];
useTill(async () => {
  const dir = makeDataDir();
  const logo = join(dir.path, "logo.svg");
  await Bun.write(logo, svg(""));
  till = await startDesk({ TILL_BRAND_LOGO: logo });
  dir.remove();
  return till;
});
beforeAll(async () => {
  page = await browser.newPage();
  const { cookie } = visitor(till, await addPerson(till, "Mara", "owner"));
  await page.context().addCookies([{ name: "till", value: cookie ?? "", url: till.baseUrl }]);
  const { invoice_url } = await till.createInvoice({ merchant_name: longName });
  const { body: link } = await till.api("POST", "/api/links", { ...linkRequest, business_name: longName });
  const desk = ["", "/counter", "/settings/look", "/invoices/new", "/links/new"].map((at) => `/desk${at}`);
  paths = [...desk, new URL(invoice_url ?? "").pathname, `/pay/${link.slug}`, `/pay/${link.slug}?embed=1`];
});

/** Shows another logo wherever there is one, and says how large each is that is seen, and how many lines its name takes. */
const measure = (head: string) => `(async () => {
  const logos = [...document.querySelectorAll("img.logo, .logo-box img")];
  for (const logo of logos) logo.src = ${JSON.stringify(`data:image/svg+xml;base64,${btoa(svg(head))}`)};
  await Promise.all(logos.map((logo) => logo.decode()));
  return logos.flatMap((logo) => {
    const { width, height } = logo.getBoundingClientRect();
    const isHidden = logo.closest(".rail, .top, .phone-only")?.getClientRects().length === 0;
    const name = logo.parentElement.querySelector("strong, h1, .merchant, bdi");
    const lines = name === null ? 0 : name.getBoundingClientRect().height / parseFloat(getComputedStyle(name).lineHeight);
    return isHidden ? [] : [{ width, height, lines: Math.round(lines) || 0 }];
  });
})()`;

test("a logo fits the box that it has, however its size is written, and leaves the name its room", async () => {
  const wrong: object[] = [];
  for (const path of paths) {
    await page.goto(new URL(path, till.baseUrl).href);
    for (const viewport of [phone, desktop]) {
      await resize(page, viewport);
      for (const [kind, head] of Object.entries(heads)) {
        const logos = (await page.evaluate(measure(head))) as {
          width: number;
          height: number;
          lines: number;
        }[];
        const bad = logos.filter(
          ({ width, height, lines }) =>
            height < heightMin || height > heightMax || width < widthMin || width > widthMax || lines > 3,
        );
        if (logos.length === 0 && !/new$/.test(path)) wrong.push({ path, kind, logos: 0 });
        if (bad.length > 0) wrong.push({ path, kind, width: viewport.width, bad });
      }
    }
  }
  expect(wrong).toEqual([]);
});
