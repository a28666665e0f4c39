import { beforeAll, expect, test } from "bun:test";
import { files } from "../../src/desk/shop/books-files.ts";
import { type Walk, walk } from "../support/desk/walk.ts";
import { shared } from "../support/per-file.ts";
import { readExtf } from "../support/till/extf.ts";
import { pay, withdraw } from "../support/till/moves.ts";
import { storeInvoice } from "../support/till/records.ts";
import { startTestTill } from "../support/till/till.ts";

const noNode = { rpcUrl: "http://127.0.0.1:9" };
const till = shared(() => startTestTill(noNode, { TILL_BOOKKEEPING_CURRENCY: "EUR", TILL_RATES: "off" }));
beforeAll(async () => {
  const line = { description: "Design", quantity: 10, unit_price: "120.00", tax_rate: "19" };
  const changes = { send_now: true, currency: "EUR", rate: "0.8607", line_items: [line] };
  await till.createInvoice({ ...changes, issue_date: "2026-01-31", vendor_name: "=1+1" });
  await till.createInvoice({ ...changes, issue_date: "2026-02-01" });
});

async function open(days = ""): Promise<Walk> {
  const desk = walk(till);
  await desk.open(`/desk/settings/books${days}`);
  return desk;
}
/** Takes a file away: its name, and its lines. */
async function take(desk: Walk, name: string) {
  const file = desk.copy();
  await file.press(name);
  const [, as] = /filename="([^"]+)"/.exec(file.headers.get("content-disposition") ?? "") ?? [];
  return { file: as, lines: file.html.trimEnd().split("\r\n") };
}

test("a bookkeeper takes away the files of some days, and names the codes that Xero's wants first", async () => {
  const desk = await open();
  desk.fill({ from: "2026-01-01", to: "2026-01-31" });
  const invoices = await take(desk, "Invoices: CSV");
  expect(invoices.file).toBe("invoices-2026-01-01-2026-01-31.csv");
  expect(invoices.lines).toHaveLength(2);
  expect(invoices.lines[1]).toContain("INV-0001");
  const sums = await take(desk, "Tax sums: CSV");
  expect(sums.lines.slice(1)).toEqual(["standard,19.00,EUR,1,1200.00,228.00,0,0,,,0,supply"]);

  await desk.press("Download for Xero");
  expect(desk.texts("#faults a")).toEqual([
    "Sales account: Enter what Xero calls it.",
    "Taxed 19%: Enter what Xero calls it.",
  ]);
  expect(desk.value("from")).toBe("2026-01-01");
  desk.fill({ account: "200", "tax standard 19.00": "20% (VAT on Income)" });
  await desk.press("Save", "/books");
  expect(desk.text()).toContain("Saved.");
  const xero = await take(desk, "Download for Xero");
  expect(xero.lines).toHaveLength(3);
  expect(xero.lines[1]).toStartWith("'=1+1,ap@globex.example,");
  expect(xero.lines[1]).toEndWith(",200,20% (VAT on Income),228.00,,,,,EUR,");
});

test("a tax that only old invoices have gets a field once its file is asked for", async () => {
  const book = { description: "Book", quantity: 1, unit_price: "10.00", tax_rate: "7" };
  const inEuros = { line_items: [book], send_now: true, currency: "EUR", rate: "1" };
  await till.createInvoice({ ...inEuros, issue_date: "2026-03-01" });
  for (let i = 0; i < 500; i++) storeInvoice(till.db, { issueDate: "2026-04-01" });
  const desk = await open("?from=2026-03-01&to=2026-03-31");
  expect(desk.value("tax standard 7.00")).toBeNull();
  await desk.press("Download for Xero");
  desk.fill({ "tax standard 7.00": "5% (VAT on Income)" });
  await desk.press("Save", "/books");
  expect(desk.text()).toContain("Saved.");
  expect(desk.value("tax standard 7.00")).toBe("5% (VAT on Income)");
});

test("a file is looked at before it is downloaded: its first rows, and what they come to", async () => {
  const invoice = till.db.query<{ deposit_index: bigint }, []>("SELECT deposit_index FROM invoice").get();
  const deposit = Number(invoice?.deposit_index ?? -1n);
  const at = (day: string) => Date.parse(`${day}T10:00:00Z`);
  pay(till.db, deposit, 1_234_500_000n, at("2026-05-01"), { rate: "0.86" });
  pay(till.db, deposit, 500_001n, at("2026-05-02"));
  pay(till.db, deposit, 9_000_000n, at("2026-05-02"), { isConfirmed: false });
  for (let i = 0; i < 12; i++) withdraw(till.db, "1.50", at("2026-05-03"));
  const desk = await open();
  desk.fill({ from: "2026-05-01" });
  await desk.press("Payments: Preview");
  const sums = () => desk.texts(".file-sums .facts-line");
  expect(sums()).toEqual(["Rows3", "amount1,235.000001 USDC", "fiat_value1,061.67 EUR"]);
  expect(desk.text()).toContain("Since 1 May 2026");
  expect(desk.texts(".raw tbody tr")).toHaveLength(3);
  expect(desk.texts(".raw thead th")).not.toContain("block_time");
  expect((await take(desk, "Download")).lines).toHaveLength(4);

  await desk.press("Bookkeeping");
  expect(desk.value("from")).toBe("2026-05-01");
  await desk.press("Withdrawals: Preview");
  expect(sums()).toEqual(["Rows12", "amount18.00 USDC"]);
  expect(desk.texts(".raw tbody tr")).toHaveLength(10);
  const get = (path: string) => desk.open(`/desk/settings/books/${path}`);
  await get("nothing");
  expect(desk.status).toBe(404);
  await get("links?from=2026-05-01&to=2026-05-02");
  expect(desk.text()).toContain("There is nothing in these days.");
  for (const { name } of files) {
    await get(name);
    expect([name, desk.status]).toEqual([name, 200]);
  }
  // Days the wrong way round are no empty file.
  for (const path of ["payments", "payments.csv", "datev.csv"]) {
    await get(`${path}?from=2026-05-31&to=2026-05-01`);
    expect(desk.headers.get("content-type")).toContain("text/html");
    expect(desk.text()).toContain("The last day is before the first.");
  }
  await desk.open("/desk/settings/books");
  await desk.press("Last month");
  const [from, to] = [desk.value("from"), desk.value("to") ?? ""];
  expect(from).toBe(`${to.slice(0, 7)}-01`);
  expect(to < new Date().toISOString().slice(0, 8)).toBe(true);
});

test("sums have what counts: what is void and was credited on its own day, but no note of what is void without", async () => {
  const make = (unit_price: string, tax: object) =>
    till.createInvoice({
      ...{ issue_date: "2026-06-10", send_now: true },
      line_items: [{ description: "Design", quantity: 1, unit_price, ...tax }],
    });
  const voided = async (id = "") => till.api("POST", `/api/invoices/${id}/void`, { reason: "No" });
  const taxed = await make("100.00", { tax_rate: "19" });
  expect((await voided(taxed["invoice_id"])).status).toBe(200);
  const part = await make("50.00", {});
  const note = { reason: "Less", amounts: [{ amount: "20.00" }] };
  await till.api("POST", `/api/invoices/${part["invoice_id"]}/credit-notes`, note);
  expect((await voided(part["invoice_id"])).status).toBe(200);
  const desk = walk(till);
  const sums = async (file: string) => {
    await desk.open(`/desk/settings/books/${file}`);
    return desk.texts(".file-sums .facts-line");
  };
  expect(await sums("invoices?from=2026-06-01&to=2026-06-30")).toContain("total_amount119.00 USDC");
  expect(await sums("credit-notes")).toContain("total_amount119.00 USDC");
  expect(await sums("taxes?from=2026-06-01&to=2026-06-30")).toContain("tax_amount19.00 USDC");
});

test("bookings for DATEV need numbers and days, which the form asks for, and are a file as DATEV has it", async () => {
  const desk = await open();
  await desk.press("Download for DATEV");
  expect(desk.texts("#faults a")).toEqual([expect.stringContaining("in one fiscal year")]);
  desk.fill({ from: "2026-01-01", to: "2026-01-31" });
  await desk.press("DATEV: Preview");
  expect(desk.texts("#faults a").map((text) => text.split(":")[0])).toEqual([
    "Consultant number",
    "Client number",
    "Account for USDC",
    "Account for customers",
    "Taxed 19%",
  ]);
  const sales = "datev standard 19.00";
  desk.fill({ consultant: "29098", client: "55003", usdc: "1460", debtor: "10000", [sales]: "8400" });
  await desk.press("Save", "/datev-codes");
  expect(desk.text()).toContain("Saved.");
  expect(desk.value(sales)).toBe("8400");
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

  await desk.open("/desk/settings/books/datev?from=2026-05-01&to=2026-05-31");
  expect(desk.texts(".notice")).toEqual([
    "Bookings left out, because their value in EUR was not recorded: 1",
    "Withdrawals left out, because no account for money in transit is saved: 12",
  ]);
  expect(desk.texts(".raw tbody tr")).toHaveLength(1);
});

test("files open in the spreadsheet of the desk's language, until somebody chooses another", async () => {
  const fileOf = async (path: string, language: string) => {
    const desk = walk(till, { language });
    await desk.open(`/desk/${path}`);
    return desk.html;
  };
  const sums = async (language: string) =>
    (await fileOf("settings/books/tax-sums.csv?to=2026-01-31", language)).split("\r\n")[1];
  const point = "standard,19.00,EUR,1,1200.00,228.00,0,0,,,0,supply";
  const comma = 'standard;"19,00";EUR;1;"1200,00";"228,00";0;0;;;0;supply';
  for (const [language, line] of [
    ["en", point],
    ["ja", point],
    ["de", comma],
    ["pt-BR", comma],
  ] as const)
    expect([language, await sums(language)]).toEqual([language, line]);
  expect(await fileOf("invoices.csv", "fr")).toContain(';EUR;"1428,00";');
  expect(await fileOf("customers.csv", "fr")).toContain(";USDC;");
  expect(await fileOf("settings/books/xero.csv", "fr")).toStartWith("*ContactName,EmailAddress,");

  const desk = walk(till, { language: "de" });
  await desk.open("/desk/settings/books");
  expect(desk.value("decimals")).toBe("comma");
  for (const [decimals, language, line] of [
    ["point", "de", point],
    ["swiss", "en", point.replaceAll(",", ";")],
    ["comma", "en", comma],
  ] as const) {
    desk.fill({ decimals });
    await desk.press("Speichern", "/spreadsheet");
    expect(desk.text()).toContain("Gespeichert.");
    expect(desk.value("decimals")).toBe(decimals);
    expect(await sums(language)).toBe(line);
  }
});

test("the page begins with what everybody wants, and sends nobody to a variable", async () => {
  await using other = await startTestTill(noNode);
  const desk = walk(other);
  await desk.open("/desk/settings/books");
  const shown = desk.html.replaceAll(/<details.*?<\/details>/gs, "");
  expect(shown.match(/aria-label="[^"]*: CSV"/g)).toHaveLength(4);
  expect(shown.match(/>Save<\/button>/g)).toHaveLength(2);
  expect(desk.text()).not.toContain("TILL_");
  await desk.press("Currency and rates");
  expect(desk.texts("label")).toContain("Currency of your books");
});
