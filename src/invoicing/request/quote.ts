import { Type } from "@sinclair/typebox";
import type * as Currency from "../../domain/bill/currency.ts";
import type { Fault } from "../outcome.ts";
import { rateField, readRate } from "./currency.ts";
import { readBody } from "./validation.ts";

/** The body of POST …/quote. */
export const QuoteRequest = Type.Object(
  { rate: rateField },
  { additionalProperties: false, wants: "a JSON object" },
);

type ParsedQuote = { ok: true; rate: Currency.Rate | null } | { ok: false; faults: Fault[] };

export function parseQuoteRequest(body: unknown): ParsedQuote {
  const { reader, fields } = readBody(QuoteRequest, body);
  const rate = readRate(reader, fields.rate) ?? null;
  return reader.faults.length > 0 ? { ok: false, faults: [...reader.faults] } : { ok: true, rate };
}
