import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import { columns, integer, selectAll, text } from "../columns.ts";
import type { Db } from "../database.ts";

type Patterns = { invoiceNumber: InvoiceNumber.Pattern; creditNoteNumber: InvoiceNumber.Pattern };
type Other = { number: string; now: string };

/**
 * An invoice or a credit note whose number its pattern would not produce, with what it would produce and which setting
 * that is. Checks only the first and the last.
 */
export function numberedOtherwise(
  db: Db,
  { invoiceNumber, creditNoteNumber }: Patterns,
): [InvoiceNumber.Setting, Other][] {
  const invoice = otherOf(db, "invoice", invoiceNumber);
  const note = otherOf(db, "credit_note", creditNoteNumber);
  return [
    ...(invoice ? [["TILL_INVOICE_NUMBER", invoice] as [InvoiceNumber.Setting, Other]] : []),
    ...(note ? [["TILL_CREDIT_NOTE_NUMBER", note] as [InvoiceNumber.Setting, Other]] : []),
  ];
}

function otherOf(
  db: Db,
  table: "invoice" | "credit_note",
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
