import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as Address from "../../../src/domain/wallet/address.ts";
import { parse } from "../../pages/dom.ts";
import { axeViolations } from "../../support/browser/axe.ts";
import { holds } from "../../support/browser/browser.ts";
import { browser, chain, till, useTillOnChain } from "../../support/browser/setup.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { startTestTill, until } from "../../support/till/till.ts";

let page: Page;

useTillOnChain((chain) => startTestTill(chain, { TILL_CONFIRMATIONS: "3" }));
beforeAll(async () => {
  page = await browser.newPage();
});

const open = (path: string) => page.goto(`${till.baseUrl}/desk/${path}`);
const main = async () => ((await page.locator("main").textContent()) ?? "").replaceAll("\u00a0", " ");
const shows = (...texts: string[]) =>
  until(main, (shown) => texts.every((text) => shown.includes(text)), 20_000);
const rows = () => page.locator("tbody a.name").allTextContents();
const filled = () => page.locator("main .button:not(.button-quiet, .button-plain)").allTextContents();
const record = async (number: string | undefined) => (await till.api("GET", `/api/invoices/${number}`)).body;
/** Lets the chain go on until something is so. */
const afterBlocks = <T>(ask: () => Promise<T>, fits: (value: T) => boolean) =>
  until(
    async () => {
      await chain.rpc("anvil_mine", ["0x1"]);
      return ask();
    },
    fits,
    20_000,
  );
const menu = async (text: string) => {
  await page.click('[aria-label="More actions"]');
  await page.click(`.menu-list >> text=${text}`);
};

describe("the list of invoices", () => {
  test("teaches the first step while there is none", async () => {
    await open("invoices");
    expect(await main()).toContain("Your first invoice takes a minute");
    expect(await filled()).toEqual(["New invoice"]);
  });

  test("is narrowed by kind and by days, with how many there are of each and what they come to", async () => {
    await till.createInvoice({
      vendor_name: "Bäckerei Sommer",
      due_date: "2026-02-01",
      issue_date: "2026-01-02",
    });
    await till.createInvoice({ vendor_name: "Hotel Linde", issue_date: "2026-01-31", reference: "PO-4471" });
    const { invoice_number } = await till.createInvoice({ vendor_name: "Harbour Yoga" });
    await till.api("POST", `/api/invoices/${invoice_number}/void`, { reason: "Twice" });
    await till.createInvoice({
      vendor_name: "<b>=1+1</b>",
      vendor_email: "formula@evil.example",
      line_items: [{ description: "Beans", quantity: 1, unit_price: "1738.80" }],
    });
    await open("invoices");
    expect(await rows()).toEqual(["<b>=1+1</b>", "Harbour Yoga", "Hotel Linde", "Bäckerei Sommer"]);
    const kinds = await page.locator(".kinds a").allTextContents();
    expect(kinds).toEqual([
      "All 4",
      "Open 3",
      "Overdue 1",
      "Paid 0",
      "Drafts 0",
      "Void 1",
      "Repeating",
      "Credit notes",
    ]);
    expect(await main()).toContain("4 in all, 6,238.80 USDC");
    await page.click("text=Overdue 1");
    await page.waitForURL(/kind=overdue/);
    expect(await rows()).toEqual(["Bäckerei Sommer"]);
    await open("invoices?from=2026-01-02&to=2026-01-31");
    expect(await rows()).toEqual(["Hotel Linde", "Bäckerei Sommer"]);
    await open("invoices?kind=paid&from=2026-01-01");
    expect(await main()).toContain("None of these");
  });

  test("finds by one field", async () => {
    const namesOn = async (typed: string) => {
      const html = await (await fetch(`${till.baseUrl}/desk/invoices?q=${encodeURIComponent(typed)}`)).text();
      return [...parse(html).querySelectorAll("tbody a.name")].map(({ textContent }) => textContent);
    };
    const { deposit_address, invoice_url } = await record("INV-0002");
    const all = ["<b>=1+1</b>", "Harbour Yoga", "Hotel Linde", "Bäckerei Sommer"];
    for (const [typed, found] of [
      ["linde", ["Hotel Linde"]],
      ["backerei som", ["Bäckerei Sommer"]],
      ["INV-0002", ["Hotel Linde"]],
      ["2", ["Hotel Linde"]],
      ["inv 2", ["Hotel Linde"]],
      ["#02", ["Hotel Linde"]],
      ["inv-00", all],
      ["po-44", ["Hotel Linde"]],
      ["formula@evil.example", ["<b>=1+1</b>"]],
      ["1,738.80 USDC", ["<b>=1+1</b>"]],
      ["1738", ["<b>=1+1</b>"]],
      ['" OR words: *', []],
      // The whole deposit address, as explorers write it, and the link that the customer was sent.
      [deposit_address.toLowerCase(), ["Hotel Linde"]],
      [deposit_address.toUpperCase(), ["Hotel Linde"]],
      [`${invoice_url}?lang=de`, ["Hotel Linde"]],
    ] as const)
      expect([typed, await namesOn(typed)]).toEqual([typed, [...found]]);
    await open("invoices");
    await page.fill("#q", "nobody");
    await page.press("#q", "Enter");
    await page.waitForURL(/\?q=/);
    expect(await main()).toContain("Search by the start of a customer");
  });

  test("is taken away as CSV, in which nothing is a formula", async () => {
    const response = await fetch(`${till.baseUrl}/desk/invoices.csv?q=formula`);
    expect(response.headers.get("content-type")).toStartWith("text/csv");
    const [head, line, ...more] = (await response.text()).replace("\ufeff", "").trim().split("\r\n");
    expect(head).toStartWith("invoice_number,issue_date,due_date,status");
    expect(line).toContain("INV-0004");
    expect(line).toContain(",<b>=1+1</b>,formula@evil.example,USDC,1738.80,0.00,");
    expect(more).toEqual([]);
    const all = await (await fetch(`${till.baseUrl}/desk/invoices.csv?kind=open`)).text();
    expect(all.trim().split("\r\n").length).toBe(4);
  });

  test("goes on to older pages, each invoice once", async () => {
    for (let i = 0; i < 52; i++)
      await till.createInvoice({ vendor_name: `Page ${i}`, issue_date: "2026-03-01" });
    const seen: string[] = [];
    await open("invoices?from=2026-03-01&to=2026-03-01");
    seen.push(...(await rows()));
    await page.click(".pager >> text=Older");
    await page.waitForURL(/before=/);
    seen.push(...(await rows()));
    expect(new Set(seen).size).toBe(52);
    expect(await page.locator(".pager >> text=Newest").count()).toBe(1);
  });
});

describe("an invoice", () => {
  let invoice: Record<string, string>;

  test("is sent, and reminded of when it is late: the state decides what is filled", async () => {
    invoice = await till.createInvoice({
      vendor_name: "Café Morgenrot",
      due_date: "2026-02-01",
      issue_date: "2026-01-02",
    });
    await open(`invoices/${invoice["invoice_number"]}`);
    expect(await filled()).toEqual(["Send"]);
    await page.click("text=Send");
    await shows("The invoice was emailed.", "Overdue", "emailed to ap@globex.example");
    expect(await filled()).toEqual(["Remind"]);
    await page.click("text=Remind");
    await shows("Your customer was reminded.", "Reminder");
    const subjects = till.mail.list().map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes(invoice["invoice_number"] ?? "?"))).toEqual([
      expect.stringContaining("Reminder"),
      expect.stringContaining(`Invoice ${invoice["invoice_number"]}`),
    ]);
  });

  test("shows a payment as it is confirmed, while nothing is to be done", async () => {
    await chain.pay(Address.checksum(invoice["deposit_address"] ?? ""), "1000");
    await shows("1,000.00 USDC on its way: nothing to do");
    expect(await filled()).toEqual([]);
    const hash = (await till.api("GET", `/api/invoices/${invoice["invoice_id"]}/payments`)).body.data[0]
      .tx_hash;
    await afterBlocks(
      () => record(invoice["invoice_number"]),
      ({ status }) => status === "partial",
    );
    await shows("1,000.00 of 1,500.00 USDC received", "1,000.00 USDC confirmed", "500.00");
    await page.click('[aria-label="More actions"]');
    expect(await page.locator(".menu-list").textContent()).not.toContain("Void");
    await open(`invoices?q=${hash.slice(0, 14)}`);
    expect(await rows()).toEqual(["Café Morgenrot"]);
  });

  test("is marked as paid elsewhere in a dialog, and that is taken back", async () => {
    await open(`invoices/${invoice["invoice_number"]}`);
    await menu("Paid elsewhere");
    await page.waitForSelector("dialog[open]");
    expect(await axeViolations(page)).toEqual([]);
    await page.fill("dialog #how", "By bank");
    await page.click("dialog >> text=Mark as paid");
    await shows("The invoice is marked as paid elsewhere.", "By bank");
    expect((await record(invoice["invoice_number"])).status).toBe("paid");
    await menu("Not paid elsewhere after all");
    await shows("The invoice is open again.");
    expect((await record(invoice["invoice_number"])).status).toBe("partial");
  });

  test("is no longer marked as soon as that is undone, and what was done is told once, to the ear too", async () => {
    await menu("Paid elsewhere");
    await page.click("dialog >> text=Mark as paid");
    await shows("The invoice is marked as paid elsewhere.");
    await holds(page, `document.getElementById("announcement").textContent.includes("marked as paid")`);
    await page.click(".did >> text=Undo");
    await shows("The invoice is open again.");
    expect((await record(invoice["invoice_number"])).status).toBe("partial");
    await holds(page, `!location.search.includes("did")`);
    await page.reload();
    expect(await main()).not.toContain("The invoice is open again.");
  });

  test("has a menu that Escape and a click beside it close, and that a dialog returns to", async () => {
    const number = invoice["invoice_number"];
    await open(`invoices/${number}`);
    const isOpen = () => page.locator("details.menu[open]").count();
    const inFocus = () => page.evaluate(`document.activeElement.getAttribute("aria-label")`);
    await page.focus('[aria-label="More actions"]');
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await isOpen()).toBe(1);
    await page.keyboard.press("Escape");
    expect([await isOpen(), await inFocus()]).toEqual([0, "More actions"]);
    await page.keyboard.press("Enter");
    await page.click("h1");
    expect(await isOpen()).toBe(0);
    await menu("Paid elsewhere");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    expect(await inFocus()).toBe("More actions");
  });

  test("brings a part up to date that had the focus when it changed, once the focus is elsewhere", async () => {
    const { invoice_number } = await till.createInvoice({ vendor_name: "Hotel Adler" });
    await open(`invoices/${invoice_number}`);
    await page.focus('[aria-label="More actions"]');
    await till.api("POST", `/api/invoices/${invoice_number}/void`, { reason: "Twice" });
    await holds(page, `document.getElementById("timeline").textContent.includes("Voided")`);
    expect(await page.textContent("#head .title")).not.toContain("Void");
    await page.focus("#note");
    await until(
      async () => (await page.textContent("#head .title")) ?? "",
      (title) => title.includes("Void"),
      20_000,
    );
  });

  test("says while the server cannot be reached, and not what may no longer be so", async () => {
    const context = await browser.newContext({ locale: "en-GB" });
    const offline = await context.newPage();
    await offline.goto(`${till.baseUrl}/desk/invoices/${invoice["invoice_number"]}`);
    const seen = () =>
      Promise.all([offline.isVisible("text=Connection lost"), offline.isVisible(".rail .watch")]);
    expect(await seen()).toEqual([false, true]);
    await context.setOffline(true);
    await until(seen, ([isLost]) => isLost === true, 20_000);
    expect(await seen()).toEqual([true, false]);
    expect(await axeViolations(offline)).toEqual([]);
    await context.setOffline(false);
    await until(seen, ([isLost]) => isLost === false, 20_000);
    expect(await seen()).toEqual([false, true]);
    await context.close();
  });

  test("keeps notes for the merchant alone, as text", async () => {
    await open(`invoices/${invoice["invoice_number"]}`);
    await page.fill("#note", "Pays <i>after</i> Thursday");
    await page.click("text=Add the note");
    await shows("The note is added.", "Pays <i>after</i> Thursday");
    await page.click("text=Add the note");
    await shows("Enter a note of up to 2,000 characters.");
    const slug = (await record(invoice["invoice_number"])).slug;
    expect(await (await fetch(`${till.baseUrl}/i/${slug}`)).text()).not.toContain("Thursday");
  });

  test("is voided on a page of its own, with a reason", async () => {
    const { invoice_number } = await till.createInvoice({ vendor_name: "The Green Room" });
    await open(`invoices/${invoice_number}/void`);
    await page.click("text=Void the invoice");
    await shows("Say why, in up to 500 characters.");
    await page.fill("#reason", "Kegs came back unopened");
    await page.click("text=Void the invoice");
    await shows("The invoice is void.", "No longer owed", "Voided: Kegs came back unopened");
    expect(await filled()).toEqual([]);
    expect((await record(invoice_number)).void_reason).toBe("Kegs came back unopened");
  });

  test("says what cannot be done any more when a page was old", async () => {
    const { invoice_number, deposit_address } = await till.createInvoice();
    await open(`invoices/${invoice_number}/void`);
    await page.fill("#reason", "Too late");
    await chain.pay(Address.checksum(deposit_address ?? ""), "1");
    await afterBlocks(
      () => record(invoice_number),
      ({ status }) => status === "partial",
    );
    await page.click("text=Void the invoice");
    await shows("Nothing was done: something changed after you opened this page.");
  });

  test("shows what its webhook got for an answer, and sends it again", async () => {
    const receiver = await startReceiver();
    receiver.answerWith(410);
    try {
      const { invoice_number, deposit_address } = await till.createInvoice({ webhook_url: receiver.url });
      await chain.pay(Address.checksum(deposit_address ?? ""), "1500");
      await afterBlocks(
        async () => receiver.received.length,
        (got) => got > 0,
      );
      await open(`invoices/${invoice_number}`);
      await shows("Your system", "Attempts: 1");
      const before = receiver.received.length;
      await page.click("#hooks >> text=Send again");
      await shows("It is being sent again.");
      await until(
        () => receiver.received.length,
        (got) => got > before,
        20_000,
      );
    } finally {
      await receiver.stop();
    }
  });
});
