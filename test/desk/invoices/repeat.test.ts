import { expect, test } from "bun:test";
import { axeViolations } from "../../support/browser/axe.ts";
import { browser, till, useTill } from "../../support/browser/setup.ts";
import { until } from "../../support/till/till.ts";

useTill();

test("an invoice repeats from its page, is paused and resumed, and ends", async () => {
  const { invoice_number: number = "" } = await till.createInvoice({
    vendor_name: "Fjord Coworking",
    notes: "Beans, {month}",
    line_items: [{ description: "Office beans", quantity: 2, unit_price: "210.00" }],
  });
  const page = await (await browser.newContext({ locale: "en-GB" })).newPage();
  const series = async () => (await till.api("GET", "/api/recurring")).body.data[0];
  await page.goto(`${till.baseUrl}/desk/invoices/${number}`);
  await page.click(".menu summary");
  await page.click("text=Repeat…");
  await page.waitForSelector("#starts_on");
  await page.fill("#due_days", "x");
  await page.fill("#ends_on", "2020-01-01");
  await page.click("text=Start repeating");
  await page.waitForSelector("#faults");
  expect(await page.textContent("#due_days-fault")).toContain("0 to 365");
  expect(await page.textContent("#ends_on-fault")).toContain("today or later");
  expect(await axeViolations(page)).toEqual([]);
  await page.fill("#due_days", "14");
  await page.fill("#ends_on", "");
  await page.fill("#starts_on", "2090-01-31");
  await page.check('[name="how"][value="draft"]');
  await page.click("text=Start repeating");
  await page.waitForURL(/recurring\/recurring_/);
  expect(await page.textContent("main")).toContain("28 February 2090");
  expect(await series()).toMatchObject({
    invoice: { vendor_name: "Fjord Coworking", notes: "Beans, {month}" },
    every: { months: 1 },
    send_now: false,
    due_days: 14,
  });
  await page.click("text=Pause");
  await until(series, ({ status }) => status === "paused");
  await page.click("text=Resume");
  await until(series, ({ status }) => status === "active");
  await page.goto(`${till.baseUrl}/desk/recurring`);
  expect(await page.textContent("main")).toContain("Every month");
  await page.click("text=Fjord Coworking");
  await page.click("text=End it…");
  await page.click("button:has-text('End it')");
  await until(series, ({ status }) => status === "ended");
});
