import { newId } from "../../../lib/crypto.ts";
import { columns, integer, orNull, selectAll, text } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";

/** A mail informing an owner of a change or a refund, so that they can stop it or look into it. */
export type OwnerMail = {
  id: string;
  aboutId: string;
  to: string;
  /** The change whose previous mail server sends it; null for the current server. */
  serverBefore: string | null;
  attempts: number;
  /** Unix ms; null once it has ended. */
  nextAttemptAt: number | null;
  /** Why the last attempt failed. */
  reason: string | null;
};

const mail = columns("owner_mail", {
  id: text(),
  aboutId: text(),
  to: text("to_address"),
  serverBefore: orNull(text()),
  attempts: integer(),
  nextAttemptAt: orNull(integer()),
  reason: orNull(text()),
});

/** Queues a mail, due at once, in the transaction of what it reports. */
export function insert(db: Db, aboutId: string, to: string, serverBefore: string | null, now: number): void {
  const values = {
    id: newId("mail"),
    aboutId,
    to,
    serverBefore,
    attempts: 0,
    nextAttemptAt: now,
    reason: null,
  };
  db.query(mail.insert()).run(mail.values(values));
}

export const listDue = (db: Db, now: number, limit: number): OwnerMail[] =>
  selectAll(db, mail, "WHERE next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?", now, limit);

export const nextDue = (db: Db): number | null =>
  numberOf(db, "SELECT min(next_attempt_at) FROM owner_mail WHERE next_attempt_at IS NOT NULL");

/** Mails about a change or a refund. */
export const listOf = (db: Db, aboutId: string): OwnerMail[] =>
  selectAll(db, mail, "WHERE about_id = ? ORDER BY rowid", aboutId);

export function setTried(db: Db, tried: Omit<OwnerMail, "aboutId" | "to" | "serverBefore">): void {
  db.query(
    "UPDATE owner_mail SET attempts = $attempts, next_attempt_at = $nextAttemptAt, reason = $reason WHERE id = $id",
  ).run(tried);
}
