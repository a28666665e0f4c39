import { Type } from "@sinclair/typebox";
import type * as Credit from "../../domain/bill/credit.ts";
import * as Currency from "../../domain/bill/currency.ts";
import type { Invoice } from "../../domain/bill/invoice.ts";
import * as Quantity from "../../domain/bill/quantity.ts";
import * as Remainder from "../../domain/bill/remainder.ts";
import * as Usdc from "../../domain/usdc.ts";
import { type Fault, why } from "../../language/faults.ts";
import type { NewCreditNote } from "../credit/credit-note.ts";
import * as Field from "./fields.ts";
import { anyShare, category, share } from "./tax.ts";
import { type Parsed, readBody, reading } from "./validation.ts";

const amount = Type.String({ wants: 'an amount as a string with up to two decimals, such as "25.00"' });

/** The body of POST …/credit-notes. */
export const CreditRequest = Type.Object(
  {
    reason: Field.reason,
    lines: Type.Optional(
      Field.meaning(
        "the lines of the invoice that are credited; all that is left of it without lines and amounts",
        Type.Array(
          Type.Object(
            {
              line: Type.Integer({ minimum: 1, wants: "the place of a line in the invoice, from 1" }),
              quantity: Type.Optional(
                Field.meaning(
                  "all that is left of the line when left out",
                  Type.Number({ wants: "a number" }),
                ),
              ),
            },
            { additionalProperties: false, wants: "an object with line and quantity" },
          ),
          { minItems: 1, maxItems: 30, wants: "a list of 1 to 30 lines" },
        ),
      ),
    ),
    amounts: Type.Optional(
      Field.meaning(
        "in the place of lines: amounts with their tax, in the currency of the invoice, one for each rate",
        Type.Array(
          Type.Object(
            {
              amount,
              tax_rate: Type.Optional(
                Field.meaning(
                  "as in tax_breakdown; may be left out when the invoice has one rate or none",
                  share,
                ),
              ),
              tax_category: Type.Optional(Field.meaning("where two rows have one rate", category)),
            },
            { additionalProperties: false, wants: "an object with amount and tax_rate" },
          ),
          { minItems: 1, maxItems: 30, wants: "a list of 1 to 30 amounts" },
        ),
      ),
    ),
    send_now: Type.Optional(
      Field.meaning(
        "whether it is mailed to the customer; when left out, it is when the invoice was",
        Type.Boolean({ wants: "true or false" }),
      ),
    ),
  },
  { additionalProperties: false, wants: "a JSON object", noun: "CreditRequest" },
);

export function parseCreditRequest(body: unknown, invoice: Invoice): Parsed<NewCreditNote> {
  const { reader, fields } = readBody(CreditRequest, body);
  const reason = reader.read("reason", fields.reason, Field.plainLines);
  if (fields.lines !== undefined && fields.amounts !== undefined)
    reader.add("amounts", why("left_out_with", { other: "lines" }));
  const lines = (Array.isArray(fields.lines) ? fields.lines : []).map((each, at) => {
    const quantity = reader.read(`lines[${at}].quantity`, each?.quantity, Field.quantity);
    return { position: Number(each?.line) - 1, quantity: quantity ?? null };
  });
  const rows = Remainder.rowsOf(invoice);
  const code = Currency.codeOf(invoice);
  const amounts = (Array.isArray(fields.amounts) ? fields.amounts : []).map((each, at) => {
    const value = reader.read(`amounts[${at}].amount`, each?.amount, (text) => {
      const parsed = Currency.parse(text, code);
      return reading(parsed !== null && parsed > 0n ? parsed : null, why("credit_amount"));
    });
    const rate = reader.read(`amounts[${at}].tax_rate`, each?.tax_rate, anyShare);
    const fitting = rows.flatMap(({ of }, row) =>
      (rate === undefined || of?.rate === rate) &&
      (each?.tax_category === undefined || of?.category === each.tax_category)
        ? [row]
        : [],
    );
    if (fitting.length !== 1)
      reader.add(
        `amounts[${at}].tax_rate`,
        why(fitting.length === 0 ? "credit_rate" : "credit_rate_unclear"),
      );
    return { row: fitting[0] ?? 0, amount: value ?? Usdc.zero };
  });
  if (reader.faults.length > 0 || reason === undefined) return reader.refused();
  let wanted: Credit.CreditScope = { kind: "rest" };
  if (fields.lines !== undefined) wanted = { kind: "lines", lines };
  else if (fields.amounts !== undefined) wanted = { kind: "amounts", amounts };
  return { ok: true, value: { wanted, reason, sendNow: fields.send_now ?? null } };
}

/** Returns a refusal that is the request's fault as such; null if it is due to the invoice. */
export function remainderFault(
  refusal: Credit.RemainderRefusal,
  wanted: Credit.CreditScope,
  code: Currency.Code,
): Fault | null {
  if (refusal.kind === "nothing") return null;
  if (refusal.kind === "line") {
    const at = wanted.kind === "lines" ? wanted.lines.findIndex((each) => each.position === refusal.line) : 0;
    if (refusal.left === 0n) return { field: `lines[${at}].line`, ...why("credit_line") };
    const max = Quantity.format(Quantity.fromMillionths(refusal.left));
    return { field: `lines[${at}].quantity`, ...why("credit_quantity", { max, line: refusal.line + 1 }) };
  }
  const at = wanted.kind === "amounts" ? wanted.amounts.findIndex((each) => each.row === refusal.row) : null;
  const max = Currency.format(refusal.left, code);
  if (at !== null) return { field: `amounts[${at}].amount`, ...why("credit_row", { max }) };
  return { field: "lines", ...why(refusal.takenBack ? "credit_taken_back" : "credit_lines", { max }) };
}
