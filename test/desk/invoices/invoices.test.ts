import { beforeAll, describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import { axeViolations } from "../../support/browser/axe.ts";
import { holds, later } from "../../support/browser/browser.ts";
import { browser, chain, till, useTillOnChain } from "../../support/browser/setup.ts";
import { type Walk, walk } from "../../support/desk/walk.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { storeInvoice } from "../../support/till/records.ts";
import { startTestTill, until } from "../../support/till/till.ts";

useTillOnChain((chain) => startTestTill(chain, { TILL_CONFIRMATIONS: "3" }));
let desk: Walk;
beforeAll(() => {
  desk = walk(till);
});

const open = (path: string) => desk.open(`/desk/${path}`);
const shows = (...texts: string[]) => {
  for (const text of texts) expect(desk.text()).toContain(text);
};
const rows = () => desk.texts("tbody a.name");
/** The one thing that the page asks for. */
const filled = () => desk.texts("main .button:not(.button-quiet):not(.button-plain)");
const record = async (number: string | undefined) => (await till.api("GET", `/api/invoices/${number}`)).body;
const pay = (invoice: Record<string, string>, amount: string) =>
  chain.pay(Address.checksum(invoice["deposit_address"] ?? ""), amount);
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

describe("the list of invoices", () => {
  test("teaches the first step while there is none", async () => {
    await open("invoices");
    shows("Your first invoice takes a minute");
    expect(filled()).toEqual(["New invoice"]);
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
    expect(rows()).toEqual(["<b>=1+1</b>", "Harbour Yoga", "Hotel Linde", "Bäckerei Sommer"]);
    const counted = ["All 4", "Open 3", "Overdue 1", "Paid 0", "Drafts 0", "Void 1"];
    expect(desk.texts(".kinds a")).toEqual([...counted, "Repeating", "Credit notes"]);
    shows("4 in all, 6,238.80 USDC");
    await desk.press("Overdue 1");
    expect(rows()).toEqual(["Bäckerei Sommer"]);
    await open("invoices?from=2026-01-02&to=2026-01-31");
    expect(rows()).toEqual(["Hotel Linde", "Bäckerei Sommer"]);
    await open("invoices?kind=paid&from=2026-01-01");
    shows("None of these");
  });

  test("finds by one field", async () => {
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
    ] as const) {
      await open(`invoices?q=${encodeURIComponent(typed)}`);
      expect([typed, rows()]).toEqual([typed, [...found]]);
    }
    await open("invoices?q=nobody");
    shows("Search by the start of a customer");
  });

  test("is taken away as CSV, in which nothing is a formula", async () => {
    await open("invoices.csv?q=formula");
    expect(desk.headers.get("content-type")).toStartWith("text/csv");
    const [head, line, ...more] = desk.html.replace("\ufeff", "").trim().split("\r\n");
    expect(head).toStartWith("invoice_number,issue_date,due_date,status");
    expect(line).toContain("INV-0004");
    expect(line).toContain(",<b>=1+1</b>,formula@evil.example,USDC,1738.80,0.00,");
    expect(more).toEqual([]);
    await open("invoices.csv?kind=open");
    expect(desk.html.trim().split("\r\n")).toHaveLength(4);
  });

  test("goes on to older pages, each invoice once", async () => {
    for (let i = 0; i < 52; i++) storeInvoice(till.db, { vendorName: `Page ${i}`, issueDate: "2026-03-01" });
    await open("invoices?from=2026-03-01&to=2026-03-01");
    const seen = rows();
    await desk.press("Older");
    expect(new Set([...seen, ...rows()]).size).toBe(52);
    expect(desk.texts(".pager a")).toContain("Newest");
  });
});

describe("an invoice", () => {
  test("is sent, and reminded of when it is late: the state decides what is filled", async () => {
    const number = (await till.createInvoice({ due_date: "2026-02-01", issue_date: "2026-01-02" }))[
      "invoice_number"
    ];
    await open(`invoices/${number}`);
    expect(filled()).toEqual(["Send"]);
    await desk.press("Send");
    shows("The invoice was emailed.", "Overdue", "emailed to ap@globex.example");
    expect(filled()).toEqual(["Remind"]);
    await desk.press("Remind");
    shows("Your customer was reminded.", "Reminder");
    const subjects = till.mail.list().map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes(number ?? "?"))).toEqual([
      expect.stringContaining("Reminder"),
      expect.stringContaining(`Invoice ${number}`),
    ]);
  });

  test("shows a payment before it is confirmed, while nothing is to be done, and is found by its transaction", async () => {
    const invoice = await till.createInvoice({ vendor_name: "Café Morgenrot", send_now: true });
    const { txHash } = await pay(invoice, "1000");
    await until(
      () => open(`invoices/${invoice["invoice_number"]}`).then(() => desk.text()),
      (shown) => shown.includes("1,000.00 USDC on its way: nothing to do"),
    );
    expect(filled()).toEqual([]);
    await afterBlocks(
      () => record(invoice["invoice_number"]),
      ({ status }) => status === "partial",
    );
    await open(`invoices?q=${txHash.slice(0, 14)}`);
    expect(rows()).toEqual(["Café Morgenrot"]);
    await desk.press("Café Morgenrot");
    shows("1,000.00 of 1,500.00 USDC received", "1,000.00 USDC confirmed", "500.00");
    expect(desk.text(".menu-list")).toContain("Paid elsewhere…");
    expect(desk.text(".menu-list")).not.toContain("Void");
  });

  test("keeps notes for the merchant alone, as text", async () => {
    const { slug } = await record("INV-0002");
    await open("invoices/INV-0002");
    desk.fill({ note: "Pays <i>after</i> Thursday" });
    await desk.press("Add the note");
    shows("The note is added.", "Pays <i>after</i> Thursday");
    await desk.press("Add the note");
    shows("Enter a note of up to 2,000 characters.");
    await desk.open(`/i/${slug}`);
    expect(desk.html).not.toContain("Thursday");
  });

  test("is voided on a page of its own, with a reason", async () => {
    const { invoice_number } = await till.createInvoice();
    await open(`invoices/${invoice_number}/void`);
    await desk.press("Void the invoice");
    shows("Say why, in up to 500 characters.");
    desk.fill({ reason: "Kegs came back unopened" });
    await desk.press("Void the invoice");
    shows("The invoice is void.", "No longer owed", "Voided: Kegs came back unopened");
    expect(filled()).toEqual([]);
    expect((await record(invoice_number)).void_reason).toBe("Kegs came back unopened");
  });

  test("says what cannot be done any more when a page was old", async () => {
    const invoice = await till.createInvoice();
    await open(`invoices/${invoice["invoice_number"]}/void`);
    desk.fill({ reason: "Too late" });
    await pay(invoice, "1");
    await afterBlocks(
      () => record(invoice["invoice_number"]),
      ({ status }) => status === "partial",
    );
    await desk.press("Void the invoice");
    shows("Nothing was done: something changed after you opened this page.");
    expect((await record(invoice["invoice_number"])).status).toBe("partial");
  });

  test("shows what its webhook got for an answer, and sends it again", async () => {
    const receiver = await startReceiver();
    receiver.answerWith(410);
    try {
      const invoice = await till.createInvoice({ webhook_url: receiver.url });
      await pay(invoice, "1500");
      await afterBlocks(
        async () => receiver.received.length,
        (got) => got > 0,
      );
      await until(
        () => open(`invoices/${invoice["invoice_number"]}`).then(() => desk.text()),
        (shown) => shown.includes("Your system") && shown.includes("Attempts: 1"),
      );
      const before = receiver.received.length;
      await desk.press("Send again");
      shows("It is being sent again.");
      await until(
        () => receiver.received.length,
        (got) => got > before,
      );
    } finally {
      await receiver.stop();
    }
  });
});

test("the script of an invoice's page: dialog, menu, what is told, what changes, and no connection", async () => {
  const invoice = await till.createInvoice({ vendor_name: "Hotel Adler" });
  const number = invoice["invoice_number"];
  const context = await browser.newContext({ locale: "en-GB" });
  const page = await context.newPage();
  const main = async () => ((await page.locator("main").textContent()) ?? "").replaceAll("\u00a0", " ");
  const status = async () => (await record(number)).status;
  const isOpen = () => page.locator("details.menu[open]").count();
  const inFocus = () => page.evaluate(`document.activeElement.getAttribute("aria-label")`);
  await page.clock.install();
  await page.goto(`${till.baseUrl}/desk/invoices/${number}`);
  await pay(invoice, "1000");
  await later(page, async () => (await main()).includes("1,000.00 USDC on its way: nothing to do"));

  // Escape and a click beside it close the menu, and a dialog returns to it.
  await page.focus('[aria-label="More actions"]');
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await isOpen()).toBe(1);
  await page.keyboard.press("Escape");
  expect([await isOpen(), await inFocus()]).toEqual([0, "More actions"]);
  await page.keyboard.press("Enter");
  await page.click("h1");
  expect(await isOpen()).toBe(0);
  await page.click('[aria-label="More actions"]');
  await page.click(".menu-list >> text=Paid elsewhere");
  await page.waitForSelector("dialog[open]");
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  expect(await inFocus()).toBe("More actions");

  // What was done is told once, to the ear too, and undone.
  await page.keyboard.press("Enter");
  await page.click(".menu-list >> text=Paid elsewhere");
  await page.fill("dialog #how", "By bank");
  await page.click("dialog >> text=Mark as paid");
  await page.waitForSelector("text=The invoice is marked as paid elsewhere.");
  expect(await main()).toContain("By bank");
  expect(await status()).toBe("paid");
  await holds(page, `document.getElementById("announcement").textContent.includes("marked as paid")`);
  await page.click(".did >> text=Undo");
  await page.waitForSelector("text=The invoice is open again.");
  expect(await status()).not.toBe("paid");
  await holds(page, `!location.search.includes("did")`);
  await page.reload();
  expect(await main()).not.toContain("The invoice is open again.");

  // A part that has the focus is brought up to date once the focus is elsewhere.
  await page.focus('[aria-label="More actions"]');
  await till.api("POST", `/api/invoices/${number}/mark`, { as: "paid", note: "In cash" });
  await later(page, async () => ((await page.textContent("#timeline")) ?? "").includes("In cash"));
  const isPaid = async () => ((await page.textContent("#head .title")) ?? "").includes("Paid");
  expect(await isPaid()).toBe(false);
  await page.focus("#note");
  await later(page, isPaid);
  await till.api("POST", `/api/invoices/${number}/mark`, { as: "unpaid" });
  await later(page, async () => !(await isPaid()));

  // While the server cannot be reached, that is said, and not what may no longer be so.
  const seen = () => Promise.all([page.isVisible("text=Connection lost"), page.isVisible(".rail .watch")]);
  expect(await seen()).toEqual([false, true]);
  await context.setOffline(true);
  await later(page, () => page.isVisible("text=Connection lost"));
  expect(await seen()).toEqual([true, false]);
  expect(await axeViolations(page)).toEqual([]);
  await context.setOffline(false);
  await later(page, async () => !(await page.isVisible("text=Connection lost")));
  expect(await seen()).toEqual([false, true]);
  await context.close();
});
