import { columns, integer, orNull, selectAll, selectOne, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

/** A change of who is told when money leaves, or of where new money goes. It takes effect at once. */
export type ToldChange = {
  id: string;
  kind: "mail" | "shop" | "owner" | "endpoint" | "key" | "wallet";
  /** The thing that changed, by the name people use. */
  subject: string;
  /** Unix time in milliseconds. */
  createdAt: number;
  createdBy: string;
  /** The mail address that was told before; null if there was none. */
  email: string | null;
  /** The previous mail server, sealed like the setting, and its sender; null for other kinds of change. */
  smtpUrl: string | null;
  mailFrom: string | null;
};

const change = columns("told_change", {
  id: text(),
  kind: text<ToldChange["kind"]>(),
  subject: text(),
  createdAt: integer(),
  createdBy: text(),
  email: orNull(text()),
  smtpUrl: orNull(text()),
  mailFrom: orNull(text()),
});

export const insert = (db: Db, made: ToldChange): void =>
  void db.query(change.insert()).run(change.values(made));

export const byId = (db: Db, id: string): ToldChange | null => selectOne(db, change, "WHERE id = ?", id);

/** Returns whether there was a change after a time in Unix ms. */
export const anySince = (db: Db, since: number): boolean =>
  db.query("SELECT 1 FROM told_change WHERE created_at > ? LIMIT 1").get(since) !== null;

/** Addresses that changes after a time replaced, oldest first. Includes those told before all of these changes. */
export const emailsBefore = (db: Db, since: number, limit: number): string[] =>
  db
    .query<{ email: string }, [number, number]>(
      `SELECT email FROM told_change WHERE created_at > ? AND email IS NOT NULL
       GROUP BY email ORDER BY min(created_at) LIMIT ?`,
    )
    .all(since, limit)
    .map(({ email }) => email);

/** Changes after a time that replaced a mail server, oldest first. */
export const serversBefore = (db: Db, since: number, limit: number): ToldChange[] =>
  selectAll(
    db,
    change,
    "WHERE created_at > ? AND smtp_url IS NOT NULL ORDER BY created_at, rowid LIMIT ?",
    since,
    limit,
  );
