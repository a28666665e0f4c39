import type { CreditNote } from "../domain/bill/credit-note.ts";
import * as Currency from "../domain/bill/currency.ts";
import * as Usdc from "../domain/usdc.ts";
import { counted } from "../lib/text/english.ts";
import { instant } from "../lib/time.ts";
import { type Counted, counts } from "../store/reports/export/counted.ts";
import * as ExportStore from "../store/reports/export/export.ts";
import type { InvoiceHead } from "../store/tables/invoicing/invoice.ts";
import type { BookColumns } from "./columns.ts";
import { type Selection, type Table, table } from "./table.ts";

/** Credit notes in the books: each reduces what its invoice added, on the day of the note. */

/** Keeps the rows that count. Reports at the end how many drafts were left out. */
export function* counting<T extends { invoice: Counted & { number: string } }>(
  { db, onGap }: Pick<Selection, "db" | "onGap">,
  rows: Iterable<T>,
): Generator<T> {
  const drafts = new Set<string>();
  for (const row of rows)
    if (counts(db, row.invoice)) yield row;
    else if (row.invoice.status === "draft") drafts.add(row.invoice.number);
  if (drafts.size > 0)
    onGap(
      `${counted(drafts.size, "invoice")} left out: never mailed, no customer opened the page, nothing was paid.`,
      "drafts",
      drafts.size,
    );
}

/** An amount of a credit note in a column of invoices: negative. */
export const negative = (amount: bigint, code: Currency.Code): string => Currency.format(-amount, code);

/** An amount in an invoice's row, or what a note takes back of it, if there is one. */
export const amountOf = (
  { note }: { note: object | null },
  amount: Usdc.Billed,
  code: Currency.Code,
): string => (note === null ? Currency.format(amount, code) : negative(amount, code));

/** The invoices of the days, by default by issue date, then the credit notes of the days, each with its invoice. */
export function* eachSale(
  { db, days }: Pick<Selection, "db" | "days">,
  by: ExportStore.TaxPeriod = "issue",
): Generator<{ invoice: InvoiceHead; note: CreditNote | null }> {
  for (const invoice of ExportStore.eachInvoice(db, days, by)) yield { invoice, note: null };
  yield* ExportStore.eachCreditNote(db, days);
}

/** The desk's file of credit notes has these columns as well. */
export const creditNoteColumns: BookColumns<ExportStore.ExportedCreditNote> = {
  credit_note_number: ({ note }) => note.number,
  issue_date: ({ note }) => note.issueDate,
  invoice_number: ({ invoice }) => invoice.number,
  invoice_issue_date: ({ invoice }) => invoice.issueDate,
  vendor_name: ({ invoice }) => invoice.vendorName,
  vendor_email: ({ invoice }) => invoice.vendorEmail,
  reason: ({ note }) => note.reason,
  currency: ({ invoice }) => Currency.codeOf(invoice),
  total_amount: ({ note, invoice }) => Currency.formatOf(invoice, note.totals.total),
  subtotal_amount: ({ note, invoice }) => Currency.formatOf(invoice, note.totals.subtotal),
  discount_amount: ({ note, invoice }) => Currency.formatOf(invoice, note.totals.discount),
  tax_amount: ({ note, invoice }) => invoice.totals && Currency.formatOf(invoice, note.totals.tax),
  credited_usdc: ({ note }) => Usdc.format(note.usdc),
  return_usdc: ({ note }) => Usdc.formatExact(note.toReturn),
  created_at: ({ note }) => instant(note.createdAt),
  id: ({ note }) => note.id,
  reference: ({ invoice }) => invoice.reference,
};

export const creditNotes: Table = table(
  "credit-notes",
  "one row for each credit note, with the invoice that it lowers and amounts as printed, above zero",
  ({ db, days }) => ExportStore.eachCreditNote(db, days),
  ({ db }) => ({ ...creditNoteColumns, counts: ({ invoice }) => counts(db, invoice) }),
);
