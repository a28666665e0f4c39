import { expect, test } from "bun:test";
import { axeViolations } from "../support/browser/axe.ts";
import { browser, till, useTill } from "../support/browser/setup.ts";
import { phone, sidewaysPx } from "../support/browser/stage.ts";
import { walk } from "../support/desk/walk.ts";
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
  const made = await till.api("POST", "/api/invoices", { ...invoiceRequest, ...inEuros });
  const { invoice_id: id, invoice_number: number } = made.body;
  const notes = async () => (await till.api("GET", `/api/invoices/${id}/credit-notes`)).body.data;
  const desk = walk(till, { language: "de" });
  const check = () => desk.press("Summe prüfen");
  const create = () => desk.press("Rechnungskorrektur erstellen");

  await desk.open(`/desk/invoices/${number}`);
  await desk.press("Korrigieren …");
  desk.fill({ kind: "lines", "quantity-0": "10,5" });
  await check();
  expect(desk.text("#quantity-0-fault")).toBe("Gestaltung: höchstens 10");
  desk.fill({ reason: "Zwei Stunden zu viel", "quantity-0": "2,5" });
  await check();
  expect(desk.text(".credit-sum")).toContain("297,50");
  // 297.50 EUR at 0.8.
  const shown = desk.text("#effect");
  const page = await browser.newPage();
  await page.route(`**${desk.path}`, (route) => route.fulfill({ contentType: "text/html", body: desk.html }));
  await page.goto(till.baseUrl + desk.path);
  expect(await axeViolations(page)).toEqual([]);
  expect(await sidewaysPx(page, phone)).toBe(0);
  expect(await notes()).toEqual([]);

  // What was typed stays, and what is shown is what is made.
  await desk.press("Zurück");
  expect(desk.value("quantity-0")).toBe("2,5");
  await check();
  desk.fill({ mail: "true" });
  await create();
  expect(await notes()).toMatchObject([
    { reason: "Zwei Stunden zu viel", total_amount: "297.50", currency: "EUR" },
  ]);
  const { due_amount } = (await till.api("GET", `/api/invoices/${id}`)).body;
  expect(due_amount).toMatch(/^1249\.\d\d$/);
  const due = due_amount.replace("1249.", "1.249,");
  expect(shown).toBe(`Der Kunde hat dann noch ${due} USDC zu zahlen.`);
  for (const part of ["#credit-notes", "#timeline"]) expect(desk.text(part)).toContain("297,50 EUR");
  await until(
    () => creditMails(number),
    (mails) => mails.length === 1,
  );
  await desk.press((await notes())[0].credit_note_number);
  await desk.press("Erneut senden");
  expect(desk.text()).toContain("Die Rechnungskorrektur wurde per E-Mail gesendet.");
  expect(creditMails(number)).toHaveLength(2);

  await desk.open(`/desk/invoices/${number}/credit`);
  desk.fill({ kind: "amounts", "amount-1": "1,07", reason: "Kulanz" });
  await check();
  // Meanwhile a program credits: what was shown is not so any more.
  await till.api("POST", `/api/invoices/${id}/credit-notes`, {
    reason: "Between",
    amounts: [{ amount: "106.00", tax_rate: "7" }],
  });
  await create();
  expect(desk.text("#amount-1-fault")).toMatch(/^höchstens 0,\d\d$/);
  await desk.open(`/desk/invoices/${number}/credit`);
  desk.fill({ reason: "Alles" });
  await check();
  expect(desk.text("#effect")).toContain("storniert");
  desk.fill({ mail: "" });
  await create();
  expect((await notes()).map(({ reason }: { reason: string }) => reason)).toEqual([
    "Zwei Stunden zu viel",
    "Between",
    "Alles",
  ]);
  expect(desk.texts(`a[href$="/credit"]`)).toEqual([]);
  expect((await till.api("GET", `/api/invoices/${id}`)).body).toMatchObject({ status: "void" });

  await desk.open("/desk/invoices");
  expect(desk.text("main table")).toContain("1.296,99 EUR");
  await desk.press("Rechnungskorrekturen");
  expect(desk.text("main table")).toContain(number);
  await desk.press((await notes())[0].credit_note_number);
  expect(desk.html).toMatch(/href="[^"]*\/pdf"/);
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

test("an amount of dinars has three decimals, and no point that could group thousands", async () => {
  const line = { description: "Design", quantity: 1, unit_price: "4.500" };
  const made = await till.createInvoice({ currency: "KWD", rate: "0.308", line_items: [line] });
  const { invoice_number: number } = made;
  const desk = walk(till, { language: "de" });
  await desk.open(`/desk/invoices/${number}/credit`);
  expect(desk.text(".if-amounts")).toContain("4,500");
  desk.fill({ kind: "amounts", "amount-0": "1.500", reason: "Kulanz" });
  await desk.press("Summe prüfen");
  expect(desk.text("#amount-0-fault")).toContain("ohne Tausendertrennzeichen");
  expect(desk.value("amount-0")).toBe("1.500");
  desk.fill({ "amount-0": "1,500" });
  await desk.press("Summe prüfen");
  await desk.press("Rechnungskorrektur erstellen");
  const { body } = await till.api("GET", `/api/invoices/${number}/credit-notes`);
  expect(body.data).toMatchObject([{ total_amount: "1.500", currency: "KWD" }]);
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
