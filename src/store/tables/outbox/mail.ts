import { newId } from "../../../lib/crypto.ts";
import { type Db, numberOf, textOf } from "../../database.ts";
import * as ReceivableStore from "../invoicing/receivable.ts";

/**
 * queued: waits for its next attempt. sending: an attempt is in progress; once `content_at` is set the mail server may
 * have it. unknown: may have been delivered, so it is not repeated automatically. superseded: the merchant sent another
 * one meanwhile, or there is nothing left to say.
 */
export type MailState = "queued" | "sending" | "sent" | "failed" | "unknown" | "superseded";

/** The condition of the index of mails that a person may have to look at. */
export const open = "state IN ('queued', 'sending', 'failed', 'unknown')";

/**
 * To the payer: `invoice` sends the invoice, `reminder` asks for the money, `void` says that nothing is owed any more,
 * `credit` sends a credit note (its number is the occasion), and `receipt` acknowledges money. To the merchant:
 * `notice` reports that money, and `counter` the takings of a day at the counter. To either: `refund`, whose occasion,
 * such as `rfd_….done`, names the refund and its stage.
 */
export type MailKind =
  | "invoice"
  | "reminder"
  | "void"
  | "receipt"
  | "notice"
  | "credit"
  | "refund"
  | "counter";

/** `occasion` distinguishes mails of one kind; `""` for full payment, or if there is only one. */
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

/** The outbox leaves a new mail alone for this long: its creator may send it first. */
const creatorsTurnMs = 20_000;

/** Writes an invoice's first mail, in the invoice's own transaction. Returns its id. */
export function insertFirst(db: Db, depositIndex: number, now: number): string {
  const id = newId("mail");
  const nextAttemptAt = now + creatorsTurnMs;
  insertQueued(db, { id, depositIndex, kind: "invoice", occasion: "", createdAt: now, nextAttemptAt });
  return id;
}

/**
 * Queues a mail for an occasion, due at once. Returns false if there ever was one of this kind for it, whatever its
 * outcome: there is never a second.
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

/**
 * Queues mails saying that everything is paid, when that happened without further money: to the payer, and to a
 * merchant whom no mail has told of the money, since queued mails about a part payment or unexpected money are now out
 * of date. Counter sales are reported in the daily mail.
 */
export function insertPaid(
  db: Db,
  depositIndex: number,
  { toPayer, createdAt }: { toPayer: boolean; createdAt: number },
): void {
  if (toPayer) insertOnce(db, { depositIndex, kind: "receipt", createdAt });
  const isTold = ["partial", "unexpected"].some((occasion) =>
    mayHaveGone(db, depositIndex, "notice", occasion),
  );
  if (!isTold && !ReceivableStore.briefAt(db, depositIndex).atCounter)
    insertOnce(db, { depositIndex, kind: "notice", createdAt });
}

/** Returns whether a one-time mail still waits for its first or next attempt. */
export function isQueued(db: Db, depositIndex: number, kind: MailKind): boolean {
  return (
    db
      .query("SELECT 1 FROM mail WHERE deposit_index = ? AND kind = ? AND occasion = '' AND state = 'queued'")
      .get(depositIndex, kind) !== null
  );
}

/** Returns whether a one-time mail is being sent, was sent, or may have been. */
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

/** When a mail for an occasion was last sent, in Unix milliseconds; null when it was not. */
export function sentAt(db: Db, depositIndex: number, kind: MailKind, occasion: string): number | null {
  const sql =
    "SELECT max(ended_at) FROM mail WHERE deposit_index = ? AND kind = ? AND occasion = ? AND state = 'sent'";
  return numberOf(db, sql, depositIndex, kind, occasion);
}

/**
 * When a reminder was last sent, in Unix milliseconds; if it still `waits`, when it was queued. Null if there was none.
 */
export function lastReminded(db: Db, depositIndex: number): { at: number; waits: boolean } | null {
  const row = db
    .query<{ at: bigint; state: MailState }, [number]>(
      `SELECT coalesce(ended_at, created_at) AS at, state FROM mail
       WHERE deposit_index = ? AND kind = 'reminder' AND state IN ('queued', 'sending', 'sent', 'unknown')
       ORDER BY state IN ('queued', 'sending') DESC, at DESC LIMIT 1`,
    )
    .get(depositIndex);
  return row && { at: Number(row.at), waits: row.state === "queued" || row.state === "sending" };
}

/** Removes a mail that has not gone out and never will, so that another can take its place. */
export function removeUnsent(db: Db, depositIndex: number, kind: MailKind): void {
  db.query(
    "DELETE FROM mail WHERE deposit_index = ? AND kind = ? AND occasion = '' AND state IN ('queued', 'failed')",
  ).run(depositIndex, kind);
}

/** Removes the queued mails of a kind. */
export function removeQueuedOf(db: Db, depositIndex: number, kind: MailKind): void {
  db.query("DELETE FROM mail WHERE deposit_index = ? AND kind = ? AND state = 'queued'").run(
    depositIndex,
    kind,
  );
}

/**
 * Withdraws queued mails of a kind, for instance because another one went out: all of them, or those of an occasion.
 */
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

/** Returns whether a mail with the invoice has an unknown outcome, so it may have been delivered. */
export const mayHaveArrived = (db: Db, depositIndex: number): boolean =>
  hasInvoiceMail(db, depositIndex, ["unknown"]);

/** Returns whether one may have been delivered, or is being sent. */
export const mayArrive = (db: Db, depositIndex: number): boolean =>
  hasInvoiceMail(db, depositIndex, ["unknown", "sending"]);

function hasInvoiceMail(db: Db, depositIndex: number, states: readonly MailState[]): boolean {
  const sql = `SELECT 1 FROM mail WHERE deposit_index = ? AND kind = 'invoice'
    AND state IN (SELECT value FROM json_each(?))`;
  return db.query(sql).get(depositIndex, JSON.stringify(states)) !== null;
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

/** Why the mail server refused the invoice's mail for good; null if it did not. */
export function refusalOf(db: Db, depositIndex: number): string | null {
  const sql = `SELECT reason FROM mail
    WHERE deposit_index = +? AND kind = 'invoice' AND refused = 1 ORDER BY created_at LIMIT 1`;
  return textOf(db, sql, depositIndex);
}
