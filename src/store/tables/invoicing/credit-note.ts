import type { CreditLine, CreditNote } from "../../../domain/bill/credit-note.ts";
import type { TaxInCurrency } from "../../../domain/bill/currency.ts";
import type { Totals } from "../../../domain/bill/tax.ts";
import {
  columns,
  integer,
  orNull,
  selectAll,
  selectEach,
  selectOne,
  text,
  usdc,
  withAmounts,
} from "../../columns.ts";
import { type Db, numberOf, textOf } from "../../database.ts";
import { type Page, page } from "../../page.ts";
import { indexInTurn } from "../../search.ts";

/** For joins too, under the name `credit_note`. */
const stored = columns("credit_note", {
  id: text(),
  sequence: integer(),
  number: text(),
  invoice: integer(),
  issueDate: text(),
  reason: text(),
  lines: withAmounts<CreditLine[]>(),
  totals: withAmounts<Totals>(),
  taxInCurrency: orNull(withAmounts<TaxInCurrency>()),
  usdc: usdc("usdc_amount"),
  toReturn: usdc("return_amount"),
  createdAt: integer(),
});

/** The next number; see `nextSequence` of invoices. */
export function nextSequence(db: Db): number {
  const sql =
    "SELECT max(coalesce((SELECT max(sequence) FROM credit_note), 0) + 1, credit_note) FROM next_numbers";
  return numberOf(db, sql) ?? 1;
}

export function insert(db: Db, note: CreditNote): void {
  const merchant =
    "(SELECT merchant FROM invoice JOIN receivable USING (deposit_index) WHERE sequence = $invoice)";
  db.query(stored.insert({ merchant })).run(stored.values(note));
  indexInTurn(db, note.sequence, ["credit_note"]);
}

export const byId = (db: Db, id: string): CreditNote | null => selectOne(db, stored, "WHERE id = ?", id);

export const byNumber = (db: Db, number: string): CreditNote | null =>
  selectOne(db, stored, "WHERE number = ?", number);

export const bySequence = (db: Db, sequence: number): CreditNote | null =>
  selectOne(db, stored, "WHERE sequence = ?", sequence);

/** An invoice's credit notes, by its sequence, oldest first. */
export const listByInvoice = (db: Db, invoice: number): CreditNote[] =>
  selectAll(db, stored, "WHERE invoice = ? ORDER BY sequence", invoice);

/** The reason of the newest credit note for the invoice of this deposit; null if there is none. */
export const newestReason = (db: Db, depositIndex: number): string | null =>
  textOf(
    db,
    `SELECT reason FROM credit_note JOIN invoice ON invoice.sequence = credit_note.invoice
     WHERE deposit_index = ? ORDER BY credit_note.sequence DESC LIMIT 1`,
    depositIndex,
  );

type NoteFilters = {
  limit: number;
  before?: number | undefined;
  invoice?: number | undefined;
  merchant?: string | null;
  found?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/**
 * Newest first. `before`: only those after this one in the list; `found`: only these, as a JSON array of sequences;
 * `from` and `to`: only those issued between these days; `merchant` in its normal form.
 */
export function list(
  db: Db,
  { limit, before, invoice, merchant, found, from, to }: NoteFilters,
): Page<CreditNote> {
  const hasDays = from !== undefined || to !== undefined;
  // By date in index order: the clock may have been set back between two notes.
  const order = hasDays ? ["issue_date", "sequence"] : ["sequence"];
  const day = before !== undefined && hasDays ? [bySequence(db, before)?.issueDate ?? ""] : [];
  return page(db, {
    from: stored,
    equal: { invoice, merchant },
    where: [
      found === undefined ? null : "sequence IN (SELECT value FROM json_each($found))",
      from === undefined ? null : "issue_date >= $from",
      to === undefined ? null : "issue_date <= $to",
    ],
    values: { found: found ?? null, from: from ?? null, to: to ?? null },
    order,
    after: before === undefined ? null : [...day, before],
    limit,
  });
}

/** Credit notes issued in these days, both included, in order of number; null means no bound. */
export const each = (db: Db, days: { from: string | null; to: string | null }): Generator<CreditNote> =>
  selectEach(
    db,
    stored,
    `WHERE ($from IS NULL OR issue_date >= $from) AND ($to IS NULL OR issue_date <= $to) ORDER BY sequence`,
    days,
  );
