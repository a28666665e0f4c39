import { describe, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { browser, till, useTill } from "../support/browser/setup.ts";
import { invoiceRequest, until } from "../support/till/till.ts";
import { startShop } from "./client/live-shop.ts";

/** Each would call `pwned` where it is taken for anything but text. */
const scripts = [
  "<script>pwned(1)</script>",
  "<img src=x onerror=pwned(2)>",
  `"><svg onload=pwned(3)>`,
  "'-pwned(4)-'",
  `" autofocus onfocus=pwned(5) x="`,
  "</title><script>pwned(6)</script>",
  "</style><script>pwned(7)</script>",
  "</script><script>pwned(8)</script>",
  "<!--<script>pwned(9)</script>",
  "&lt;script&gt;pwned(10)&lt;/script&gt;",
  "&#60;img src=x onerror=pwned(11)&#62;",
  "<iframe srcdoc='<script>parent.pwned(12)</script>'>",
  `\${pwned(13)}{{constructor.constructor('pwned(13)')()}}`,
  "javascript:pwned(14)",
  "<a href=javascript:pwned(15)>x</a>",
  "<noscript><p title='</noscript><img src=x onerror=pwned(16)>'>",
];

/** A name takes 200 characters, so that each of them holds a part. */
const inName = (from: number) => scripts.slice(from, from + 4).join("");
const everything = scripts.join(" ");
const lines = everything.slice(0, 500);

useTill();

/** One invoice or link for each part of the list, so that every script stands in every name. */
const parts = [0, 4, 8, 12];

async function invoicePaths(): Promise<string[]> {
  const made = parts.map((from) =>
    till.createInvoice({
      merchant_name: inName(from),
      merchant_address: lines,
      merchant_email: "o'-pwned`1`-'@acme.example",
      vendor_name: inName(from),
      vendor_address: everything.slice(-500),
      notes: everything,
      line_items: [
        { ...invoiceRequest.line_items[0], description: lines },
        { ...invoiceRequest.line_items[0], description: everything.slice(-500) },
      ],
    }),
  );
  return (await Promise.all(made)).map(({ slug }) => `/i/${slug}`);
}

async function linkSlugs(): Promise<string[]> {
  const slugs = [];
  for (const from of parts) {
    const { status, body } = await till.api("POST", "/api/links", {
      business_name: inName(from),
      product_description: from === 0 ? lines : everything.slice(-500),
      expected_amount: "25.00",
      merchant_email: "owner@corner.example",
      wallet_type: "managed",
      success_url: `https://shop.example/"><script>pwned(1)</script>?a='-pwned(2)-'#javascript:pwned(3)`,
    });
    expect(status).toBe(201);
    slugs.push(body.slug);
  }
  return slugs;
}

/** A page that knows whether any script of a field ran, in any of its frames. */
async function watchedPage(context: BrowserContext): Promise<{ page: Page; ran: () => unknown[] }> {
  const ran: unknown[] = [];
  const page = await context.newPage();
  await page.exposeFunction("pwned", (which: unknown) => void ran.push(which));
  page.on("dialog", (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  return { page, ran: () => ran };
}

/** Lets handlers of loading, focus and errors run, and the page ask its server again. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await page.keyboard.press("Tab");
  await page.waitForTimeout(150);
}

/** Without the page's own policy, which would keep it from running: `headers.test.ts` looks at that. */
describe("script in a field", () => {
  async function inBrowser(look: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ bypassCSP: true });
    try {
      const { page, ran } = await watchedPage(context);
      await look(page);
      expect(ran()).toEqual([]);
    } finally {
      await context.close();
    }
  }

  test("is only text on an invoice's page and on what it fetches", async () => {
    const paths = await invoicePaths();
    await inBrowser(async (page) => {
      for (const path of paths) {
        for (const part of ["", "/payment"]) {
          await page.goto(`${till.baseUrl}${path}${part}`);
          await settle(page);
        }
      }
      await page.goto(`${till.baseUrl}${paths[0]}`);
      expect(await page.textContent("body")).toContain(everything);
      expect(await page.title()).toContain(inName(0));
    });
  });

  test("is only text on a checkout, and its link leads where it says", async () => {
    const slugs = await linkSlugs();
    await inBrowser(async (page) => {
      for (const slug of slugs) {
        for (const part of ["", "?embed=1&origin=https://x.example%22onload=pwned(1)", "/payment"]) {
          await page.goto(`${till.baseUrl}/pay/${slug}${part}`);
          await settle(page);
        }
      }
      await page.goto(`${till.baseUrl}/pay/${slugs[0]}`);
      expect(await page.textContent("h1")).toContain(inName(0));
      const hrefs = await page
        .locator("a[href]")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
      expect(
        hrefs.filter((href) => !/^(https?:|ethereum:|mailto:|\/|\?lang=[a-z]{2}$)/.test(href ?? "")),
      ).toEqual([]);
    });
  });

  test("is only text in the widget, and a slug that is script finds nothing", async () => {
    const slugs = [
      ...(await linkSlugs()),
      `x"><script>pwned(1)</script>`,
      "../../dev/mail",
      "javascript:pwned(2)",
    ];
    const tags = slugs.map((slug) => {
      const value = slug.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
      return `<script src="${till.baseUrl}/w.js" data-slug="${value}"></script>`;
    });
    const shop = startShop(tags.join("\n"));
    try {
      await inBrowser(async (page) => {
        await page.goto(shop.url);
        await settle(page);
        const frames = await until(
          () => page.frames().filter((frame) => frame.url().startsWith(till.baseUrl)),
          ({ length }) => length === slugs.length,
        );
        await settle(page);
        expect(frames.every((frame) => frame.url().startsWith(`${till.baseUrl}/pay/`))).toBe(true);
      });
    } finally {
      shop.stop();
    }
  });

  test("is only text in a caught mail", async () => {
    await till.api("POST", "/api/invoices", {
      ...invoiceRequest,
      merchant_name: inName(0),
      vendor_name: inName(4),
      notes: everything,
    });
    await inBrowser(async (page) => {
      await page.goto(`${till.baseUrl}/dev/mail`);
      await settle(page);
      expect(await page.textContent("body")).toContain("pwned(1)");
    });
  });
});

test("the watch on these pages sees a script that runs", async () => {
  const shop = startShop("<script>pwned(1)</script><img src=x onerror=pwned(2)>");
  const context = await browser.newContext();
  try {
    const { page, ran } = await watchedPage(context);
    await page.goto(shop.url);
    await settle(page);
    expect(ran()).toEqual([1, 2]);
  } finally {
    await context.close();
    shop.stop();
  }
});
