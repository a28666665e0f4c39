import * as Usdc from "../../../domain/usdc.ts";
import { columns, integer, json, orNull, type Row, text } from "../../columns.ts";
import { type Db, textOf } from "../../database.ts";

/** An invoice that may need a reminder. Its days are null where the setting applies. */
type Candidate = {
  sequence: number;
  depositIndex: number;
  dueDate: string;
  /** Unix time in milliseconds. */
  sentAt: number;
  reminders: number[] | null;
};

const candidate = columns("invoice", {
  sequence: integer(),
  depositIndex: integer(),
  dueDate: text(),
  sentAt: integer(),
  reminders: orNull(json<number[]>()),
});

export type CandidateCursor = Pick<Candidate, "dueDate" | "sequence">;

/**
 * Invoices that were mailed, are unpaid and have no pending payment: those due up to `to`, after a position, by due
 * date. `own`: only those with their own days.
 */
export function listCandidates(
  db: Db,
  { after, to, own, limit }: { after: CandidateCursor; to: string; own: boolean; limit: number },
): Candidate[] {
  return db
    .query<Row<Candidate>, Record<string, string | number>>(
      `SELECT ${candidate.list} FROM invoice INDEXED BY invoice_by_due_date CROSS JOIN receivable USING (deposit_index)
       WHERE status IN ('sent', 'partial') AND due_date BETWEEN $dueDate AND $to
         AND (due_date, sequence) > ($dueDate, $sequence) AND (NOT $own OR reminders IS NOT NULL)
         AND sent_at IS NOT NULL AND marked_paid_at IS NULL AND pending_amount < ${Usdc.microPerCent}
         AND NOT EXISTS (SELECT 1 FROM unexplained WHERE deposit_index = invoice.deposit_index)
       ORDER BY due_date, sequence LIMIT $limit`,
    )
    .all({ ...after, to, own: own ? 1 : 0, limit })
    .map(candidate.fromRow);
}

/** The last day that reminders were written for; null when none ever was, or a backup was restored. */
export function seenTo(db: Db): string | null {
  return textOf(db, "SELECT day FROM reminders_seen");
}

export function setSeenTo(db: Db, day: string): void {
  db.query("INSERT INTO reminders_seen (id, day) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET day = ?1").run(
    day,
  );
}

/** Call it after a restore: reminders that the backup lacks may have been sent, so they start from today. */
export function forgetSeen(db: Db): void {
  db.run("DELETE FROM reminders_seen");
}
