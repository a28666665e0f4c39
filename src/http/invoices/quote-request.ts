import { Type } from "@sinclair/typebox";
import type * as Currency from "../../domain/bill/currency.ts";
import type * as Quoting from "../../domain/bill/rate/quoting.ts";
import { readBody } from "../fields/validation.ts";
import { type Fault, problem } from "../problem/problem.ts";
import { rateField, readRate } from "./currency-fields.ts";

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

const reasons: Record<Quoting.QuoteRefusal, string> = {
  usdc: "is in USDC, so it has no rate.",
  void: "is void, which is final. Create a new one if something is owed after all.",
  settled: "is paid, or marked as paid: nothing more is owed.",
  due: "is not overdue. Its rate holds until the end of the day on which it is due.",
  paying:
    "has been paid in part, or a payment is on its way or has just left the chain. What was asked for then holds.",
  credited: "has a credit note, at the rate that it had then.",
  unread:
    "was not quoted again: the chain is not read up to now, so a payment may not be known yet. Try again in a minute.",
};

/** `name` is what people call the invoice. */
export const quoteRefusal = (refusal: Quoting.QuoteRefusal, name: string) => `${name} ${reasons[refusal]}`;

/** The 409 answer; 503 when asking again may help. */
export const quoteRefused = (refusal: Quoting.QuoteRefusal, name: string): Response =>
  refusal === "unread"
    ? problem("node_unreachable", quoteRefusal(refusal, name), { retryAfterSec: 60 })
    : problem("quote_refused", quoteRefusal(refusal, name));
