import type { CreditLine, CreditNote } from "../../../domain/bill/credit-note.ts";
import type { Totals } from "../../../domain/bill/tax.ts";
import { columns, integer, listNewest, type Row, text, usdc, withAmounts } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
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
  usdc: usdc("usdc_amount"),
  toReturn: usdc("return_amount"),
  createdAt: integer(),
});

const select = `SELECT ${stored.list} FROM credit_note`;

/** The next number; as `nextSequence` of invoices. */
export function nextSequence(db: Db): number {
  const sql =
    "SELECT max(coalesce((SELECT max(sequence) FROM credit_note), 0) + 1, credit_note) FROM next_numbers";
  return numberOf(db, sql) ?? 1;
}

export function insert(db: Db, note: CreditNote): void {
  db.query(stored.insert()).run(stored.values(note));
  indexInTurn(db, note.sequence, ["credit_note"]);
}

export function byId(db: Db, id: string): CreditNote | null {
  const row = db.query<Row<CreditNote>, [string]>(`${select} WHERE id = ?`).get(id);
  return row && stored.fromRow(row);
}

export function byNumber(db: Db, number: string): CreditNote | null {
  const row = db.query<Row<CreditNote>, [string]>(`${select} WHERE number = ?`).get(number);
  return row && stored.fromRow(row);
}

export function bySequence(db: Db, sequence: number): CreditNote | null {
  const row = db.query<Row<CreditNote>, [number]>(`${select} WHERE sequence = ?`).get(sequence);
  return row && stored.fromRow(row);
}

/** An invoice's credit notes, by its sequence, oldest first. */
export function listByInvoice(db: Db, invoice: number): CreditNote[] {
  return db
    .query<Row<CreditNote>, [number]>(`${select} WHERE invoice = ? ORDER BY sequence`)
    .all(invoice)
    .map(stored.fromRow);
}

type NoteFilters = {
  limit: number;
  before?: number | undefined;
  invoice?: number | undefined;
  found?: string;
  from?: string;
  to?: string;
};

/**
 * Newest first. `before`: only those after this one in the list; `found`: only these, as a JSON array of sequences;
 * `from` and `to`: only those issued between these days.
 */
export function list(db: Db, filters: NoteFilters): { notes: CreditNote[]; hasMore: boolean } {
  const hasDays = filters.from !== undefined || filters.to !== undefined;
  const conditions = {
    // By date in index order: the clock may have been set back between two notes.
    before: hasDays
      ? "(issue_date, sequence) < ((SELECT issue_date FROM credit_note WHERE sequence = $before), $before)"
      : "sequence < $before",
    invoice: "invoice = $invoice",
    found: "sequence IN (SELECT value FROM json_each($found))",
    from: "issue_date >= $from",
    to: "issue_date <= $to",
  };
  const order = hasDays ? ["issue_date", "sequence"] : ["sequence"];
  const { rows, hasMore } = listNewest<Row<CreditNote>>(db, { select, order, conditions }, filters);
  return { notes: rows.map(stored.fromRow), hasMore };
}

/** Those issued in these days, both included, in order of number; null means no bound. */
export function* each(db: Db, days: { from: string | null; to: string | null }): Generator<CreditNote> {
  const rows = db
    .query<Row<CreditNote>, typeof days>(
      `${select} WHERE ($from IS NULL OR issue_date >= $from) AND ($to IS NULL OR issue_date <= $to)
       ORDER BY sequence`,
    )
    .iterate(days);
  for (const row of rows) yield stored.fromRow(row);
}
