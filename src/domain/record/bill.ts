import { instant } from "../../lib/time.ts";
import * as Currency from "../bill/currency.ts";
import type * as Invoice from "../bill/invoice.ts";
import * as Quantity from "../bill/quantity.ts";
import * as Tax from "../bill/tax.ts";
import * as Usdc from "../usdc.ts";

/** The USDC amount of an invoice in another currency; empty for one in USDC. */
export function currencyRecord({ currency, total }: Pick<Invoice.Invoice, "currency" | "total">) {
  if (currency === null) return {};
  return { currency: currency.code, expected_usdc: Usdc.format(total), ...rateRecord(currency) };
}

export const rateRecord = ({ rate, source, fetchedAt }: Currency.Quote) => ({
  exchange_rate: { rate, source, fetched_at: instant(fetchedAt) },
});

/** Empty when the tax is stated in one currency only. */
export function taxInCurrencyRecord(stated: Currency.TaxInCurrency | null) {
  if (stated === null) return {};
  const { code, tax } = stated;
  return {
    tax_in_currency: { currency: code, tax_amount: Currency.format(tax, code), ...rateRecord(stated) },
  };
}

/** A line of an invoice or a credit note. */
export function lineRecord(item: Invoice.LineItem, code: Currency.Code) {
  return {
    description: item.description,
    quantity: Quantity.toNumber(item.quantity),
    unit_price: Currency.formatPrice(item.unitPrice, code),
    line_total: Currency.format(item.lineTotal, code),
    ...(item.unit === null ? {} : { unit: item.unit }),
    ...(item.discount === null ? {} : discountRecord(item.discount, code)),
    ...(item.tax === null ? {} : taxRecord(item.tax)),
  };
}

export function amountsRecord(totals: Tax.Totals, code: Currency.Code) {
  const text = (amount: Usdc.Billed) => Currency.format(amount, code);
  return {
    subtotal_amount: text(totals.subtotal),
    discount_amount: text(totals.discount),
    tax_amount: text(totals.tax),
    tax_breakdown: totals.rows.map(({ taxable, tax, ...of }) => ({
      ...taxRecord(of),
      taxable_amount: text(taxable),
      tax_amount: text(tax),
    })),
  };
}

function discountRecord(discount: Tax.Discount, code: Currency.Code) {
  return discount.kind === "percent"
    ? { discount_percent: Tax.formatShare(discount.percent) }
    : { discount_amount: Currency.format(discount.amount, code) };
}

export function taxRecord({ category, rate, reason }: Tax.Tax) {
  return {
    tax_rate: Tax.formatShare(rate),
    tax_category: category,
    ...(reason === null ? {} : { tax_reason: reason }),
  };
}
