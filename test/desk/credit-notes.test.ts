import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { axeViolations } from "../support/browser/axe.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { phone, sidewaysPx } from "../support/browser/stage.ts";
import { businessRequest, invoiceRequest, startTestTill, type TestTill } from "../support/till/till.ts";

let browser: Browser;
let till: TestTill;
beforeAll(async () => {
  browser = await startBrowser();
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
});
afterAll(async () => {
  await browser.close();
  await till.stop();
});

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
  const lacks = html.slice(html.indexOf("The invoice of this credit note says too little"));
  expect(lacks).toContain("<li>");
  expect(await pageOf(`credit-notes/${plain.number}/e-invoice?format=cii`)).toContain("says too little");
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

test("the list shows fifty at a time, of a search too, and its CSV has them all", async () => {
  const { invoice } = await credit({ vendor_name: "Zahlreich GmbH" }, { amounts: [{ amount: "0.01" }] });
  const path = `/api/invoices/${invoice}/credit-notes`;
  const made = [];
  for (let each = 0; each < 60; each++)
    made.push(
      (await till.api("POST", path, { reason: "=1+1", amounts: [{ amount: "0.01" }] })).body
        .credit_note_number,
    );
  for (const query of ["", "q=zahlreich"]) {
    const first = await pageOf(`credit-notes?${query}`);
    expect(numbersOn(first)).toEqual(made.slice(-50).reverse());
    const older = /href="([^"]*)" rel="next"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await (await fetch(`${till.baseUrl}${older}`)).text();
    expect(numbersOn(second).slice(0, 10)).toEqual(made.slice(0, 10).reverse());
    if (query !== "") expect(second).not.toContain('rel="next"');
  }
  expect(await pageOf("credit-notes?q=zahlreich")).toContain('href="/desk/credit-notes.csv?q=zahlreich"');
  const file = await get("credit-notes.csv?q=zahlreich");
  expect(file.headers.get("content-disposition")).toMatch(/filename="credit-notes-\d{4}-\d\d-\d\d\.csv"/);
  const [head, newest, ...rest] = (await file.text()).trimEnd().split("\r\n");
  expect(head).toStartWith("credit_note_number,issue_date,invoice_number,");
  expect(newest).toMatch(new RegExp(`^${made.at(-1)},[\\d-]+,${invoice},.*,'=1\\+1,USDC,0\\.01,`));
  expect(rest).toHaveLength(60);
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
  expect(shown).toContain("−238.00");
  expect(shown).toContain("1,904.00");
});
