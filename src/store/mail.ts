import { type Db, numberOrNull } from "./database.ts";

/**
 * queued: waits for its next attempt. sending: handed to the mail server just now. unknown: may have been
 * delivered, so it is not repeated by itself. superseded: the merchant sent another one meanwhile.
 */
export type MailState = "queued" | "sending" | "sent" | "failed" | "unknown" | "superseded";

/** invoice: brings the invoice to the vendor. receipt: tells the vendor, and notice the merchant, that it is paid. */
export type MailKind = "invoice" | "receipt" | "notice";

export type DueMail = { id: string; sequence: number; kind: MailKind; attempts: number };

export function insertQueued(
  db: Db,
  mail: { id: string; sequence: number; createdAt: number; nextAttemptAt: number },
): void {
  db.query(
    `INSERT INTO mail (id, sequence, state, next_attempt_at, created_at)
     VALUES ($id, $sequence, 'queued', $nextAttemptAt, $createdAt)`,
  ).run(mail);
}

/** Whatever has become of the first one of its kind: there is never a second one of an invoice. */
export function insertOnce(
  db: Db,
  mail: { id: string; sequence: number; kind: Exclude<MailKind, "invoice">; createdAt: number },
): void {
  db.query(
    `INSERT INTO mail (id, sequence, kind, state, next_attempt_at, created_at)
     VALUES ($id, $sequence, $kind, 'queued', $createdAt, $createdAt) ON CONFLICT DO NOTHING`,
  ).run(mail);
}

/** Forgets a mail that has certainly not been delivered. */
export function removeQueued(db: Db, id: string): void {
  db.query("DELETE FROM mail WHERE id = ? AND state = 'queued'").run(id);
}

/** Takes a mail out of the outbox for one attempt. False when it does not wait there any more. */
export function markSending(db: Db, id: string): boolean {
  return (
    db
      .query(
        `UPDATE mail SET state = 'sending', attempts = attempts + 1, next_attempt_at = NULL
         WHERE id = ? AND state = 'queued'`,
      )
      .run(id).changes > 0
  );
}

export function markQueued(db: Db, id: string, nextAttemptAt: number, reason: string): void {
  db.query("UPDATE mail SET state = 'queued', next_attempt_at = ?, reason = ? WHERE id = ?").run(
    nextAttemptAt,
    reason,
    id,
  );
}

export function markEnded(
  db: Db,
  id: string,
  state: Exclude<MailState, "queued" | "sending">,
  reason: string | null,
): void {
  db.query("UPDATE mail SET state = ?, next_attempt_at = NULL, reason = ? WHERE id = ?").run(
    state,
    reason,
    id,
  );
}

/** Once the invoice was mailed, an earlier mail with it that still waits would be a duplicate. */
export function supersedeQueued(db: Db, sequence: number): void {
  db.query(
    "UPDATE mail SET state = 'superseded', next_attempt_at = NULL WHERE sequence = ? AND kind = 'invoice' AND state = 'queued'",
  ).run(sequence);
}

/** What was being sent when the process ended: nobody knows whether it arrived. Returns how many there were. */
export function markInterrupted(db: Db): number {
  return db
    .query(
      "UPDATE mail SET state = 'unknown', reason = 'Till stopped while it was being sent' WHERE state = 'sending'",
    )
    .run().changes;
}

export function byId(db: Db, id: string): { state: MailState; reason: string | null } | null {
  return db
    .query<{ state: MailState; reason: string | null }, [string]>(
      "SELECT state, reason FROM mail WHERE id = ?",
    )
    .get(id);
}

export function listDue(db: Db, now: number, limit: number): DueMail[] {
  return db
    .query<{ id: string; sequence: bigint; kind: MailKind; attempts: bigint }, [number, number]>(
      `SELECT id, sequence, kind, attempts FROM mail WHERE state = 'queued' AND next_attempt_at <= ?
       ORDER BY next_attempt_at LIMIT ?`,
    )
    .all(now, limit)
    .map((row) => ({ ...row, sequence: Number(row.sequence), attempts: Number(row.attempts) }));
}

/** When the next queued mail is due, in Unix milliseconds; null when none is waiting. */
export function nextDue(db: Db): number | null {
  const row = db
    .query<{ next: bigint | null }, []>(
      "SELECT min(next_attempt_at) AS next FROM mail WHERE state = 'queued'",
    )
    .get();
  return numberOrNull(row?.next);
}
