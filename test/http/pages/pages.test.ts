import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { infoOf } from "../../document/poppler.ts";
import { clippedTexts, none, violations } from "../../support/browser/axe.ts";
import { startBrowser } from "../../support/browser/browser.ts";
import { shared } from "../../support/per-file.ts";
import { startTestTill, type TestTill } from "../../support/till/till.ts";

const node = { rpcUrl: "http://127.0.0.1:9" };
const brand = { TILL_BRAND_NAME: "Acme Pay", TILL_BRAND_COLOR: "#0f766e" };

const browser = shared(startBrowser);

/** In the house's design. */
async function expectOurs(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  expect(await page.locator(".card").count()).toBe(1);
  expect(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--button')")).toBe(
    "#0f766e",
  );
  expect(await page.textContent("body")).toContain("Acme Pay");
}

/** So, and in both schemes, on the smallest phone and at twice the size. */
async function expectWellMade(page: Page): Promise<void> {
  await expectOurs(page);
  expect(await violations(page)).toEqual(none);
  // 640 px at 200 % are 320 px for the page.
  await page.setViewportSize({ width: 320, height: 480 });
  expect(await clippedTexts(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
}

describe("a Till that is not for development", () => {
  let till: TestTill;
  let page: Page;

  beforeAll(async () => {
    const still = { limitClock: () => 0 };
    till = await startTestTill(node, { ...brand, TILL_LIMIT_READS: "12" }, { isDev: false, ...still });
    page = await browser.newPage({ locale: "de-DE" });
  });
  afterAll(async () => {
    await page.close();
    await till.stop();
  });

  test("at / says whose it is, in the language of the browser, and no word about how it is run", async () => {
    const answer = await page.goto(`${till.baseUrl}/`);
    expect(answer?.status()).toBe(200);
    expect(await page.textContent("h1")).toBe("Acme Pay");
    const html = await page.content();
    expect(html).toContain('<html lang="de"');
    for (const secret of ["curl", "/dev/mail", "/api/", till.baseUrl]) expect(html).not.toContain(secret);
    expect((await till.api("GET", "/dev/mail")).status).toBe(404);
    await expectWellMade(page);
  });

  test("says in its own design that there is nothing", async () => {
    for (const path of ["/i/unknown", "/nowhere"]) {
      expect((await page.goto(till.baseUrl + path))?.status()).toBe(404);
      expect(await page.getAttribute("html", "lang")).toBe("de");
      await expectOurs(page);
    }
    await expectWellMade(page);
  });

  test("says in its own design that something went wrong, and not what", async () => {
    till.db.run("ALTER TABLE invoice RENAME TO gone");
    try {
      const answer = await page.goto(`${till.baseUrl}/i/any`);
      expect(answer?.status()).toBe(500);
      expect(answer?.headers()["x-request-id"]).toMatch(/^\w+$/);
      expect(await page.textContent("h1")).toBe("Etwas ist schiefgegangen");
      expect(await page.content()).not.toMatch(/SQL|no such table/i);
      await expectOurs(page);
    } finally {
      till.db.run("ALTER TABLE gone RENAME TO invoice");
    }
  });

  test("says in its own design when to come back", async () => {
    let status: number | undefined = 200;
    for (let asked = 0; asked < 15 && status !== 429; asked++)
      status = (await page.goto(`${till.baseUrl}/pay/unknown`))?.status();
    expect(status).toBe(429);
    expect(await page.textContent("body")).toMatch(/Bitte versuchen Sie es in \d+ s noch einmal/);
    await expectOurs(page);
  });
});

describe("TILL_LANGUAGE and TILL_PAPER", () => {
  test("are the language of the mail, of the PDF and of a page whose browser speaks no other", async () => {
    await using till = await startTestTill(node, { TILL_LANGUAGE: "ar", TILL_PAPER: "letter" });
    const invoice = await till.createInvoice({ send_now: true });
    const [mail] = till.mail.list();
    expect(mail?.subject).toContain("فاتورة INV-0001");
    expect(mail?.html).toContain('dir="rtl"');
    const pdf = await fetch(`${till.baseUrl}/api/invoices/${invoice["invoice_id"]}/pdf`);
    expect(await infoOf(await pdf.bytes())).toMatch(/Title: +فاتورة INV-0001\n.*letter/s);

    const languageOf = async (accepts: string, query = "") => {
      const { body } = await till.api("GET", `/i/${invoice["slug"]}${query}`, undefined, {
        "accept-language": accepts,
      });
      return /<html lang="(\w+)/.exec(body)?.[1];
    };
    expect(await languageOf("nl, *;q=0.5")).toBe("ar");
    expect(await languageOf("nl, fr;q=0.5")).toBe("fr");
    expect(await languageOf("nl", "?lang=de")).toBe("de");
  });
});
