import { columns, integer, type Row, selectAll, text } from "../../columns.ts";
import { type Db, numberOf, transact } from "../../database.ts";
import { type DueMail, insertOnce, type MailKind, type MailState, open } from "./mail.ts";

/** The outbox of mails as its sender uses it: due mails and their outcomes. */

/** Removes a mail that has certainly not been delivered. */
export function removeQueued(db: Db, id: string): void {
  db.query("DELETE FROM mail WHERE id = ? AND state = 'queued'").run(id);
}

/** Takes a mail out of the outbox for one attempt. Returns false when it is not waiting there. */
export function markSending(db: Db, id: string): boolean {
  return (
    db
      .query(
        `UPDATE mail SET state = 'sending', attempts = attempts + 1, next_attempt_at = NULL, content_at = NULL
         WHERE id = ? AND state = 'queued'`,
      )
      .run(id).changes > 0
  );
}

/** Set before the content leaves; null once the server certainly did not accept it, so that it can be sent again. */
export function markContent(db: Db, id: string, at: number | null): void {
  db.query("UPDATE mail SET content_at = ? WHERE id = ?").run(at, id);
}

/** `awaitsServer`: the mail server as a whole failed, not this mail. */
export function markQueued(
  db: Db,
  id: string,
  next: { attempts: number; nextAttemptAt: number; awaitsServer: boolean; reason: string },
): void {
  db.query(
    `UPDATE mail SET state = 'queued', attempts = $attempts, next_attempt_at = $nextAttemptAt,
       awaits_server = $awaitsServer, reason = $reason WHERE id = $id`,
  ).run({ id, ...next });
}

/** `refused`: the mail server would refuse it again. */
export function markEnded(
  db: Db,
  id: string,
  ended: {
    state: Exclude<MailState, "queued" | "sending">;
    reason: string | null;
    refused: boolean;
    /** Unix milliseconds. */
    endedAt: number;
  },
): void {
  db.query(
    `UPDATE mail SET state = $state, next_attempt_at = NULL, reason = $reason, refused = $refused, ended_at = $endedAt
     WHERE id = $id`,
  ).run({ id, ...ended });
}

/**
 * Resolves mails that were in progress when the process ended: due again if no content had left, otherwise unknown.
 * Informs customers who may have received an invoice that was voided meanwhile. Returns the number of unknown ones.
 */
export function markInterrupted(db: Db, now: number): number {
  return transact(db, () => {
    const reason = "Till stopped while it was being sent";
    db.query(
      `UPDATE mail SET state = 'queued', next_attempt_at = $now, reason = $reason
       WHERE ${open} AND state = 'sending' AND content_at IS NULL`,
    ).run({ now, reason });
    const interrupted = db
      .query<{ deposit_index: bigint; is_void: bigint }, [string]>(
        `UPDATE mail SET state = 'unknown', reason = ? WHERE ${open} AND state = 'sending'
         RETURNING deposit_index, kind = 'invoice' AND EXISTS (SELECT 1 FROM receivable
           WHERE receivable.deposit_index = mail.deposit_index AND voided_at IS NOT NULL) AS is_void`,
      )
      .all(reason);
    for (const { deposit_index, is_void } of interrupted)
      if (is_void) insertOnce(db, { depositIndex: Number(deposit_index), kind: "void", createdAt: now });
    return interrupted.length;
  });
}

const due = columns("mail", {
  id: text(),
  depositIndex: integer(),
  kind: text<MailKind>(),
  occasion: text(),
  attempts: integer(),
});

/** Reminders come last, as many are due at once; without `reminders` they are left out. */
export const listDue = (
  db: Db,
  { now, limit, reminders }: { now: number; limit: number; reminders: boolean },
): DueMail[] =>
  selectAll(
    db,
    due,
    `WHERE state = 'queued' AND next_attempt_at <= ? AND (? OR kind <> 'reminder')
       ORDER BY kind = 'reminder', next_attempt_at LIMIT ?`,
    now,
    reminders ? 1 : 0,
    limit,
  );

/** Mails waiting for the mail server to recover, oldest first, with the time they are due otherwise. */
export function listAwaiting(
  db: Db,
  { limit, reminders }: { limit: number; reminders: boolean },
): (DueMail & { nextAttemptAt: number })[] {
  return db
    .query<Row<DueMail> & { next_attempt_at: bigint }, [number, number]>(
      `SELECT ${due.list}, next_attempt_at FROM mail
       WHERE state = 'queued' AND awaits_server = 1 AND (? OR kind <> 'reminder') ORDER BY created_at LIMIT ?`,
    )
    .all(reminders ? 1 : 0, limit)
    .map((row) => ({ ...due.fromRow(row), nextAttemptAt: Number(row.next_attempt_at) }));
}

/** When the next queued mail is due, in Unix milliseconds; null if there is none. `reminders` as in `listDue`. */
export function nextDue(db: Db, { reminders }: { reminders: boolean }): number | null {
  const sql = "SELECT min(next_attempt_at) FROM mail WHERE state = 'queued' AND (? OR kind <> 'reminder')";
  return numberOf(db, sql, reminders ? 1 : 0);
}
