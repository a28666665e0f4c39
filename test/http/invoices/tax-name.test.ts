import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { solidTextOf } from "../../document/poppler.ts";
import { parse, words } from "../../pages/dom.ts";
import { invoiceRequest, startTestTill, type TestTill } from "../../support/till/till.ts";

const node = { rpcUrl: "http://127.0.0.1:9" };
let french: TestTill;
let english: TestTill;
let japanese: TestTill;
beforeAll(async () => {
  [french, english, japanese] = await Promise.all([
    startTestTill(node, { TILL_LANGUAGE: "fr" }),
    startTestTill(node, { TILL_LANGUAGE: "en" }),
    startTestTill(node, { TILL_LANGUAGE: "ja" }),
  ]);
});
afterAll(() => Promise.all([french, english, japanese].map((till) => till?.stop())));

const details = (country: string | null, rest: object = {}) =>
  country === null ? {} : { merchant_details: { country, ...rest } };

/** An invoice with tax, and what its page, its PDF and its mail say, without white space and marks of direction. */
async function bill(till: TestTill, seller: object, request: object = {}) {
  const line_items = [{ description: "Design", quantity: 1, unit_price: "100.00", tax_rate: "8" }];
  const { status, body } = await till.api("POST", "/api/invoices", {
    ...invoiceRequest,
    line_items,
    ...seller,
    ...request,
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  const lang = till.config.language;
  const page = await (await fetch(`${body.invoice_url}?lang=${lang}`)).text();
  const pdf = await solidTextOf(new Uint8Array(await (await fetch(body.pdf_url)).arrayBuffer()));
  const mail = till.mail.list().find(({ subject }) => subject.includes(body.invoice_number));
  const solid = (text = "") => text.replaceAll(/[\s\u2066-\u2069]/g, "");
  return { invoice: body, shown: { page: solid(words(parse(page))), pdf, mail: solid(mail?.text) } };
}

describe("the tax is named as the seller's country does", () => {
  test.each([
    ["US", "Salestax8%sur100,00"],
    ["DE", "USt.8%sur100,00"],
    ["IN", "GST8%sur100,00"],
    ["GB", "VAT8%sur100,00"],
    ["FR", "TVA8%sur100,00"],
    [null, "Taxe8%sur100,00"],
  ])("for French readers of a seller in %p", async (country, label) => {
    const { shown } = await bill(french, details(country));
    for (const [where, text] of Object.entries(shown)) {
      expect({ where, has: text.includes(label) }).toEqual({ where, has: true });
      if (country !== "FR") expect({ where, has: text.includes("TVA") }).toEqual({ where, has: false });
    }
    // Above the column of rates, too.
    expect(shown.pdf).toContain(`${label.replace(/8%.*/, "")}Montant(USDC)`);
  });

  test("in Japanese that of Japan for a seller in Japan alone", async () => {
    const inJapan = await bill(japanese, details("JP", { tax_id: "T7000012050002" }));
    const abroad = await bill(japanese, details("DE"));
    for (const text of Object.values(inJapan.shown)) expect(text).toContain("消費税8%（税抜対象額100.00）");
    for (const text of Object.values(abroad.shown)) {
      expect(text).toContain("USt.8%（税抜対象額100.00）");
      expect(text).not.toContain("消費税");
    }
    for (const where of ["page", "pdf"] as const)
      expect(inJapan.shown[where]).toContain("登録番号：T7000012050002");
  });

  test("where prices include it, in the middle of a sentence", async () => {
    const { shown } = await bill(english, details("US"), { prices_include_tax: true });
    for (const text of Object.values(shown)) expect(text).toContain("Includessalestax8%on92.59");
  });
});

describe("a PDF has the title that the law of the seller's country wants", () => {
  async function titles(till: TestTill, seller: object, request: object = {}) {
    const { invoice, shown } = await bill(till, seller, request);
    const note = await till.api("POST", `/api/invoices/${invoice.invoice_id}/credit-notes`, {
      reason: "x",
      send_now: false,
    });
    const pdf = new Uint8Array(await (await fetch(note.body.pdf_url)).arrayBuffer());
    return [shown.pdf, await solidTextOf(pdf)] as const;
  }

  test.each([
    ["AE", "Taxinvoice", "Taxcreditnote"],
    ["SA", "Taxinvoice", "Creditnote"],
    ["AU", "Taxinvoice", "Creditnote"],
    ["SG", "Taxinvoice", "Creditnote"],
    ["GB", "Invoice", "Creditnote"],
    [null, "Invoice", "Creditnote"],
  ])("with tax and a seller in %p", async (country, invoice, creditNote) => {
    const [first, second] = await titles(english, details(country));
    expect(first.match(/Taxinvoice|Invoice/)?.[0]).toBe(invoice);
    expect(second.match(/Taxcreditnote|Creditnote/)?.[0]).toBe(creditNote);
  });

  test("and none of it without tax", async () => {
    const [invoice, note] = await titles(english, details("AE"), { line_items: invoiceRequest.line_items });
    expect(invoice).not.toContain("Taxinvoice");
    expect(note).not.toContain("Taxcreditnote");
  });

  test("in Japanese, of a registered seller", async () => {
    const [, note] = await titles(japanese, details("JP", { tax_id: "T7000012050002" }));
    expect(note).toContain("適格返還請求書");
    const [, unregistered] = await titles(japanese, details("JP"));
    expect(unregistered).not.toContain("適格返還請求書");
  });
});
