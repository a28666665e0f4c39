import { expect, test } from "bun:test";
import type { Party } from "../../src/domain/party/party.ts";
import type { LanguageCode } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { creditNoteTitle, invoiceTitle, taxName, taxTitle } from "../../src/language/tax-words.ts";
import { usdc } from "../support/usdc.ts";

const seller = (country: string | null, rest: object = {}) =>
  country === null ? null : ({ country, ...rest } as Party);

const registered = seller("JP", { taxId: "T7000012050002" });

test.each([
  ["fr", "US", "sales tax"],
  ["fr", "DE", "USt."],
  ["fr", "IN", "GST"],
  ["fr", "GB", "VAT"],
  ["fr", "FR", "TVA"],
  ["fr", null, "taxe"],
  ["es", "US", "impuesto sobre ventas"],
  ["ja", "JP", "消費税"],
  ["ja", "DE", "USt."],
] as const)("readers of %s know the tax of a seller in %p as %s", (code, country, name) => {
  expect(taxName({ merchantDetails: seller(country) }, speak(code))).toBe(name);
});

test("a sentence begins with it in a capital", () => {
  expect(taxTitle({ merchantDetails: seller("US") }, speak("fr"))).toBe("Sales tax");
});

/** What an invoice and its credit note are called. */
function titles(
  code: LanguageCode,
  merchantDetails: Party | null,
  category: "standard" | "exempt" = "standard",
) {
  const amount = usdc("1.00");
  const row = { category, rate: 80_000, reason: null, taxable: amount, tax: amount } as const;
  const totals = { subtotal: amount, discount: usdc("0.00"), tax: amount, total: amount, rows: [row] };
  const bill = { merchantDetails, totals };
  return [invoiceTitle(bill, speak(code)), creditNoteTitle(bill, speak(code))];
}

test.each([
  ["en", "AE", "Tax invoice", "Tax credit note"],
  ["en", "SA", "Tax invoice", "Credit note"],
  ["en", "AU", "Tax invoice", "Credit note"],
  ["en", "SG", "Tax invoice", "Credit note"],
  ["en", "GB", "Invoice", "Credit note"],
  ["en", null, "Invoice", "Credit note"],
  ["es", "ES", "Factura", "Factura rectificativa"],
  ["ja", "JP", "請求書", "クレジットノート"],
] as const)("in %s, the law of the country %p wants the titles %s and %s", (code, country, invoice, note) => {
  expect(titles(code, seller(country))).toEqual([invoice, note]);
});

test("nobody's law wants them without tax, and that of Japan wants others of a registered seller", () => {
  expect(titles("en", seller("AE"), "exempt")).toEqual(["Invoice", "Credit note"]);
  expect(titles("ja", registered)).toEqual(["適格請求書", "適格返還請求書"]);
  expect(titles("ja", registered, "exempt")).toEqual(titles("ja", seller("JP")));
});
