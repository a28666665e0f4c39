import { newId } from "../../../lib/crypto/id.ts";
import { columns, integer, type Row, text } from "../../columns.ts";
import { type Db, numberOrNull, transact } from "../../database.ts";

/**
 * queued: waits for its next attempt. sending: an attempt is under way; once `content_at` is set the mail server may
 * have it. unknown: may have been delivered, so it is not repeated by itself. superseded: the merchant sent another
 * one meanwhile, or there is nothing to say any more.
 */
export type MailState = "queued" | "sending" | "sent" | "failed" | "unknown" | "superseded";

/** The condition of the index of mails that a person may have to look at. */
export const open = "state IN ('queued', 'sending', 'failed', 'unknown')";

/**
 * To the one who pays: `invoice` brings the invoice, `reminder` asks for the money, `void` says that nothing is owed any
 * more, `credit` brings a credit note, its number the occasion, and `receipt` tells of money that came. `notice` tells
 * the merchant of it.
 */
export type MailKind = "invoice" | "reminder" | "void" | "receipt" | "notice" | "credit";

/** `occasion`: what it is about when there can be several of its kind; `""` when all of it is paid, or nothing else. */
export type DueMail = {
  id: string;
  depositIndex: number;
  kind: MailKind;
  occasion: string;
  attempts: number;
};

export function insertQueued(
  db: Db,
  mail: Omit<DueMail, "attempts"> & { createdAt: number; nextAttemptAt: number },
): void {
  db.query(
    `INSERT INTO mail (id, deposit_index, kind, occasion, state, next_attempt_at, created_at)
     VALUES ($id, $depositIndex, $kind, $occasion, 'queued', $nextAttemptAt, $createdAt)`,
  ).run(mail);
}

/** The outbox leaves a new mail alone for as long as its creator may take to begin with it. */
const creatorsTurnMs = 20_000;

/** Writes the first mail of an invoice, in the invoice's own transaction. Returns its id. */
export function insertFirst(db: Db, depositIndex: number, now: number): string {
  const id = newId("mail");
  const nextAttemptAt = now + creatorsTurnMs;
  insertQueued(db, { id, depositIndex, kind: "invoice", occasion: "", createdAt: now, nextAttemptAt });
  return id;
}

/**
 * Writes a mail for an occasion, due at once. False when there was one of its kind for it, whatever has become of that:
 * there is never a second one.
 */
export function insertOnce(
  db: Db,
  mail: {
    depositIndex: number;
    kind: Exclude<MailKind, "invoice">;
    occasion?: string;
    createdAt: number;
  },
): boolean {
  return (
    db
      .query(
        `INSERT INTO mail (id, deposit_index, kind, occasion, state, next_attempt_at, created_at)
         VALUES ($id, $depositIndex, $kind, $occasion, 'queued', $createdAt, $createdAt) ON CONFLICT DO NOTHING`,
      )
      .run({ occasion: "", ...mail, id: newId("mail") }).changes > 0
  );
}

/** Whether a mail that goes out once still waits for its first or next attempt. */
export function isQueued(db: Db, depositIndex: number, kind: MailKind): boolean {
  return (
    db
      .query("SELECT 1 FROM mail WHERE deposit_index = ? AND kind = ? AND occasion = '' AND state = 'queued'")
      .get(depositIndex, kind) !== null
  );
}

/** Whether a mail that goes out once is on its way, has gone, or may have. */
export function mayHaveGone(db: Db, depositIndex: number, kind: MailKind, occasion = ""): boolean {
  return (
    db
      .query(
        `SELECT 1 FROM mail WHERE deposit_index = ? AND kind = ? AND occasion = ?
           AND state IN ('sending', 'sent', 'unknown')`,
      )
      .get(depositIndex, kind, occasion) !== null
  );
}

/** When a mail about an occasion was sent, the last time, in Unix milliseconds; null when it was not. */
export function sentAt(db: Db, depositIndex: number, kind: MailKind, occasion: string): number | null {
  const row = db
    .query<{ ended_at: bigint | null }, [number, string, string]>(
      "SELECT max(ended_at) AS ended_at FROM mail WHERE deposit_index = ? AND kind = ? AND occasion = ? AND state = 'sent'",
    )
    .get(depositIndex, kind, occasion);
  return numberOrNull(row?.ended_at);
}

/** Forgets a mail that certainly did not go out, and will not, so that another can be written in its place. */
export function removeUnsent(db: Db, depositIndex: number, kind: MailKind): void {
  db.query(
    "DELETE FROM mail WHERE deposit_index = ? AND kind = ? AND occasion = '' AND state IN ('queued', 'failed')",
  ).run(depositIndex, kind);
}

/** Forgets the mails of a kind that wait. */
export function removeQueuedOf(db: Db, depositIndex: number, kind: MailKind): void {
  db.query("DELETE FROM mail WHERE deposit_index = ? AND kind = ? AND state = 'queued'").run(
    depositIndex,
    kind,
  );
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
        `UPDATE mail SET state = 'sending', attempts = attempts + 1, next_attempt_at = NULL, content_at = NULL
         WHERE id = ? AND state = 'queued'`,
      )
      .run(id).changes > 0
  );
}

/** Before the first byte of the content leaves; null once it is clear that it was not taken. Without it a mail can be sent again. */
export function markContent(db: Db, id: string, at: number | null): void {
  db.query("UPDATE mail SET content_at = ? WHERE id = ?").run(at, id);
}

export function markQueued(db: Db, id: string, nextAttemptAt: number, reason: string): void {
  db.query("UPDATE mail SET state = 'queued', next_attempt_at = ?, reason = ? WHERE id = ?").run(
    nextAttemptAt,
    reason,
    id,
  );
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

/** Mails of a kind that still wait are not to go out any more, as when another one did: all, or those of an occasion. */
export function supersedeQueued(
  db: Db,
  depositIndex: number,
  kind: "invoice" | "reminder" | "credit",
  occasion: string | null = null,
): void {
  db.query(
    `UPDATE mail SET state = 'superseded', next_attempt_at = NULL
     WHERE deposit_index = ? AND kind = ? AND state = 'queued' AND occasion = coalesce(?, occasion)`,
  ).run(depositIndex, kind, occasion);
}

/** Whether a mail with the invoice may have been delivered although nobody knows. */
export const mayHaveArrived = (db: Db, depositIndex: number): boolean =>
  hasInvoiceMail(db, depositIndex, ["unknown"]);

/** The same, or whether one is on its way. */
export const mayArrive = (db: Db, depositIndex: number): boolean =>
  hasInvoiceMail(db, depositIndex, ["unknown", "sending"]);

function hasInvoiceMail(db: Db, depositIndex: number, states: readonly MailState[]): boolean {
  const sql = `SELECT 1 FROM mail WHERE deposit_index = ? AND kind = 'invoice'
    AND state IN (SELECT value FROM json_each(?))`;
  return db.query(sql).get(depositIndex, JSON.stringify(states)) !== null;
}

/**
 * What was being sent when the process ended: it is due again when nothing of its content had left, otherwise nobody
 * knows whether it arrived. Who may have got an invoice that was voided meanwhile is told. Returns how many nobody knows
 * about.
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
         RETURNING deposit_index, kind = 'invoice' AND EXISTS (SELECT 1 FROM invoice
           WHERE invoice.deposit_index = mail.deposit_index AND voided_at IS NOT NULL) AS is_void`,
      )
      .all(reason);
    for (const { deposit_index, is_void } of interrupted)
      if (is_void) insertOnce(db, { depositIndex: Number(deposit_index), kind: "void", createdAt: now });
    return interrupted.length;
  });
}

export function byId(
  db: Db,
  id: string,
): { state: MailState; reason: string | null; refused: boolean } | null {
  const row = db
    .query<{ state: MailState; reason: string | null; refused: bigint }, [string]>(
      "SELECT state, reason, refused FROM mail WHERE id = ?",
    )
    .get(id);
  return row && { ...row, refused: row.refused === 1n };
}

/** Why the mail server refused the mail with an invoice for good; null when it did not. */
export function refusalOf(db: Db, depositIndex: number): string | null {
  const row = db
    .query<{ reason: string }, [number]>(
      "SELECT reason FROM mail WHERE deposit_index = +? AND kind = 'invoice' AND refused = 1 ORDER BY created_at LIMIT 1",
    )
    .get(depositIndex);
  return row?.reason ?? null;
}

const due = columns("mail", {
  id: text(),
  depositIndex: integer(),
  kind: text<MailKind>(),
  occasion: text(),
  attempts: integer(),
});

/** Reminders come last, of which many are due at once; without `reminders` they are left out. */
export function listDue(
  db: Db,
  { now, limit, reminders }: { now: number; limit: number; reminders: boolean },
): DueMail[] {
  return db
    .query<Row<DueMail>, [number, number, number]>(
      `SELECT ${due.list} FROM mail
       WHERE state = 'queued' AND next_attempt_at <= ? AND (? OR kind <> 'reminder')
       ORDER BY kind = 'reminder', next_attempt_at LIMIT ?`,
    )
    .all(now, reminders ? 1 : 0, limit)
    .map(due.fromRow);
}

/** When the next queued mail is due, in Unix milliseconds; null when none is waiting. `reminders` as in `listDue`. */
export function nextDue(db: Db, { reminders }: { reminders: boolean }): number | null {
  const row = db
    .query<{ next: bigint | null }, [number]>(
      "SELECT min(next_attempt_at) AS next FROM mail WHERE state = 'queued' AND (? OR kind <> 'reminder')",
    )
    .get(reminders ? 1 : 0);
  return numberOrNull(row?.next);
}
