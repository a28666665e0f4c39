import { expect, test } from "bun:test";
import type { Party } from "../../src/domain/party/party.ts";
import type { LanguageCode } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { receiptTitle } from "../../src/language/tax-words.ts";
import { usdc } from "../support/usdc.ts";

const titleOf = (code: LanguageCode, merchantDetails: Party | null, hasBuyer = false) => {
  const amount = usdc("1.00");
  const row = { category: "standard", rate: 100_000, reason: null, taxable: amount, tax: amount } as const;
  const totals = { subtotal: amount, discount: usdc("0.00"), tax: amount, total: amount, rows: [row] };
  return receiptTitle({ merchantDetails, totals, hasBuyer }, speak(code));
};

const registered = { country: "JP", taxId: "T1234567890123" };

test.each([
  ["en", null, "Simplified invoice"],
  ["de", { country: "DE" }, "Kleinbetragsrechnung"],
  ["fr", { country: "FR" }, "Facture simplifiée"],
  ["es", { country: "ES" }, "Factura simplificada"],
  ["ja", registered, "適格簡易請求書"],
  ["ja", { country: "JP" }, "簡易請求書"],
  ["en", { country: "AE" }, "Simplified tax invoice"],
] as const)("a receipt in %s of a seller with %j is a %s", (code, details, title) => {
  expect(titleOf(code, details)).toBe(title);
});

test("a receipt with a buyer is an invoice", () => {
  expect(titleOf("en", null, true)).toBe("Invoice");
  expect(titleOf("de", null, true)).toBe("Rechnung");
  for (const country of ["AE", "AU", "IN", "SG"])
    expect(titleOf("en", { country }, true)).toBe("Tax invoice");
  expect(titleOf("ja", registered, true)).toBe("適格請求書");
  expect(titleOf("ja", { country: "JP" }, true)).toBe("請求書");
  expect(titleOf("en", registered, true)).toBe("Invoice");
});
