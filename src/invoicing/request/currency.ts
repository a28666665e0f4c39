import { type Static, Type } from "@sinclair/typebox";
import * as Currency from "../../domain/bill/currency.ts";
import { why } from "../../language/faults.ts";
import type { NewInvoice } from "../create-invoice.ts";
import * as Field from "./fields.ts";
import { bodyOf, type FieldReader, type Parsed, readBody, reading } from "./validation.ts";

const rate = Type.String({ wants: 'a decimal as a string, such as "0.8607"' });
const rateField = Type.Optional(
  Field.meaning("what 1 USDC costs in the currency; asked for when left out", rate),
);

export const taxExchangeRate = Type.Optional(
  Field.meaning("what 1 of the currency costs in that of the seller's country, to state the tax in it", rate),
);

/** Request fields for the currency of an invoice's or a link's amounts. */
export const currencyFields = {
  currency: Type.Optional(
    Field.meaning(
      "of all amounts of the request: USD or EUR, any other with a rate; USDC when left out",
      Type.String({ wants: "three capital letters of ISO 4217" }),
    ),
  ),
  rate: rateField,
};

const OfCurrency = Type.Object(currencyFields);

/** Null for USDC, and after a fault. */
export function readCurrency(reader: FieldReader, fields: Static<typeof OfCurrency>): NewInvoice["currency"] {
  if (fields.rate !== undefined && fields.currency === undefined)
    reader.add("rate", why("left_out_without", { other: "currency" }));
  const code = reader.read("currency", fields.currency, (text) =>
    reading(Currency.isCode(text) ? text : null, why("currency")),
  );
  const rate = readRate(reader, "rate", fields.rate);
  return code === undefined ? null : { code, rate: rate ?? null };
}

export function readRate(
  reader: FieldReader,
  field: string,
  rate: string | undefined,
): Currency.Rate | undefined {
  return reader.read(field, rate, (text) =>
    reading(Currency.isRate(text) ? text : null, why("rate", { decimals: Currency.rateDecimalsMax })),
  );
}

/** The body of POST …/quote. */
export const QuoteRequest = bodyOf("QuoteRequest", { rate: rateField });

export function parseQuoteRequest(body: unknown): Parsed<Currency.Rate | null> {
  const { reader, fields } = readBody(QuoteRequest, body);
  const rate = readRate(reader, "rate", fields.rate) ?? null;
  return reader.faults.length > 0 ? reader.refused() : { ok: true, value: rate };
}
