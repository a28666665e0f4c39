import type { Askable, Collect, PayerDetails } from "../../domain/link/bill.ts";
import type { Link } from "../../domain/link/link.ts";
import * as Text from "../../lib/text/text.ts";
import type { Db } from "../../store/database.ts";
import { stored } from "../../store/group-commit.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";

/** Details that a payer gives on request of the link. */

/** In characters. */
export const lengthMax = { name: 200, address: 500, tax_id: 50, phone: 50, answer: 300 } as const;

/** The fields of the form: the requested ones, then `q0`, `q1`, … for the questions. */
export type PayerField = Askable | `q${number}`;

export const fieldsOf = ({ fields, questions }: Collect): PayerField[] => [
  ...fields,
  ...questions.map((_, i) => `q${i}` as const),
];

export const lengthMaxOf = (field: PayerField): number => lengthMax[field as Askable] ?? lengthMax.answer;

/** Returns whether a text is acceptable; only an address may have several lines. */
function isFine(field: PayerField, text: string): boolean {
  if (text.length > lengthMaxOf(field)) return false;
  const lines = field === "address" ? text.split("\n") : [text];
  return lines.every((line) => line.trim() === "" || Text.fault(line, { lineBreaks: false }) === null);
}

/** Returns the typed details, or the invalid fields. Empty fields count as unanswered. */
export function readDetails(
  collect: Collect,
  typed: (field: PayerField) => string,
): { ok: true; details: PayerDetails } | { ok: false; faults: PayerField[] } {
  const answered = fieldsOf(collect).flatMap((field) => {
    const text = typed(field).replaceAll("\r\n", "\n").trim();
    return text === "" ? [] : [{ field, text }];
  });
  const faults = answered.filter(({ field, text }) => !isFine(field, text)).map(({ field }) => field);
  if (faults.length > 0) return { ok: false, faults };
  const texts = new Map(answered.map(({ field, text }) => [field, text]));
  const answers = collect.questions.flatMap((question, i) => {
    const answer = texts.get(`q${i}`);
    return answer === undefined ? [] : [{ question, answer }];
  });
  const fields = collect.fields.flatMap((field) => (texts.has(field) ? [[field, texts.get(field)]] : []));
  return { ok: true, details: { ...Object.fromEntries(fields), ...(answers.length > 0 ? { answers } : {}) } };
}

/**
 * Returns whether the payer may still give their details: until the receipt has its number, which names its buyer for
 * good, or for a link without tax, until it is paid; if they gave none before, also after that.
 */
export function mayTell({ collect, status, receiptNumber, payerDetails }: Link): boolean {
  if (collect === null || status === "void" || receiptNumber !== null) return false;
  return payerDetails === null || (status !== "confirmed" && status !== "excess");
}

/** Stores the payer's details, replacing earlier ones. False if it is too late. Throws a StorageFailed. */
export const noteDetails = (db: Db, slug: string, details: PayerDetails): Promise<boolean> =>
  stored(db, () => {
    const link = LinkStore.bySlug(db, slug);
    if (link === null || !mayTell(link)) return false;
    LinkStore.setPayerDetails(db, link.id, details);
    return true;
  });
