import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { ConfigError, parseConfig } from "../../../src/config/config.ts";
import { speak } from "../../../src/language/locale.ts";
import { homePage } from "../../../src/pay/dev/home-page.tsx";
import { parse, words } from "../../pages/dom.ts";
import { startBrowser } from "../../support/browser/browser.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { makeDataDir, passphrase } from "../../support/till/data-dir.ts";
import { linkRequest, startTestTill, type TestTill } from "../../support/till/till.ts";

/** It would change the title of whatever page its script ran in. */
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="10" onload="parent.document.title=top.document.title=\'pwned\'">' +
  '<script>parent.document.title = top.document.title = "pwned"; fetch("/pwned")</script><rect width="40" height="10"/></svg>';

let dir: ReturnType<typeof makeDataDir>;
let chain: TestChain;
let till: TestTill;
let browser: Browser;
let brand: Record<string, string>;

beforeAll(async () => {
  dir = makeDataDir();
  const logo = join(dir.path, "logo");
  writeFileSync(logo, svg);
  brand = { TILL_BRAND_NAME: "Acme <Pay>", TILL_BRAND_COLOR: "#0f766e", TILL_BRAND_LOGO: logo };
  chain = await startTestChain();
  till = await startTestTill(chain, brand);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await till.stop();
  await chain.stop();
  dir.remove();
});

describe("the operator's brand", () => {
  test("is on every page that a payer meets, and no script in the logo runs", async () => {
    const { slug } = await till.createInvoice();
    const link = await till.api("POST", "/api/links", linkRequest);
    const page = await browser.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    for (const path of [`/i/${slug}`, `/pay/${link.body.slug}`, "/i/unknown", "/pay/unknown", "/nowhere"]) {
      await page.goto(till.baseUrl + path);
      expect(await page.textContent(".host")).toContain("Hosted by Acme <Pay>");
      expect(await page.evaluate("document.querySelector('.host img').naturalWidth")).toBe(40);
      expect(await page.title()).not.toContain("pwned");
      expect(
        await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--button')"),
      ).toBe("#0f766e");
    }
    await page.close();
    expect(asked.filter((url) => url.includes("pwned"))).toEqual([]);
    expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
  });

  test("is all that / tells, in the language of who looks", () => {
    const { config } = till;
    const home = parse(
      homePage({ dev: null, baseUrl: till.baseUrl, brand: config.brand, locale: speak("en") }).html,
    );
    expect(words(home)).toBe("Acme <Pay> To pay an invoice, open the link you received. Sign in");
    expect(home.title).toBe("Acme <Pay>");
    expect(home.querySelector("img")?.getAttribute("src")).toStartWith("data:image/svg+xml;base64,");
  });

  test("is not there when nobody chose one", async () => {
    await using plain = await startTestTill(chain);
    const { slug } = await plain.createInvoice();
    expect((await plain.api("GET", `/i/${slug}`)).body).not.toContain('class="host"');
  });

  test("stops the start when nobody could read it or the logo is none", () => {
    const wrong = {
      TILL_RPC_URL: "http://127.0.0.1:1",
      TILL_WALLET_PASSPHRASE: passphrase,
      TILL_BRAND_NAME: "two\nlines",
      TILL_BRAND_COLOR: "#ff9900",
      TILL_BRAND_LOGO: import.meta.path,
    };
    expect(() => parseConfig(wrong)).toThrow(ConfigError);
    try {
      parseConfig(wrong);
    } catch (thrown) {
      const { faults } = thrown as ConfigError;
      expect(faults.map((fault) => fault.split(" ")[0])).toEqual([
        "TILL_BRAND_LOGO",
        "TILL_BRAND_NAME",
        "TILL_BRAND_COLOR",
      ]);
      expect(faults[0]).toContain("it must be a PNG, JPEG, WebP or SVG file");
    }
  });
});
