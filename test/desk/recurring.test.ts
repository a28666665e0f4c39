import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { browser, till, useTill } from "../support/browser/setup.ts";
import { addPerson, startDesk, type Visitor, visitor } from "../support/desk/desk.ts";
import {
  businessRequest,
  recurringRequest,
  startTestTill,
  type TestTill,
  until,
} from "../support/till/till.ts";

let clockMs = Date.parse("2027-01-31T12:00Z");
useTill(() =>
  startTestTill(
    { rpcUrl: "http://127.0.0.1:9" },
    { TILL_RATES: "kraken=http://127.0.0.1:9/" },
    { now: () => clockMs },
  ),
);

const { invoice } = recurringRequest;
const make = async (changes: object = {}) =>
  (await till.api("POST", "/api/recurring", { ...recurringRequest, ...changes })).body;
const get = async (id: string) => (await till.api("GET", `/api/recurring/${id}`)).body;
const patch = (id: string, change: object) => till.api("PATCH", `/api/recurring/${id}`, change);
const invoices = async () => (await till.api("GET", "/api/invoices?limit=100")).body.data.length;
const at = (path: string) => `${till.baseUrl}/desk${path}`;

/** Without scripts, unless they are wanted. */
async function open(path: string, { isLive = false, locale = "en-GB" } = {}): Promise<Page> {
  const page = await (await browser.newContext({ locale, javaScriptEnabled: isLive })).newPage();
  await page.goto(at(path));
  return page;
}
const save = async (page: Page) => {
  await page.click("main form .actions button[type=submit]");
  await page.waitForLoadState();
};
const text = async (page: Page) => (await page.textContent("main")) ?? "";
const idOf = (page: Page) => /recurring_\w+/.exec(page.url())?.[0] ?? "";

describe("a series at the desk", () => {
  test("is changed, and only in what was changed", async () => {
    const { id } = await make({
      count: 5,
      every: { weeks: 5 },
      invoice: { ...invoice, metadata: { a: "1" } },
    });
    const page = await open(`/recurring/${id}`, { isLive: true });
    expect(await text(page)).toMatch(/Another interval: 5 weeks.*Still to be made5/s);
    await page.click("text=Change…");
    await page.waitForSelector("#starts_on");
    expect(await page.inputValue("#every")).toBe("weeks 5");
    await page.fill("#due_days", "400");
    await page.fill("#count", "0");
    await save(page);
    expect(await page.textContent("#due_days-fault")).toContain("0 to 365");
    expect(await page.textContent("#count-fault")).toContain("1 to 1,000");
    await page.fill("#due_days", "7");
    await page.fill("#count", "3");
    await page.selectOption("#every", "months 3");
    await page.check('[name="how"][value="send"]');
    await page.check('[name="missed"][value="all"]');
    await save(page);
    await page.waitForURL((url) => url.pathname.endsWith(`/recurring/${id}`));
    expect(await text(page)).toMatch(/31 January 2090.*30 April 2090.*Still to be made3/s);
    expect(await get(id)).toMatchObject({
      ...{ due_days: 7, count: 3, every: { months: 3 }, send_now: true, missed: "all" },
      invoice: { ...invoice, metadata: { a: "1" } },
    });
  });

  test("is not overwritten by a form that shows it as it was", async () => {
    const { id } = await make();
    const page = await open(`/recurring/${id}/change`);
    await patch(id, { starts_on: "2091-02-01" });
    await page.fill("#due_days", "3");
    await save(page);
    expect(await text(page)).toContain("It has changed in the meantime");
    expect(await page.inputValue("#starts_on")).toBe("2091-02-01");
    expect(await get(id)).toMatchObject({ due_days: 14, starts_on: "2091-02-01" });
    await page.fill("#due_days", "3");
    await save(page);
    expect(await get(id)).toMatchObject({ due_days: 3, starts_on: "2091-02-01" });
  });

  test("keeps all of its bill that the form does not ask for, and all that nobody touched", async () => {
    const { due_date: _, ...business } = businessRequest;
    const back = { description: "Taken back", quantity: -1, unit_price: "2.00", tax_rate: "19" };
    const before = {
      ...{ ...business, line_items: [...business.line_items, back] },
      ...{ metadata: { order: "7" }, reminders: [3], reference: "R {month}" },
      ...{ notes: "For {period}", purchase_order: "PO 1", delivery_date: "2090-01-02", payment_terms: "" },
    };
    const { id } = await make({ invoice: before });
    const page = await open(`/recurring/${id}/change`, { locale: "de-DE" });
    await page.click("text=Kunde, Positionen");
    expect(await page.inputValue('[name="rate"]')).toBe("0,8607");
    await page.click('button[value="repeat"]');
    await page.waitForURL(/change\?draft=/);
    await save(page);
    expect((await get(id)).invoice).toEqual(before);
    await page.goto(at(`/invoices/new?repeat=${id}`));
    await page.fill('[name="vendor_name"]', "Fjord Coworking");
    await page.fill('[name="quantity"] >> nth=0', "2,5");
    await page.click('button[value="repeat"]');
    await page.fill("#due_days", "9");
    await save(page);
    const [first, ...rest] = before.line_items;
    expect(await get(id)).toMatchObject({ due_days: 9, made: 0 });
    expect((await get(id)).invoice).toEqual({
      ...{ ...before, vendor_name: "Fjord Coworking" },
      line_items: [{ ...first, quantity: 2.5 }, ...rest],
    });
    expect((await till.api("GET", "/api/invoices")).body.data).toEqual([]);
    await page.goto(at("/invoices?kind=drafts"));
    expect(await text(page)).not.toContain("Fjord Coworking");
  });

  test("says beside its field what is wrong with a bill, and changes nothing", async () => {
    const { id } = await make({ invoice: { ...invoice, customer_name: "Old", vendor_name: undefined } });
    const page = await open(`/invoices/new?repeat=${id}`);
    expect(await page.inputValue("#vendor_name")).toBe("Old");
    await page.fill("#vendor_email", "nobody");
    await page.click('button[value="repeat"]');
    expect(await page.textContent("#vendor_email-fault")).toContain("email");
    await page.fill("#vendor_email", "new@globex.example");
    await page.fill("#vendor_name", "New");
    await page.click('button[value="repeat"]');
    await save(page);
    expect((await get(id)).invoice).toEqual({
      ...{ ...invoice, vendor_name: "New", vendor_email: "new@globex.example" },
    });
  });

  test("tells why it is not made, in the reader's language", async () => {
    clockMs = Date.parse("2027-01-31T12:00Z");
    const { id } = await make({ starts_on: "2027-01-31", invoice: { ...invoice, currency: "EUR" } });
    const waiting = await until(
      () => get(id),
      ({ reason }) => reason !== null,
    );
    expect(waiting.reason).toBe("no current rate of USDC in EUR is to be had");
    const page = await open(`/recurring/${id}`, { locale: "de-DE" });
    expect(await text(page)).toMatch(/Es gibt gerade keinen Wechselkurs.*Till versucht es weiter/s);
    await page.goto(at(`/recurring/${id}/change`));
    await page.selectOption("#every", "weeks 1");
    await save(page);
    expect(await text(page)).toContain("31. Januar ist noch auszustellen");
    expect((await get(id)).every).toEqual({ months: 1 });
    await till.api("DELETE", `/api/recurring/${id}`);
  });

  test("that is refused is corrected at the desk, and what it missed is made", async () => {
    const { id } = await make({ starts_on: "2027-02-10" });
    till.db.run(
      "UPDATE recurring SET invoice = json_set(invoice, '$.line_items[0].unit_price', '1,2,3') WHERE id = ?",
      [id],
    );
    const before = await invoices();
    clockMs = Date.parse("2027-02-12T12:00Z");
    await till.pause();
    await till.resume();
    const refused = await until(
      () => get(id),
      ({ status }) => status === "paused",
    );
    expect(refused.reason).toStartWith("invoice.line_items[0].unit_price must be");
    const page = await open(`/recurring/${id}`, { locale: "fr-FR" });
    expect(await text(page)).not.toContain("must be");
    expect(await text(page)).toMatch(/Till n’a pas pu établir cette facture.*Corrigez-la/s);
    await page.goto(at(`/invoices/new?repeat=${id}`));
    await page.fill('[name="unit_price"] >> nth=0', "12,00");
    await page.click('button[value="repeat"]');
    await save(page);
    expect(await invoices()).toBe(before);
    await page.click(".actions button:has-text('Reprendre')");
    await until(invoices, (count) => count === before + 1);
    expect(await get(id)).toMatchObject({ made: 1, status: "active", last_made: { date: "2027-02-10" } });
  });
});

describe("a series without an invoice", () => {
  test("begins at the list, goes through the bill to its dates, and is made once", async () => {
    clockMs = Date.parse("2027-01-31T12:00Z");
    const before = await invoices();
    const page = await open("/recurring", { isLive: true });
    await page.click("text=New repeating invoice");
    await page.waitForSelector("#vendor_name");
    expect(await page.isVisible("#due_date")).toBe(false);
    const fields = {
      ...{ vendor_name: "Kino Babylon", vendor_email: "kino@customer.example" },
      ...{ merchant_name: "Acme", merchant_email: "a@acme.example", merchant_address: "1 Main Street" },
    };
    await page.fill('[name="description"]', "Popcorn {month}");
    await page.fill('[name="unit_price"]', "12.00");
    await page.click("text=Add a line");
    await page.waitForSelector('[name="description"] >> nth=1');
    for (const [name, value] of Object.entries(fields)) {
      const field = page.locator(`[name="${name}"]`);
      if (!(await field.isVisible())) await page.click(".billed-by summary");
      await field.fill(value);
    }
    await page.click("button:has-text('Continue')");
    await page.waitForURL(/recurring\/new\?draft=\d+/);
    expect(await text(page)).toContain("for Kino Babylon");
    const form = await page.evaluate(
      `new URLSearchParams(new FormData(document.querySelector("main form"))).toString()`,
    );
    await page.fill("#starts_on", "2090-02-01");
    await save(page);
    await page.waitForURL(/recurring\/recurring_/);
    expect(await get(idOf(page))).toMatchObject({
      ...{ starts_on: "2090-02-01", made: 0, send_now: true },
      invoice: {
        vendor_name: "Kino Babylon",
        line_items: [{ description: "Popcorn {month}", unit_price: "12.00" }],
      },
    });
    expect(await invoices()).toBe(before);
    // The form sent twice leads to the same one.
    const again = await fetch(at("/recurring/new"), {
      ...{ method: "POST", redirect: "manual", body: String(form) },
      headers: { origin: till.baseUrl, "content-type": "application/x-www-form-urlencoded" },
    });
    expect(again.headers.get("location")).toContain(idOf(page));
    await page.goto(at("/invoices?kind=drafts"));
    expect(await text(page)).not.toContain("Kino Babylon");
  });

  test("begins in the form of any invoice, too, and waits among the drafts", async () => {
    const page = await open("/invoices/new");
    const fields = {
      ...{
        vendor_name: "Later Ltd",
        vendor_email: "l@customer.example",
        description: "Rent",
        unit_price: "1.00",
      },
      ...{ merchant_name: "Acme", merchant_email: "a@acme.example", merchant_address: "1 Main Street" },
    };
    for (const [name, value] of Object.entries(fields)) {
      const field = page.locator(`[name="${name}"]`);
      if (!(await field.isVisible())) await page.click(".billed-by summary");
      await field.fill(value);
    }
    await page.click(".bottom .menu summary");
    await page.click("text=Repeat…");
    await page.waitForURL(/recurring\/new\?draft=/);
    await page.goto(at("/invoices?kind=drafts"));
    await page.click("text=Later Ltd");
    await page.click("button:has-text('Continue')");
    await page.waitForURL(/recurring\/new\?draft=/);
  });
});

test("an invoice of the 31st goes on on the last days of months, unless that is not wanted", async () => {
  clockMs = Date.parse("2027-01-31T12:00Z");
  const { invoice_number: number } = await till.createInvoice({ issue_date: "2027-01-31" });
  const page = await open(`/recurring/new?like=${number}`);
  expect(await page.inputValue("#starts_on")).toBe("2027-02-28");
  expect(await text(page)).toContain("On day 31 in months that have it");
  await save(page);
  expect(await text(page)).toMatch(/28 February31 March30 April/);
  expect(await get(idOf(page))).toMatchObject({ starts_on: "2027-02-28", day_of_month: 31 });
  await page.click("text=Change…");
  await page.uncheck('[name="month_day"]');
  await save(page);
  expect(await text(page)).toMatch(/28 February28 March28 April/);
  expect(await get(idOf(page))).not.toHaveProperty("day_of_month");
  await page.goto(at(`/recurring/new?like=${number}`));
  await page.selectOption("#every", "weeks 1");
  await save(page);
  expect(await text(page)).toMatch(/28 February7 March/);
});

describe("who may only bill", () => {
  let desk: TestTill;
  let staff: Visitor;
  beforeAll(async () => {
    desk = await startDesk();
    staff = visitor(desk, await addPerson(desk, "Tom", "staff"));
  });
  afterAll(() => desk.stop());

  const own = "0x1111111111111111111111111111111111111111";
  const other = "0x2222222222222222222222222222222222222222";
  const bill = (wallet_address: string) => ({
    ...{ vendor_name: "Globex", vendor_email: "g@customer.example", description: "Rent", unit_price: "1.00" },
    ...{ merchant_name: "Acme", merchant_email: "a@acme.example", merchant_address: "1 Main Street" },
    ...{ quantity: "1", wallet_type: "byo", wallet_address },
  });

  test("directs no series to a wallet of their own, but changes one that a program directed to its own", async () => {
    expect((await staff.post("/desk/invoices/new", { ...bill(other), as: "repeat" })).status).toBe(422);
    // A draft is kept as it is.
    const kept = await staff.post("/desk/invoices/new", { ...bill(other), as: "draft" });
    const draft = /draft=(\d+)/.exec(kept.headers.get("location") ?? "")?.[1] ?? "";
    const html = await (await staff.get(`/desk/recurring/new?draft=${draft}`)).text();
    const key = /name="key" value="(\w+)"/.exec(html)?.[1] ?? "";
    const dates = {
      ...{ every: "months 1", starts_on: "2090-01-31", due_days: "14", how: "draft", missed: "newest" },
      ...{ draft, key },
    };
    const refused = await staff.post("/desk/recurring/new", dates);
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("wallet")]);
    expect((await desk.api("GET", "/api/recurring")).body.data).toEqual([]);

    const byo = { ...invoice, wallet_type: "byo", wallet_address: own };
    const { id } = (await desk.api("POST", "/api/recurring", { ...recurringRequest, invoice: byo })).body;
    const repeat = { repeat: id, as: "repeat" };
    expect((await staff.post("/desk/invoices/new", { ...bill(other), ...repeat })).status).toBe(422);
    const sent = await staff.post("/desk/invoices/new", { ...bill(own), ...repeat });
    expect(sent.headers.get("location")).toContain(`/desk/recurring/${id}/change?draft=`);
  });
});
