import { type TSchema, Type } from "@sinclair/typebox";
import * as Tax from "../../domain/bill/tax.ts";
import { called, oneOf } from "../../invoicing/request/validation.ts";
import { billed, closed, instant, record, text, unitPrice, usdc } from "./answer-parts.ts";

const exchangeRate = closed(
  {
    rate: text("what 1 USDC costs in the currency; for a tax, 1 of the invoice's"),
    source: text("who said so"),
    fetched_at: instant,
  },
  { noun: "ExchangeRate", wants: "how the amount came about" },
);

export const currencyFields = {
  currency: Type.Optional(
    text("of all other amounts but received_amount; only when it is not USDC, as the two that follow"),
  ),
  expected_usdc: Type.Optional({ ...usdc, wants: "what is to be paid, in USDC" }),
  exchange_rate: Type.Optional(exchangeRate),
};

export const linkCurrencyFields = {
  currency: Type.Optional(text("of amount; only when it is not USDC, as the three that follow")),
  amount: Type.Optional(text("the price in the currency")),
  exchange_rate: currencyFields.exchange_rate,
  rate_expires_at: Type.Optional(
    text("until when expected_amount holds unless money comes before, ISO 8601; not with a rate for good"),
  ),
};

export const share = Type.String({ wants: "a percentage with two decimals" });

export const only = <S extends TSchema>(wants: string, schema: S) => Type.Optional({ ...schema, wants });

export const taxFields = {
  tax_rate: share,
  tax_category: called("TaxCategory", oneOf(Tax.categories, "why tax is charged, or not")),
  tax_reason: Type.Optional(text("why no tax is charged; only when given")),
};

export const breakdownFields = {
  prices_include_tax: Type.Optional(Type.Boolean({ wants: "whether the prices have the tax in them" })),
  tax_breakdown: Type.Optional(
    Type.Array(
      record("TaxRow", {
        ...taxFields,
        taxable_amount: billed,
        tax_amount: billed,
      }),
      { wants: "a row for each category and rate; empty without tax" },
    ),
  ),
};

export const taxInCurrency = Type.Optional(
  closed(
    { currency: text("ISO 4217"), tax_amount: text("in it"), exchange_rate: exchangeRate },
    {
      noun: "TaxInCurrency",
      wants: "the tax in the currency of the seller's country, where its law asks for it",
    },
  ),
);

export const lineItems = Type.Array(
  record("LineItem", {
    description: text("as it was given"),
    quantity: Type.Number({ wants: "as it was given" }),
    unit_price: unitPrice,
    line_total: billed,
    unit: Type.Optional(text("what is counted; only when given")),
    discount_percent: only("only when given, as all that follow", share),
    discount_amount: only("what is taken off", billed),
    tax_rate: Type.Optional(taxFields.tax_rate),
    tax_category: Type.Optional(taxFields.tax_category),
    tax_reason: taxFields.tax_reason,
  }),
  { wants: "in the order of the request; line_total is less the discount" },
);

export const linkBillFields = {
  line_items: only("what is sold; only with lines or tax", lineItems),
  subtotal_amount: only("the sum of the lines; only with tax, as the three that follow", billed),
  tax_amount: only("what all taxes come to", billed),
  ...breakdownFields,
};
