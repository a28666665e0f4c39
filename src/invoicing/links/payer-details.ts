import type { Askable, Collect, PayerDetails } from "../../domain/link/bill.ts";
import type { Link } from "../../domain/link/link.ts";
import * as Text from "../../lib/text/text.ts";
import type { Db } from "../../store/database.ts";
import { stored } from "../../store/group-commit.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";

/** What a payer says of themselves, as the link asks for it. */

/** In characters. */
export const lengthMax = { name: 200, address: 500, tax_id: 50, phone: 50, answer: 300 } as const;

/** The fields of the form: what is asked for, then `q0`, `q1`, … for the questions. */
export type PayerField = Askable | `q${number}`;

export const fieldsOf = ({ fields, questions }: Collect): PayerField[] => [
  ...fields,
  ...questions.map((_, i) => `q${i}` as const),
];

export const lengthMaxOf = (field: PayerField): number => lengthMax[field as Askable] ?? lengthMax.answer;

/** Whether a text can be taken; only an address has lines. */
function isFine(field: PayerField, text: string): boolean {
  if (text.length > lengthMaxOf(field)) return false;
  const lines = field === "address" ? text.split("\n") : [text];
  return lines.every((line) => line.trim() === "" || Text.fault(line, { lineBreaks: false }) === null);
}

/** What was typed, or which fields cannot be taken. Empty ones count as not said. */
export function readDetails(
  collect: Collect,
  typed: (field: PayerField) => string,
): { ok: true; details: PayerDetails } | { ok: false; faults: PayerField[] } {
  const said = fieldsOf(collect).flatMap((field) => {
    const text = typed(field).replaceAll("\r\n", "\n").trim();
    return text === "" ? [] : [{ field, text }];
  });
  const faults = said.filter(({ field, text }) => !isFine(field, text)).map(({ field }) => field);
  if (faults.length > 0) return { ok: false, faults };
  const texts = new Map(said.map(({ field, text }) => [field, text]));
  const answers = collect.questions.flatMap((question, i) => {
    const answer = texts.get(`q${i}`);
    return answer === undefined ? [] : [{ question, answer }];
  });
  const fields = collect.fields.flatMap((field) => (texts.has(field) ? [[field, texts.get(field)]] : []));
  return { ok: true, details: { ...Object.fromEntries(fields), ...(answers.length > 0 ? { answers } : {}) } };
}

/**
 * Whether the payer may still say who they are: until the receipt has its number, which names its buyer for good, or, of a
 * link without tax, until it is paid; if they said nothing before, then too.
 */
export function mayTell({ collect, status, receiptNumber, payerDetails }: Link): boolean {
  if (collect === null || status === "void" || receiptNumber !== null) return false;
  return payerDetails === null || (status !== "confirmed" && status !== "excess");
}

/** Keeps what the payer said, in the place of what was. False when it is too late. Throws a StorageFailed. */
export const noteDetails = (db: Db, slug: string, details: PayerDetails): Promise<boolean> =>
  stored(db, () => {
    const link = LinkStore.bySlug(db, slug);
    if (link === null || !mayTell(link)) return false;
    LinkStore.setPayerDetails(db, link.id, details);
    return true;
  });
