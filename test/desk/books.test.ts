import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { files } from "../../src/desk/shop/books-files.ts";
import { browser, till, useTill } from "../support/browser/setup.ts";
import { readExtf } from "../support/till/extf.ts";
import { pay, withdraw } from "../support/till/moves.ts";
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

const save = (page: Page, form: string) =>
  page.locator(`form[action$="${form}"] .actions button.button-quiet`).last();

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
  await page.getByLabel("From", { exact: true }).fill("2026-01-01");
  await page.getByLabel("To", { exact: true }).fill("2026-01-31");
  const invoices = await take("Invoices: CSV");
  expect(invoices.file).toBe("invoices-2026-01-01-2026-01-31.csv");
  expect(invoices.lines).toHaveLength(2);
  expect(invoices.lines[1]).toContain("INV-0001");
  const sums = await take("Tax sums: CSV");
  expect(sums.lines.slice(1)).toEqual(["standard,19.00,EUR,1,1200.00,228.00,0,0,,,0,supply"]);

  await page.getByRole("button", { name: "Download for Xero" }).click();
  await page.locator("#faults").waitFor();
  expect(await page.locator("#faults a").allTextContents()).toEqual([
    "Sales account: Enter what Xero calls it.",
    "Taxed 19%: Enter what Xero calls it.",
  ]);
  expect(await page.getByLabel("From", { exact: true }).inputValue()).toBe("2026-01-01");
  await page.getByLabel("Sales account", { exact: true }).fill("200");
  await page.getByLabel("Taxed 19%", { exact: true }).fill("20% (VAT on Income)");
  await save(page, "/books").click();
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
  const field = page.getByLabel("Taxed 7%", { exact: true });
  expect(await field.count()).toBe(0);
  await page.getByRole("button", { name: "Download for Xero" }).click();
  await field.fill("5% (VAT on Income)");
  await save(page, "/books").click();
  await page.locator("main").getByText("Saved.").waitFor();
  expect(await field.inputValue()).toBe("5% (VAT on Income)");
});

test("a file is looked at before it is downloaded: its first rows, and what they come to", async () => {
  const invoice = till.db.query<{ deposit_index: bigint }, []>("SELECT deposit_index FROM invoice").get();
  const deposit = Number(invoice?.deposit_index ?? -1n);
  const at = (day: string) => Date.parse(`${day}T10:00:00Z`);
  pay(till.db, deposit, 1_234_500_000n, at("2026-05-01"), { rate: "0.86" });
  pay(till.db, deposit, 500_001n, at("2026-05-02"));
  pay(till.db, deposit, 9_000_000n, at("2026-05-02"), { isConfirmed: false });
  for (let i = 0; i < 12; i++) withdraw(till.db, "1.50", at("2026-05-03"));
  const page = await browser.newPage({ locale: "en-GB" });
  await page.goto(`${till.baseUrl}/desk/settings/books`);
  await page.getByLabel("From", { exact: true }).fill("2026-05-01");
  await page.getByRole("button", { name: "Payments: Preview" }).click();
  await page.getByRole("heading", { name: "Payments" }).waitFor();
  const facts = () => page.locator(".file-sums .facts-line").allInnerTexts();
  const spaced = async () => (await facts()).map((text) => text.replace(/\s+/g, " "));
  expect(await spaced()).toEqual(["Rows 3", "amount 1,235.000001 USDC", "fiat_value 1,061.67 EUR"]);
  expect(await page.getByText("Since 1 May 2026").count()).toBe(1);
  expect(await page.locator(".raw tbody tr").count()).toBe(3);
  expect(await page.locator(".raw thead th").allTextContents()).not.toContain("block_time");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download" }).click(),
  ]);
  const text = await Bun.file((await download.path()) ?? "").text();
  expect(text.trimEnd().split("\r\n")).toHaveLength(4);

  await page.getByRole("link", { name: "Bookkeeping" }).click();
  expect(await page.getByLabel("From", { exact: true }).inputValue()).toBe("2026-05-01");
  expect(await page.getByRole("button", { name: "Withdrawals: Preview" }).count()).toBe(0);
  await page.getByText("All files", { exact: true }).click();
  await page.getByRole("button", { name: "Withdrawals: Preview" }).click();
  await page.getByRole("heading", { name: "Withdrawals" }).waitFor();
  expect(await spaced()).toEqual(["Rows 12", "amount 18.00 USDC"]);
  expect(await page.locator(".raw tbody tr").count()).toBe(10);
  const get = (path: string) => fetch(`${till.baseUrl}/desk/settings/books/${path}`);
  expect((await get("nothing")).status).toBe(404);
  const links = await (await get("links?from=2026-05-01&to=2026-05-02")).text();
  expect(links).toContain("There is nothing in these days.");
  for (const { name } of files) expect([name, (await get(name)).status]).toEqual([name, 200]);
  // Days the wrong way round are no empty file.
  for (const path of ["payments", "payments.csv", "datev.csv"]) {
    const turned = await get(`${path}?from=2026-05-31&to=2026-05-01`);
    expect(turned.headers.get("content-type")).toContain("text/html");
    expect(await turned.text()).toContain("The last day is before the first.");
  }
  await page.goto(`${till.baseUrl}/desk/settings/books`);
  await page.getByRole("link", { name: "Last month" }).click();
  const [from, to] = await Promise.all(
    ["From", "To"].map((label) => page.getByLabel(label, { exact: true }).inputValue()),
  );
  expect(from).toBe(`${to?.slice(0, 7)}-01`);
  expect((to ?? "") < new Date().toISOString().slice(0, 8)).toBe(true);
});

test("bookings for DATEV need numbers and days, which the form asks for, and are a file as DATEV has it", async () => {
  const page = await browser.newPage({ locale: "en-GB" });
  await page.goto(`${till.baseUrl}/desk/settings/books`);
  await page.getByRole("button", { name: "Download for DATEV" }).click();
  await page.locator("#faults").waitFor();
  expect(await page.locator("#faults a").allTextContents()).toEqual([
    expect.stringContaining("in one fiscal year"),
  ]);
  await page.getByLabel("From", { exact: true }).fill("2026-01-01");
  await page.getByLabel("To", { exact: true }).fill("2026-01-31");
  await page.getByRole("button", { name: "DATEV: Preview" }).click();
  await page.locator("#faults").waitFor();
  const asked = (await page.locator("#faults a").allTextContents()).map((text) => text.split(":")[0]);
  expect(asked).toEqual([
    "Consultant number",
    "Client number",
    "Account for USDC",
    "Account for customers",
    "Taxed 19%",
  ]);
  for (const [label, code] of [
    ["Consultant number", "29098"],
    ["Client number", "55003"],
    ["Account for USDC", "1460"],
    ["Account for customers", "10000"],
    ["Sales account: Taxed 19%", "8400"],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(code);
  await save(page, "/datev-codes").click();
  await page.locator("main").getByText("Saved.").waitFor();
  expect(await page.getByLabel("Sales account: Taxed 19%").inputValue()).toBe("8400");
  const days = "from=2026-01-01&to=2026-01-31";
  const answer = await fetch(`${till.baseUrl}/desk/settings/books/datev.csv?${days}`);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=windows-1252");
  expect(answer.headers.get("content-disposition")).toContain(
    'filename="EXTF_Buchungsstapel-2026-01-01-2026-01-31.csv"',
  );
  const { bookings } = readExtf(await answer.bytes());
  expect(bookings).toMatchObject([
    { "Umsatz (ohne Soll/Haben-Kz)": "1428,00", Buchungstext: "INV-0001 =1+1" },
  ]);

  await page.goto(`${till.baseUrl}/desk/settings/books/datev?from=2026-05-01&to=2026-05-31`);
  const notices = await page.locator(".notice").allTextContents();
  expect(notices).toEqual([
    "Bookings left out, because their value in EUR was not recorded: 1",
    "Withdrawals left out, because no account for money in transit is saved: 12",
  ]);
  expect(await page.locator(".raw tbody tr").count()).toBe(1);
});

test("files open in the spreadsheet of the desk's language, until somebody chooses another", async () => {
  const page = await browser.newPage({ locale: "de-DE" });
  const sums = async (locale: string) => {
    const headers = { "accept-language": locale };
    const answer = await fetch(`${till.baseUrl}/desk/settings/books/tax-sums.csv?to=2026-01-31`, { headers });
    return (await answer.text()).split("\r\n")[1];
  };
  const point = "standard,19.00,EUR,1,1200.00,228.00,0,0,,,0,supply";
  const comma = 'standard;"19,00";EUR;1;"1200,00";"228,00";0;0;;;0;supply';
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
  await save(page, "/spreadsheet").click();
  await page.locator("main").getByText("Gespeichert.").waitFor();
  expect(await choice.inputValue()).toBe("point");
  expect(await sums("de")).toBe(point);
  await choice.selectOption("swiss");
  await save(page, "/spreadsheet").click();
  await page.locator("main").getByText("Gespeichert.").waitFor();
  expect(await choice.inputValue()).toBe("swiss");
  expect(await sums("en")).toBe(point.replaceAll(",", ";"));
  await choice.selectOption("comma");
  await save(page, "/spreadsheet").click();
  await page.locator("main").getByText("Gespeichert.").waitFor();
  expect(await sums("en")).toBe(comma);
});

test("the page begins with what everybody wants, and sends nobody to a variable", async () => {
  const other = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
  const page = await browser.newPage({ locale: "en-GB" });
  await page.goto(`${other.baseUrl}/desk/settings/books`);
  expect(await page.getByRole("button", { name: /: CSV$/ }).allTextContents()).toHaveLength(4);
  expect(await page.getByRole("button", { name: "Save" }).count()).toBe(2);
  expect(await page.locator("main").textContent()).not.toContain("TILL_");
  await page.getByRole("link", { name: "Currency and rates" }).click();
  await page.getByLabel("Currency of your books").waitFor();
  await other.stop();
});
