import { describe, expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import * as ReusableStore from "../../../src/store/tables/invoicing/reusable-link.ts";
import { holds } from "../../support/browser/browser.ts";
import { browser, chain, till, useTillOnChain } from "../../support/browser/setup.ts";
import { linkRequest, startTestTill, until } from "../../support/till/till.ts";

useTillOnChain((chain) => startTestTill(chain, { TILL_RPC_WS_URL: chain.wsUrl }));

async function visit(
  path: string,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    // A form that is refused, the page of a link that has ended, a frame in which no script is to run.
    if (message.type() === "error" && !/422|410|sandboxed/.test(message.text())) errors.push(message.text());
  });
  await page.goto(`${till.baseUrl}${path}`);
  await work(page);
  expect(errors).toEqual([]);
  await context.close();
}

const slugOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";
const choose = (page: Page, name: string, value: string) => page.check(`[name=${name}][value=${value}]`);
const preview = (page: Page) => page.frameLocator("#preview").locator("body").textContent().then(String);

describe.each([true, false])("with a script: %p", (javaScriptEnabled) => {
  test("a link is made, shown as its payer sees it, paid, and marked", () =>
    visit("/desk/links/new", { javaScriptEnabled }, async (page) => {
      await page.fill("#product_description", "Workshop <deposit>");
      await page.fill("#expected_amount", "1.250");
      await page.fill("#reference", "ORD-77");
      if (!(await page.isVisible("#business_name"))) await page.click("details.billed-by summary");
      await page.fill("#business_name", "Kestrel Coffee");
      await page.fill("#merchant_email", "owner");
      await page.fill("#success_url", "kestrel");
      await page.fill("#embed_origins", "https://shop.example/page");
      await page.click("text=Create the link");
      // Every fault beside its field, and what was typed is kept.
      await page.waitForSelector("#faults");
      for (const field of ["expected_amount", "merchant_email", "success_url", "embed_origins"])
        expect(await page.isVisible(`#${field}-fault`)).toBe(true);
      expect(await page.inputValue("#product_description")).toBe("Workshop <deposit>");
      await page.fill("#expected_amount", "1250.00");
      await page.fill("#merchant_email", "owner@kestrel.example");
      await page.fill("#success_url", "https://shop.example/thanks");
      await page.fill("#embed_origins", "https://shop.example");
      if (!javaScriptEnabled) await page.click("button[value=preview]");
      await until(
        () => preview(page),
        (text) => text.includes("1,250.00") && text.includes("Workshop <deposit>"),
      );
      await page.click("text=Create the link");
      await page.waitForSelector("text=The link was created.");

      const slug = slugOf(page);
      const link = LinkStore.bySlug(till.db, slug);
      if (!link) throw new Error("no link");
      expect(link).toMatchObject({
        businessName: "Kestrel Coffee",
        reference: "ORD-77",
        successUrl: "https://shop.example/thanks",
        embedOrigins: ["https://shop.example"],
        walletType: "managed",
      });
      expect(await page.inputValue("#url")).toBe(`${till.baseUrl}/pay/${slug}`);
      await until(
        () => preview(page),
        (text) => text.includes("1,250.00"),
      );
      // Who looks at it here is no payer.
      expect(
        (await till.api("GET", `/api/links/${slug}/timeline`)).body.data.map(
          ({ type }: { type: string }) => type,
        ),
      ).toEqual(["created"]);
      await page.fill("#note", "By phone with R. Okafor.");
      await page.click("text=Add the note");
      await page.waitForSelector("blockquote:has-text('By phone with R. Okafor.')");

      await chain.pay(link.deposit.address, "1000.00");
      if (javaScriptEnabled) await page.waitForSelector("#standing:has-text('1,000.00 of')");
      else
        await until(
          () => page.reload().then(() => page.locator("#standing").textContent().then(String)),
          (text) => text.includes("1,000.00 of 1,250.00 USDC received"),
        );
      expect(await page.locator("#payments").textContent()).toContain("Confirmed");
      // What has come cannot be voided, but the rest can be paid in cash.
      await page.click(".menu summary");
      expect(await page.locator(".menu-list").textContent()).not.toContain("Void");
      await page.click("text=Paid elsewhere…");
      await page.fill("#how >> visible=true", "The rest in cash");
      await page.click("button:has-text('Mark as paid')");
      await page.waitForSelector("text=The link is marked as paid elsewhere.");
      expect(LinkStore.bySlug(till.db, slug)?.status).toBe("confirmed");
    }));
});

test("a link that is paid again and again lists what was paid, and is ended with a reason", async () => {
  let slug = "";
  await visit("/desk/links/new", { javaScriptEnabled: false }, async (page) => {
    await page.fill("#product_description", "Tip jar");
    await choose(page, "often", "again");
    await choose(page, "price", "chosen");
    expect(await page.isVisible("#expected_amount")).toBe(false);
    await page.fill("#amount_min", "1");
    await page.fill("#amount_max", "5000");
    if ((await page.inputValue("#merchant_email")) === "") {
      await page.fill("#business_name", "Kestrel Coffee");
      await page.fill("#merchant_email", "owner@kestrel.example");
    }
    await page.click("text=Create the link");
    await page.waitForSelector("text=The link was created.");
    slug = slugOf(page);
  });
  const begin = async (amount: string, token: string) => {
    const answer = await fetch(`${till.baseUrl}/pay/${slug}`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: till.baseUrl, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ amount, token, email: "" }),
    });
    return answer.headers.get("location")?.split(/[/?]/)[2] ?? "";
  };
  const paid = LinkStore.bySlug(till.db, await begin("1234.50", "a".repeat(16)));
  for (let i = 0; i < 5; i++) await begin("2", `${i}`.repeat(16));
  if (!paid) throw new Error("nothing was begun");
  await chain.pay(paid.deposit.address, "1234.50");
  await until(
    () => ReusableStore.bySlugWithTotals(till.db, slug)?.totals.paid,
    (count) => count === 1,
  );
  await visit(`/desk/links/${slug}`, { javaScriptEnabled: false }, async (page) => {
    // Those that were begun and left do not flood it.
    const rows = await page.locator("#links tbody tr").allInnerTexts();
    expect(rows).toEqual([expect.stringContaining("1,234.50")]);
    expect(await page.locator("#totals").textContent()).toBe("Paid: 1, 1,234.50 USDC");
    expect(await page.locator(".begun").textContent()).toContain("5");
    expect(await preview(page)).toContain("Continue to payment");
    await page.click(".menu summary");
    await page.click("text=End this link…");
    await page.click("button:has-text('End the link')");
    await page.waitForSelector("#reason-fault");
    await page.fill("#reason", "The fair is over.");
    await page.click("button:has-text('End the link')");
    await page.waitForSelector("text=The link has ended.");
    expect(await page.locator("main").textContent()).toContain("Void: The fair is over.");
  });
  const page = await (await fetch(`${till.baseUrl}/pay/${slug}`)).text();
  expect(page).toContain("The fair is over.");
});

test("links are narrowed, searched and paged, without the payments of others", async () => {
  const make = (fields: object) => till.api("POST", "/api/links", { ...linkRequest, ...fields });
  const { body: cafe } = await make({ product_description: "Café crème", reference: "NR-2026/17" });
  const { body: gone } = await make({ product_description: "Old offer" });
  await till.api("POST", `/api/links/${gone.slug}/void`, { reason: "Sold out" });
  for (let i = 0; i < 51; i++) await make({ product_description: `Seat ${i}` });
  const titles = async (query: string) => {
    const html = await (await fetch(`${till.baseUrl}/desk/links${query}`)).text();
    const rows = [...html.matchAll(/class="name" href="([^"]*)"[^>]*>([^<]*)</g)];
    return { html, names: rows.map(([, , name]) => name), hrefs: rows.map(([, href]) => href) };
  };
  expect((await titles("?q=cafe+cr")).names).toEqual(["Café crème"]);
  expect((await titles("?q=nr-2026/1")).names).toEqual(["Café crème"]);
  for (const address of [cafe.deposit_address.toLowerCase(), cafe.deposit_address.toUpperCase()])
    expect((await titles(`?q=${address}`)).names).toEqual(["Café crème"]);
  expect((await titles(`?q=${cafe.payment_link}`)).names).toEqual(["Café crème"]);
  expect((await titles("?q=%22*+AND")).names).toEqual([]);
  const { txHash } = await chain.pay(cafe.deposit_address, "3.00");
  await until(
    () => titles(`?q=${txHash.slice(0, 14).toUpperCase().replace("0X", "0x")}`),
    ({ names }) => names.length === 1 && names[0] === "Café crème",
  );
  expect((await titles("?kind=ended")).names).toContain("Old offer");
  expect((await titles("?kind=open")).names).not.toContain("Old offer");

  const first = await titles("");
  expect(first.names).toHaveLength(50);
  const older = /href="(\/desk\/links\?before=[^"]+)"/.exec(first.html)?.[1] ?? "";
  const second = await titles(older.replace("/desk/links", ""));
  expect(new Set([...first.hrefs, ...second.hrefs]).size).toBe(first.hrefs.length + second.hrefs.length);
  expect(second.names).toContain("Café crème");
});

test("an empty list says what a link is for, and a link that is not there is not found", async () => {
  const empty = await startTestTill(chain);
  try {
    const list = await (await fetch(`${empty.baseUrl}/desk/links`)).text();
    expect(list).toContain("Get paid by a link");
    expect(await (await fetch(`${empty.baseUrl}/desk/counter`)).text()).toContain(
      "Your shop’s details are missing",
    );
    for (const path of ["nothing", "nothing/void", "nothing/print", "nothing/preview"])
      expect((await fetch(`${empty.baseUrl}/desk/links/${path}`)).status).toBe(404);
  } finally {
    await empty.stop();
  }
});

test("the code is printed without what surrounds it", () =>
  visit("/desk/links", {}, async (page) => {
    await page.locator("a.name").first().click();
    await page.click(".menu summary");
    await page.click("text=Print the code");
    await page.waitForSelector(".poster .qr");
    await page.emulateMedia({ media: "print" });
    expect(await page.isVisible(".poster-actions")).toBe(false);
    await holds(page, "document.querySelector('.poster .qr svg').getBoundingClientRect().width > 400");
  }));

test("a link says which tax is in its price and what its payer is asked for, and so does its copy", () =>
  visit("/desk/links/new", { javaScriptEnabled: false }, async (page) => {
    await page.fill("#expected_amount", "11.90");
    await page.fill("#tax_rate", "19,5,5");
    if (!(await page.isVisible("#business_name"))) await page.click("details.billed-by summary");
    await page.fill("#business_name", "Kestrel Coffee");
    await page.fill("#merchant_email", "owner@kestrel.example");
    await page.check("[name=collect_name]");
    await page.fill("#questions", "Size?\n\nGround or whole?");
    await page.click("text=Create the link");
    await page.waitForSelector("#tax_rate-fault");
    await page.fill("#tax_rate", "19");
    await page.click("text=Create the link");
    await page.waitForSelector("text=The link was created.");
    const slug = slugOf(page);
    expect(LinkStore.bySlug(till.db, slug)).toMatchObject({
      bill: { totals: { tax: 1_900_000n, total: 11_900_000n }, pricesIncludeTax: true },
      collect: { fields: ["name"], questions: ["Size?", "Ground or whole?"] },
    });
    expect(await page.locator(".link-facts").textContent()).toContain("1.90 (19%)");
    await page.goto(`${till.baseUrl}/desk/links/new?like=${slug}`);
    expect(await page.inputValue("#tax_rate")).toBe("19");
    expect(await page.inputValue("#questions")).toBe("Size?\nGround or whole?");
    expect(await page.isVisible("[name=collect_name]")).toBe(true);
    expect(await page.isChecked("[name=collect_name]")).toBe(true);
    await page.selectOption("#tax_category", "exempt");
    await page.fill("#tax_rate", "");
    await page.fill("#tax_reason", "§ 19 UStG");
    await page.click("text=Create the link");
    await page.waitForSelector("text=The link was created.");
    expect(LinkStore.bySlug(till.db, slugOf(page))?.bill?.totals.rows).toMatchObject([
      { category: "exempt", reason: "§ 19 UStG" },
    ]);
  }));
