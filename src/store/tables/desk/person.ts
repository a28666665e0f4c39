import type { LanguageCode } from "../../../domain/language.ts";
import type { Person, Role } from "../../../domain/party/person.ts";
import { columns, integer, orNull, type Row, selectAll, selectOne, text } from "../../columns.ts";
import { type Db, numberOf, numberOrNull, textOf } from "../../database.ts";

export const personColumns = columns("person", {
  id: integer(),
  name: text(),
  role: text<Role>(),
  language: orNull(text<LanguageCode>()),
  createdAt: integer(),
  removedAt: orNull(integer()),
});

/** Returns whether anybody can sign in; otherwise Till explains at startup how to get in. */
export function anyActive(db: Db): boolean {
  return db.query("SELECT 1 FROM person WHERE removed_at IS NULL LIMIT 1").get() !== null;
}

export const byId = (db: Db, id: number): Person | null => selectOne(db, personColumns, "WHERE id = +?", id);

/** Returns the id. */
export function insert(
  db: Db,
  person: { name: string; role: Role; handle: string; passwordHash: string | null; createdAt: number },
): number {
  const { lastInsertRowid } = db
    .query(
      `INSERT INTO person (name, role, handle, password_hash, created_at)
       VALUES ($name, $role, $handle, $passwordHash, $createdAt)`,
    )
    .run(person);
  return Number(lastInsertRowid);
}

/** Data needed only for signing in. */
type Credentials = {
  /** WebAuthn's user handle. */
  handle: string;
  /** Null without a password. */
  passwordHash: string | null;
};

const credentials = columns("person", { handle: text(), passwordHash: orNull(text()) });

export const credentialsOf = (db: Db, id: number): Credentials | null =>
  selectOne(db, credentials, "WHERE id = ? AND removed_at IS NULL", id);

/** Returns whether anybody signs in with a password. */
export function anyPassword(db: Db): boolean {
  return (
    db.query("SELECT 1 FROM person WHERE password_hash IS NOT NULL AND removed_at IS NULL LIMIT 1").get() !==
    null
  );
}

/** Returns whether a person can sign in without a link. */
export function hasWayIn(db: Db, id: number): boolean {
  const row = db
    .query(
      `SELECT 1 FROM person WHERE id = ? AND removed_at IS NULL
         AND (password_hash IS NOT NULL OR EXISTS (SELECT 1 FROM passkey WHERE person_id = person.id))`,
    )
    .get(id);
  return row !== null;
}

/** The person of this name, in any case, unless removed. */
export const byName = (db: Db, name: string): Person | null =>
  selectOne(db, personColumns, "WHERE name = ? COLLATE NOCASE AND removed_at IS NULL", name);

/** A person who was not removed, with the time one of their browsers was last seen. */
export type Colleague = Person & { seenAt: number | null };

/** Everybody who was not removed, in order of arrival. */
export function listActive(db: Db): Colleague[] {
  return db
    .query<Row<Person> & { seen_at: bigint | null }, []>(
      `SELECT ${personColumns.list}, (SELECT max(seen_at) FROM session WHERE person_id = person.id) AS seen_at
       FROM person WHERE removed_at IS NULL ORDER BY id`,
    )
    .all()
    .map((row) => ({ ...personColumns.fromRow(row), seenAt: numberOrNull(row.seen_at) }));
}

/** The owners' mail addresses, in order of arrival. */
export function listOwnerMails(db: Db): string[] {
  const sql =
    "SELECT email FROM person WHERE role = 'owner' AND removed_at IS NULL AND email IS NOT NULL ORDER BY id";
  return db
    .query<{ email: string }, []>(sql)
    .all()
    .map(({ email }) => email);
}

export const emailOf = (db: Db, id: number): string | null =>
  textOf(db, "SELECT email FROM person WHERE id = ?", id);

export function setEmail(db: Db, id: number, email: string | null): void {
  db.query("UPDATE person SET email = ? WHERE id = ?").run(email, id);
}

/** Number of people who can let others in. */
export function countOwners(db: Db): number {
  return numberOf(db, "SELECT count(*) FROM person WHERE role = 'owner' AND removed_at IS NULL") ?? 0;
}

export function setLanguage(db: Db, id: number, language: LanguageCode | null): void {
  db.query("UPDATE person SET language = ? WHERE id = ?").run(language, id);
}

export function setName(db: Db, id: number, name: string): void {
  db.query("UPDATE person SET name = ? WHERE id = ?").run(name, id);
}

export function setRole(db: Db, id: number, role: Role): void {
  db.query("UPDATE person SET role = ? WHERE id = ?").run(role, id);
}

export function setPassword(db: Db, id: number, passwordHash: string | null): void {
  db.query("UPDATE person SET password_hash = ? WHERE id = ?").run(passwordHash, id);
}

/** Keeps the row, as the audit refers to it. */
export function remove(db: Db, id: number, now: number): void {
  db.query("UPDATE person SET removed_at = ?, password_hash = NULL WHERE id = ?").run(now, id);
}

/** A person at the desk who was removed, and whom a restored backup brought back, or may have where that is unknown. */
type BroughtBack = { id: number; name: string; broughtBack: "removed" | "unknown" };

const broughtBack = columns("person", {
  id: integer(),
  name: text(),
  broughtBack: text<BroughtBack["broughtBack"]>(),
});

export const listBroughtBack = (db: Db): BroughtBack[] =>
  selectAll(db, broughtBack, "WHERE removed_at IS NULL AND brought_back IS NOT NULL ORDER BY id");

/** Handles of removed people: ids may belong to others in another database. */
export function listRemoved(db: Db): string[] {
  return db
    .query<{ handle: string }, []>(
      "SELECT handle FROM person WHERE removed_at IS NOT NULL OR brought_back = 'removed'",
    )
    .all()
    .map(({ handle }) => handle);
}

/** Call it after a restore. `removed`: handles of people known to have been removed; `isAll`: nobody else was. */
export function markBroughtBack(db: Db, removed: readonly string[], isAll: boolean): void {
  db.query(
    `UPDATE person SET brought_back = CASE
       WHEN handle IN (SELECT value FROM json_each($removed)) THEN 'removed'
       WHEN NOT $isAll THEN coalesce(brought_back, 'unknown')
     END WHERE removed_at IS NULL`,
  ).run({ removed: JSON.stringify(removed), isAll });
}

/** Confirms that everybody at the desk belongs there. */
export function keepBroughtBack(db: Db): void {
  db.run("UPDATE person SET brought_back = NULL WHERE brought_back IS NOT NULL");
}
