import { expect, test } from "bun:test";
import { axeViolations } from "../support/browser/axe.ts";
import { browser, till, useTill } from "../support/browser/setup.ts";
import { phone, sidewaysPx } from "../support/browser/stage.ts";
import { invoiceRequest, until } from "../support/till/till.ts";

useTill();

const inEuros = {
  currency: "EUR",
  rate: "0.8",
  line_items: [
    { description: "Gestaltung", quantity: 10, unit: "Std.", unit_price: "100.00", tax_rate: "19" },
    { description: "Buch", quantity: 3, unit_price: "33.33", tax_rate: "7" },
  ],
};
const creditMails = (number: string) =>
  till.mail
    .list()
    .filter(({ subject, text }) => subject.startsWith("Credit note CN-") && text.includes(number));

test("lines, an amount and the rest are credited at the desk, each after its sum was shown", async () => {
  const context = await browser.newContext({ locale: "de-DE" });
  const page = await context.newPage();
  const made = await till.api("POST", "/api/invoices", { ...invoiceRequest, ...inEuros });
  const { invoice_id: id, invoice_number: number } = made.body;
  const notes = async () => (await till.api("GET", `/api/invoices/${id}/credit-notes`)).body.data;
  const textOf = async (selector: string) => (await page.locator(selector).textContent())?.trim() ?? "";
  const at = `${till.baseUrl}/desk/invoices/${number}`;
  const check = async () => {
    await page.click("text=Summe prüfen");
    await page.waitForURL(/credit\/check$/);
  };

  await page.goto(at);
  await page.click(".menu summary");
  await page.click("text=Korrigieren\u00a0…");
  await page.waitForSelector(".credit-form");
  await page.check('[name="kind"][value="lines"]');
  await page.fill("#quantity-0", "10,5");
  await check();
  expect(await textOf("#quantity-0-fault")).toBe("Gestaltung: höchstens 10");
  await page.fill("#reason", "Zwei Stunden zu viel");
  await page.fill("#quantity-0", "2,5");
  await check();
  expect(await textOf(".credit-sum")).toContain("297,50");
  // 297.50 EUR at 0.8.
  const shown = await textOf("#effect");
  expect(await axeViolations(page)).toEqual([]);
  expect(await sidewaysPx(page, phone)).toBe(0);
  expect(await notes()).toEqual([]);

  // What was typed stays, and what is shown is what is made.
  await page.click("text=Zurück");
  expect(await page.inputValue("#quantity-0")).toBe("2,5");
  await check();
  await page.locator('[name="mail"]').setChecked(true);
  await page.click("text=Rechnungskorrektur erstellen");
  await page.waitForSelector("#credit-notes");
  expect(await notes()).toMatchObject([
    { reason: "Zwei Stunden zu viel", total_amount: "297.50", currency: "EUR" },
  ]);
  const { due_amount } = (await till.api("GET", `/api/invoices/${id}`)).body;
  expect(due_amount).toMatch(/^1249\.\d\d$/);
  const due = due_amount.replace("1249.", "1.249,");
  expect(shown).toBe(`Der Kunde hat dann noch ${due} USDC zu zahlen.`);
  expect(await textOf("#credit-notes")).toContain("297,50 EUR");
  expect(await textOf("#timeline")).toContain("297,50\u00a0EUR");
  await until(
    () => creditMails(number),
    (mails) => mails.length === 1,
  );
  await page.click("#credit-notes a.name");
  await page.click("text=Erneut senden");
  await page.waitForSelector("text=Die Rechnungskorrektur wurde per E-Mail gesendet.");
  expect(creditMails(number)).toHaveLength(2);

  await page.goto(`${at}/credit`);
  await page.check('[name="kind"][value="amounts"]');
  await page.fill("#amount-1", "1,07");
  await page.fill("#reason", "Kulanz");
  await check();
  // Meanwhile a program credits: what was shown is not so any more.
  await till.api("POST", `/api/invoices/${id}/credit-notes`, {
    reason: "Between",
    amounts: [{ amount: "106.00", tax_rate: "7" }],
  });
  await page.click("text=Rechnungskorrektur erstellen");
  expect(await textOf("#amount-1-fault")).toMatch(/^höchstens 0,\d\d$/);
  await page.goto(`${at}/credit`);
  await page.fill("#reason", "Alles");
  await check();
  expect(await textOf("#effect")).toContain("storniert");
  await page.locator('[name="mail"]').setChecked(false);
  await page.click("text=Rechnungskorrektur erstellen");
  await page.waitForSelector("#credit-notes");
  expect((await notes()).map(({ reason }: { reason: string }) => reason)).toEqual([
    "Zwei Stunden zu viel",
    "Between",
    "Alles",
  ]);
  expect(await page.locator(`a[href$="/credit"]`).count()).toBe(0);
  expect((await till.api("GET", `/api/invoices/${id}`)).body).toMatchObject({ status: "void" });

  await page.goto(`${till.baseUrl}/desk/invoices`);
  await page.click("#kinds >> text=Rechnungskorrekturen");
  await page.waitForURL(/credit-notes/);
  expect(await textOf("main table")).toContain(number);
  await page.click("main table a.name");
  await page.waitForSelector("aside");
  const pdf = await page.locator('main a[href$="/pdf"]').getAttribute("href");
  expect((await fetch(pdf ?? "")).headers.get("content-type")).toBe("application/pdf");
  await context.close();
});

/** The form of an invoice's credit note, and how it is sent. */
async function formOf(number: string) {
  const at = `${till.baseUrl}/desk/invoices/${number}/credit`;
  const page = await (await fetch(at)).text();
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
  const send = (fields: Record<string, string>, path = "") =>
    fetch(`${at}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: till.baseUrl },
      body: new URLSearchParams({ form: hidden("form"), key: hidden("key"), reason: "Twice", ...fields }),
    });
  return { page, send };
}

test("what was paid is said to be returned, and of what is void nothing is left", async () => {
  const { invoice_id: id, invoice_number: number = "" } = await till.createInvoice();
  await till.api("POST", `/api/invoices/${id}/mark`, { as: "paid" });
  const { send } = await formOf(number);
  const shown = await (await send({ kind: "amounts", "amount-0": "40" }, "/check")).text();
  expect(shown).toContain("40.00 USDC of it has already been paid: you can refund it afterwards.");
  expect(shown).toContain("nothing left to pay");
  expect((await send({ kind: "amounts", "amount-0": "40", seen: "40.00" })).status).toBe(303);
  const { body } = await till.api("GET", `/api/invoices/${id}/credit-notes`);
  expect(body.data).toMatchObject([{ return_usdc: "40.00", total_amount: "40.00" }]);

  const { invoice_id, invoice_number = "" } = await till.createInvoice();
  await till.api("POST", `/api/invoices/${invoice_id}/void`, { reason: "Twice" });
  expect((await formOf(invoice_number)).page).toContain("Nothing is left to credit on this invoice.");
});

test("whoever voids an invoice with tax is told first of the credit note that comes of it", async () => {
  const line = { description: "Design", quantity: 1, unit_price: "100.00", tax_rate: "19" };
  const made = await till.createInvoice({ line_items: [line], send_now: false });
  const { invoice_id: id, invoice_number: number } = made;
  const asked = async () => (await fetch(`${till.baseUrl}/desk/invoices/${number}/void`)).text();
  expect(await asked()).not.toContain("credit note");
  await till.api("POST", `/api/invoices/${id}/send`);
  expect(await asked()).toContain("Till also issues a credit note for what is left of it");
  await till.api("POST", `/api/invoices/${id}/credit-notes`, { reason: "All" });
  expect(await asked()).not.toContain("credit note with");
});

test("a form that is sent twice makes one credit note, and is told what became of it", async () => {
  const { invoice_number: number = "" } = await till.createInvoice();
  const { send: sent } = await formOf(number);
  const send = () => sent({ kind: "rest", seen: "1500.00" });
  const answers = [...(await Promise.all([send(), send()])), await send()];
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  const { body } = await till.api("GET", `/api/invoices/${number}/credit-notes`);
  expect(body.data).toHaveLength(1);
});
