import { expect, test } from "bun:test";
import { solidTextOf } from "../../document/poppler.ts";
import { parse, words } from "../../pages/dom.ts";
import { shared } from "../../support/per-file.ts";
import { invoiceRequest, startTestTill } from "../../support/till/till.ts";

/** Every name and title is in test/language/tax-name.test.ts: here it stands on the page, the PDF and in the mail. */

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));

const textOf = async (url: string) => await solidTextOf(await (await fetch(url)).bytes());

/** An invoice with tax, and what its page, its PDF and its mail say, without white space and marks of direction. */
async function bill(language: string, merchant_details: object, request: object = {}) {
  const line_items = [{ description: "Design", quantity: 1, unit_price: "100.00", tax_rate: "8" }];
  const { status, body } = await till.api("POST", "/api/invoices", {
    ...invoiceRequest,
    ...{ language, line_items, merchant_details, ...request },
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  const page = await (await fetch(`${body.invoice_url}?lang=${language}`)).text();
  const mail = till.mail.list().find(({ subject }) => subject.includes(body.invoice_number));
  const solid = (text = "") => text.replaceAll(/[\s\u2066-\u2069]/g, "");
  const shown = { page: solid(words(parse(page))), pdf: await textOf(body.pdf_url), mail: solid(mail?.text) };
  return { id: body.invoice_id, shown };
}

async function creditNoteOf(id: string): Promise<string> {
  const asked = { reason: "x", send_now: false };
  const { body } = await till.api("POST", `/api/invoices/${id}/credit-notes`, asked);
  return await textOf(body.pdf_url);
}

test("the tax is named as the seller's country does, on the page, in the PDF and in the mail", async () => {
  const { shown } = await bill("fr", { country: "DE" });
  for (const [where, text] of Object.entries(shown)) {
    expect({ where, has: text.includes("USt.8%sur100,00") }).toEqual({ where, has: true });
    expect({ where, has: text.includes("TVA") }).toEqual({ where, has: false });
  }
  // Above the column of rates, too.
  expect(shown.pdf).toContain("USt.Montant(USDC)");
});

test("where prices include it, it is named in the middle of a sentence, and titles are those of the law", async () => {
  const prices_include_tax = true;
  const { id, shown } = await bill("en", { country: "AE" }, { prices_include_tax });
  for (const text of Object.values(shown)) expect(text).toContain("IncludesVAT8%on92.59");
  expect(shown.pdf).toContain("Taxinvoice");
  expect(await creditNoteOf(id)).toContain("Taxcreditnote");
});

test("in Japanese, a registered seller's number and titles are there", async () => {
  const { id, shown } = await bill("ja", { country: "JP", tax_id: "T7000012050002" });
  for (const text of Object.values(shown)) expect(text).toContain("消費税8%（税抜対象額100.00）");
  for (const where of ["page", "pdf"] as const) expect(shown[where]).toContain("登録番号：T7000012050002");
  expect(await creditNoteOf(id)).toContain("適格返還請求書");
});
