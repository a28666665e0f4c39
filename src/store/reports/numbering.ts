import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import { columns, integer, selectAll, text } from "../columns.ts";
import type { Db } from "../database.ts";

type Patterns = Record<"invoiceNumber" | "creditNoteNumber" | "receiptNumber", InvoiceNumber.Pattern>;
type Other = { number: string; now: string };

/**
 * Documents whose number their pattern would not produce, one of a kind, with the number it would produce and the
 * setting. Checks only the first and the last.
 */
export function numberedOtherwise(db: Db, patterns: Patterns): [InvoiceNumber.Setting, Other][] {
  const series = [
    ["TILL_INVOICE_NUMBER", "invoice", patterns.invoiceNumber],
    ["TILL_CREDIT_NOTE_NUMBER", "credit_note", patterns.creditNoteNumber],
    ["TILL_RECEIPT_NUMBER", "receipt", patterns.receiptNumber],
  ] as const;
  return series.flatMap(([setting, table, pattern]) => {
    const other = otherOf(db, table, pattern);
    return other ? [[setting, other] as [InvoiceNumber.Setting, Other]] : [];
  });
}

const tablesOf: Readonly<Record<string, string>> = {
  INVOICE_NUMBER: "invoice",
  CREDIT_NOTE_NUMBER: "credit_note",
  RECEIPT_NUMBER: "receipt",
};

/** Returns whether this setting has already produced a number, so that it must stay. */
export function isNumbered(db: Db, setting: string): boolean {
  const table = tablesOf[setting];
  return table !== undefined && db.query(`SELECT 1 FROM ${table} LIMIT 1`).get() !== null;
}

function otherOf(
  db: Db,
  table: "invoice" | "credit_note" | "receipt",
  pattern: InvoiceNumber.Pattern,
): Other | undefined {
  const ends = columns(table, { sequence: integer(), number: text() });
  return selectAll(
    db,
    ends,
    `WHERE sequence IN ((SELECT min(sequence) FROM ${table}), (SELECT max(sequence) FROM ${table}))`,
  )
    .map(({ sequence, number }) => ({ number, now: InvoiceNumber.of(pattern, sequence) }))
    .find(({ number, now }) => number !== now);
}
