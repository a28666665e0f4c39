import { beforeAll, expect, test } from "bun:test";
import { violations } from "../support/browser/axe.ts";
import { browser, till, useTill } from "../support/browser/setup.ts";
import { storeInvoice } from "../support/till/records.ts";
import { startTestTill } from "../support/till/till.ts";

useTill(() =>
  startTestTill({ rpcUrl: "http://127.0.0.1:9" }, { TILL_BOOKKEEPING_CURRENCY: "EUR", TILL_RATES: "off" }),
);
beforeAll(async () => {
  const line = { description: "Design", quantity: 10, unit_price: "120.00", tax_rate: "19" };
  const changes = { send_now: true, currency: "EUR", rate: "0.8607", line_items: [line] };
  await till.createInvoice({ ...changes, issue_date: "2026-01-31", vendor_name: "=1+1" });
  await till.createInvoice({ ...changes, issue_date: "2026-02-01" });
});

test("a bookkeeper takes away the files of some days, and names the codes that Xero's wants first", async () => {
  const page = await browser.newPage({ locale: "en-GB" });
  const take = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name, exact: true }).click(),
    ]);
    const text = await Bun.file((await download.path()) ?? "").text();
    return { file: download.suggestedFilename(), lines: text.trimEnd().split("\r\n") };
  };
  await page.goto(`${till.baseUrl}/desk/settings`);
  await page.getByRole("link", { name: /Bookkeeping/ }).click();
  expect(await violations(page)).toEqual({ light: [], dark: [] });
  await page.getByLabel("From").fill("2026-01-01");
  await page.getByLabel("To").fill("2026-01-31");
  const invoices = await take("Invoices");
  expect(invoices.file).toMatch(/^invoices-\d{4}-\d\d-\d\d\.csv$/);
  expect(invoices.lines).toHaveLength(2);
  expect(invoices.lines[1]).toContain("INV-0001");
  const sums = await take("Tax sums");
  expect(sums.lines.slice(1)).toEqual(["standard,19.00,EUR,1,1200.00,228.00,0,0"]);

  await page.getByRole("button", { name: "Download for Xero" }).click();
  await page.locator("#faults").waitFor();
  expect(await page.locator("#faults a").allTextContents()).toEqual([
    "Sales account: Enter what Xero calls it.",
    "Taxed 19%: Enter what Xero calls it.",
  ]);
  expect(await page.getByLabel("From").inputValue()).toBe("2026-01-01");
  await page.getByLabel("Sales account").fill("200");
  await page.getByLabel("Taxed 19%").fill("20% (VAT on Income)");
  await page.getByRole("button", { name: "Save" }).last().click();
  await page.locator("main").getByText("Saved.").waitFor();
  const xero = await take("Download for Xero");
  expect(xero.lines).toHaveLength(3);
  expect(xero.lines[1]).toStartWith("'=1+1,ap@globex.example,");
  expect(xero.lines[1]).toEndWith(",200,20% (VAT on Income),228.00,,,,,EUR,");
});

test("a tax that only old invoices have gets a field once its file is asked for", async () => {
  const book = { description: "Book", quantity: 1, unit_price: "10.00", tax_rate: "7" };
  await till.createInvoice({
    line_items: [book],
    send_now: true,
    currency: "EUR",
    rate: "1",
    issue_date: "2026-03-01",
  });
  for (let i = 0; i < 500; i++) storeInvoice(till.db, { issueDate: "2026-04-01" });
  const page = await browser.newPage({ locale: "en-GB" });
  await page.goto(`${till.baseUrl}/desk/settings/books?from=2026-03-01&to=2026-03-31`);
  const field = page.getByLabel("Taxed 7%");
  expect(await field.count()).toBe(0);
  await page.getByRole("button", { name: "Download for Xero" }).click();
  await field.fill("5% (VAT on Income)");
  await page.getByRole("button", { name: "Save" }).last().click();
  await page.locator("main").getByText("Saved.").waitFor();
  expect(await field.inputValue()).toBe("5% (VAT on Income)");
});

test("files open in the spreadsheet of the desk's language, until somebody chooses another", async () => {
  const page = await browser.newPage({ locale: "de-DE" });
  const sums = async (locale: string) => {
    const headers = { "accept-language": locale };
    const answer = await fetch(`${till.baseUrl}/desk/settings/books/tax-sums.csv?to=2026-01-31`, { headers });
    return (await answer.text()).split("\r\n")[1];
  };
  const point = "standard,19.00,EUR,1,1200.00,228.00,0,0";
  const comma = 'standard;"19,00";EUR;1;"1200,00";"228,00";0;0';
  expect([await sums("en"), await sums("ja"), await sums("de"), await sums("pt-BR")]).toEqual([
    ...[point, point],
    ...[comma, comma],
  ]);
  const list = (path: string) =>
    fetch(`${till.baseUrl}/desk/${path}.csv`, { headers: { "accept-language": "fr" } }).then((answer) =>
      answer.text(),
    );
  expect(await list("invoices")).toContain(';EUR;"1428,00";');
  expect(await list("customers")).toContain(";USDC;");
  expect(await list("settings/books/xero")).toStartWith("*ContactName,EmailAddress,");

  await page.goto(`${till.baseUrl}/desk/settings/books`);
  const choice = page.getByLabel("Spalten und Dezimalzahlen");
  expect(await choice.inputValue()).toBe("comma");
  await choice.selectOption("point");
  await page.getByRole("button", { name: "Speichern" }).first().click();
  await page.locator("main").getByText("Gespeichert.").waitFor();
  expect(await choice.inputValue()).toBe("point");
  expect(await sums("de")).toBe(point);
  await choice.selectOption("swiss");
  await page.getByRole("button", { name: "Speichern" }).first().click();
  await page.locator("main").getByText("Gespeichert.").waitFor();
  expect(await choice.inputValue()).toBe("swiss");
  expect(await sums("en")).toBe(point.replaceAll(",", ";"));
  await choice.selectOption("comma");
  await page.getByRole("button", { name: "Speichern" }).first().click();
  await page.locator("main").getByText("Gespeichert.").waitFor();
  expect(await sums("en")).toBe(comma);
});
