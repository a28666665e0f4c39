import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { docsPageAt } from "../../src/http/docs/docs.ts";
import { none, violationsInTurn } from "../support/browser/axe.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { screens } from "../support/browser/screens.ts";
import { hasTurn } from "../support/turn.ts";
import { parse } from "./dom.ts";

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await startBrowser({ isStill: true });
  page = await browser.newPage();
});
afterAll(() => browser.close());

const tools = screens().filter(({ name }) => /^(docs|home-dev|dev-mail)/.test(name));

describe("a page for developers", () => {
  test.each(tools.map(({ name }, at) => [name, at] as const))(
    "breaks no rule of axe and never scrolls sideways: %s",
    async (name, at) => {
      await page.setContent(tools.find((screen) => screen.name === name)?.html ?? "");
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        expect([width, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([width, width]);
      }
      // The entries of the reference are alike: some of them show what becomes of all.
      const entries = await page.locator(".entry").count();
      const left = Array.from({ length: entries }, (_, at) => at).filter((at) => !hasTurn(at, 12));
      await page.evaluate(
        `(() => {
          const entries = [...document.querySelectorAll(".entry")];
          for (const at of ${JSON.stringify(left)}) entries[at].remove();
        })()`,
      );
      expect(await violationsInTurn(page, at)).toEqual(none);
    },
  );
});

describe("docsPage", () => {
  const docs = parse(docsPageAt("http://127.0.0.1:3000").html);

  test("leads everywhere that its links say, and names nothing twice", () => {
    const targets = [...docs.querySelectorAll("a[href^='#']")].map((link) =>
      link.getAttribute("href")?.slice(1),
    );
    expect(targets.length).toBeGreaterThan(80);
    for (const id of targets) expect([id, docs.getElementById(id ?? "") !== null]).toEqual([id, true]);
    const ids = [...docs.querySelectorAll("[id]")].map(({ id }) => id);
    expect(ids.length).toBe(new Set(ids).size);
  });

  test("copies what it shows, and shows JSON as it is", () => {
    const blocks = [...docs.querySelectorAll("figure.code")];
    expect(blocks.length).toBeGreaterThan(40);
    for (const block of blocks) {
      const shown = block.querySelector("pre")?.textContent;
      expect(block.querySelector("button")?.getAttribute("data-copy")).toBe(shown ?? "");
    }
    const answer = docs.querySelector("#get-api-invoices-id .json-name")?.closest("pre")?.textContent ?? "";
    expect(JSON.parse(answer)).toMatchObject({ invoice_number: "INV-0042", vendor_name: "Globex GmbH" });
  });
});
