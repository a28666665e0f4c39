import { expect, test } from "bun:test";
import * as CreditNoteStore from "../../src/store/tables/invoicing/credit-note.ts";
import { axeViolations } from "../support/browser/axe.ts";
import { browser, till, useTill } from "../support/browser/setup.ts";
import { phone, sidewaysPx } from "../support/browser/stage.ts";
import { businessRequest, invoiceRequest } from "../support/till/till.ts";

useTill();

async function credit(invoice: object, body: object = {}) {
  const made = await till.api("POST", "/api/invoices", { ...invoiceRequest, send_now: false, ...invoice });
  const path = `/api/invoices/${made.body.invoice_id}/credit-notes`;
  const { body: note } = await till.api("POST", path, { reason: "Sent back", ...body });
  return { invoice: made.body.invoice_number as string, number: note.credit_note_number as string, note };
}
const get = (path: string) => fetch(`${till.baseUrl}/desk/${path}`);
const pageOf = async (path: string) => (await get(path)).text();
const numbersOn = (html: string) =>
  [...html.matchAll(/class="name"[^>]*><bdi>([^<]+)</g)].map(([, name]) => name);
const found = async (query: string) => numbersOn(await pageOf(`credit-notes?q=${encodeURIComponent(query)}`));

test("a credit note has a page with its e-invoices, or with what its invoice lacks for one", async () => {
  const { number, note, invoice } = await credit(businessRequest, { lines: [{ line: 1, quantity: 1 }] });
  const page = await browser.newPage();
  await page.goto(`${till.baseUrl}/desk/invoices/${invoice}`);
  await page.click(`#credit-notes >> text=${number}`);
  await page.waitForURL(`**/desk/credit-notes/${number}`);
  const main = await page.locator("main").textContent();
  for (const part of [`Credit note ${number}`, "Sent back", "Design", note.total_amount, invoice])
    expect(main).toContain(part);
  expect(await axeViolations(page)).toEqual([]);
  const unit = page.locator("main tfoot", { hasText: "Total" }).getByText("(EUR)");
  expect(await unit.isVisible()).toBe(false);
  expect(await sidewaysPx(page, phone)).toBe(0);
  await page.setViewportSize(phone);
  expect(await unit.isVisible()).toBe(true);
  for (const format of ["factur-x", "cii", "ubl"]) {
    const href = await page.locator(`a[href$="/e-invoice?format=${format}"]`).getAttribute("href");
    const file = await fetch(`${till.baseUrl}${href}`);
    expect(file.headers.get("content-disposition")).toContain(number);
    if (format !== "factur-x") expect(await file.text()).toContain(note.total_amount);
  }
  await page.close();

  const plain = await credit({}, { amounts: [{ amount: "1.00" }] });
  const html = await pageOf(`credit-notes/${plain.number}`);
  expect(html).not.toContain("format=");
  expect(html).not.toContain("Quantity");
  expect(html).toContain("Amount (USDC)");
  const lacks = html.slice(html.indexOf("This credit note cannot be an e-invoice"));
  expect(lacks).toContain("<li>");
  expect(await pageOf(`credit-notes/${plain.number}/e-invoice?format=cii`)).toContain(
    "cannot be an e-invoice",
  );
  expect((await get("credit-notes/CN-9999")).status).toBe(404);
});

test("credit notes are found by their number, their invoice's, the customer and the amount", async () => {
  const linde = { vendor_name: "Hotel Linde", vendor_email: "pay@linde.example", reference: "PO-77" };
  const { number, invoice } = await credit(
    { ...linde, currency: "EUR", rate: "0.5" },
    { amounts: [{ amount: "123.45" }] },
  );
  await credit({ vendor_name: "Café Morgenrot" });
  for (const query of [
    number,
    String(Number(number.replace("CN-", ""))),
    invoice.toLowerCase(),
    "linde hot",
    "pay@linde",
    "po-77",
    "123.45",
    "123.45 EUR",
  ])
    expect([query, await found(query)]).toEqual([query, [number]]);
  expect(await found("morgenrot linde")).toEqual([]);
  const nothing = await pageOf("credit-notes?q=%3Cb%3Enobody");
  expect(nothing).toContain("Nothing found for “&lt;b&gt;nobody”");
  expect(nothing).toContain("Show all credit notes");
});

test("what is left of an invoice in EUR is said in EUR, and what is left to pay of it in USDC", async () => {
  const lines = [{ description: "Design", quantity: 10, unit_price: "100.00", tax_rate: "19" }];
  const inEuros = { currency: "EUR", rate: "0.5", line_items: lines };
  const { invoice } = await credit(inEuros, { lines: [{ line: 1, quantity: 2 }] });
  const form = await pageOf(`invoices/${invoice}/credit`);
  expect(form).toContain("All that is left: 952.00 EUR");
  expect(form).toContain("at most 8");
  expect(form).toContain("at most 952.00");
  const shown = (await pageOf(`invoices/${invoice}`)).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(shown).toMatch(/Credited \(EUR\) −238.00/);
  expect(shown).toContain("1,904.00");
});

test("the list shows those of chosen days, of a search too, page by page, and its CSV has them all", async () => {
  const vendor = { vendor_name: "Kalender AG" };
  const { number, invoice } = await credit(vendor, { reason: "=1+1", amounts: [{ amount: "0.01" }] });
  const one = CreditNoteStore.byNumber(till.db, number);
  if (one === null) throw new Error(`${number} is not there`);
  // The clock was set back once.
  const days = ["2026-02-01", ...Array.from({ length: 55 }, () => "2026-01-31"), "2026-02-28", "2026-01-01"];
  const made = days.map((issueDate, i) => {
    const sequence = one.sequence + 1 + i;
    const name = `CN-${String(sequence).padStart(4, "0")}`;
    CreditNoteStore.insert(till.db, { ...one, sequence, number: name, id: crypto.randomUUID(), issueDate });
    return name;
  });
  const between = (from: string, to: string) => `credit-notes?q=kalender&from=${from}&to=${to}`;
  expect(numbersOn(await pageOf(between("2026-02-01", "2026-02-28")))).toEqual([
    made[56] ?? "",
    made[0] ?? "",
  ]);
  expect(numbersOn(await pageOf("credit-notes?to=2026-01-01"))).toEqual(made.slice(57));

  for (const query of ["q=kalender&", ""]) {
    const first = await pageOf(`credit-notes?${query}to=2026-01-31`);
    const older = /href="([^"]*)" rel="next"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await (await fetch(`${till.baseUrl}${older}`)).text();
    const january = [...made.slice(1, 56).reverse(), ...made.slice(57)];
    expect([...numbersOn(first), ...numbersOn(second)]).toEqual(january);
    expect(numbersOn(first)).toHaveLength(50);
    expect(second).not.toContain('rel="next"');
    const csv = /href="([^"]*credit-notes\.csv[^"]*)"/.exec(second)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const file = await fetch(`${till.baseUrl}${csv}`);
    expect(file.headers.get("content-disposition")).toMatch(/filename="credit-notes-\S+\.csv"/);
    const [head, ...rows] = (await file.text()).trimEnd().split("\r\n");
    expect(head).toStartWith("credit_note_number,issue_date,invoice_number,");
    const january31 = new RegExp(`^${made[55]},2026-01-31,${invoice},.*,'=1\\+1,USDC,0\\.01,`);
    expect(rows[0]).toMatch(january31);
    expect(rows.map((row) => row.slice(0, row.indexOf(",")))).toEqual(january);
  }

  const month = () => new Date().toISOString().slice(0, 7);
  const before = month();
  const menu = await pageOf("credit-notes?q=kalender");
  const [, from] = /href="\/desk\/credit-notes\?q=kalender&amp;from=(\d{4}-\d\d)-01"/.exec(menu) ?? [];
  expect([before, month()]).toContain(from ?? "");
  expect(menu).toContain('<form id="days" action="/desk/credit-notes"><input type="hidden" name="q"');
  const none = await pageOf("credit-notes?from=2025-01-01&to=2025-12-31");
  expect(none).toContain("No credit note was issued on these days.");
  expect(none).toContain("Show all credit notes");
});

test("the list of invoices shows what credit notes have left to pay beside the total, and what they took off what is paid", async () => {
  const of = { vendor_email: "rest@haus.example" };
  const { invoice } = await credit(of, { amounts: [{ amount: "400.00" }] });
  const amountsOn = async () => {
    const row = (await pageOf("invoices?q=rest@haus")).split("<tbody")[1]?.split("</tbody>")[0] ?? "";
    return row.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  };
  expect(await amountsOn()).toContain("1,500.00 1,100.00 left");
  expect(await pageOf("customers?q=rest@haus")).toContain("Open: 1,100.00");
  await till.api("POST", `/api/invoices/${invoice}/mark`, { as: "paid" });
  expect(await amountsOn()).toContain("1,500.00 Credited: 400.00");
});

test("at which rate an invoice is billed stands beside what it is in USDC", async () => {
  const { invoice } = await credit({ currency: "EUR", rate: "0.5" }, { amounts: [{ amount: "400.00" }] });
  const rowOf = async () =>
    /<tr[^>]*>(?:(?!<\/tr>).)*1 USDC = 0\.5 EUR.*?<\/tr>/s.exec(await pageOf(`invoices/${invoice}`))?.[0] ??
    "";
  expect(await rowOf()).toContain("2,200.00");
  await till.api("POST", `/api/invoices/${invoice}/void`, { reason: "Twice" });
  expect(await rowOf()).toContain("3,000.00");
});
