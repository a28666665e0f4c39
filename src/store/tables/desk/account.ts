import type { Person } from "../../../domain/party/person.ts";
import { columns, integer, type Row, selectOne, text } from "../../columns.ts";
import type { Db } from "../../database.ts";
import { personColumns } from "./person.ts";

/** An account elsewhere by which somebody signs in, as its issuer calls it. */
export type Account = { issuer: string; subject: string };

const account = columns("account", { issuer: text(), subject: text() });

export function insert(db: Db, { issuer, subject }: Account, personId: number): void {
  db.query("INSERT INTO account (issuer, subject, person_id) VALUES (?, ?, ?)").run(
    issuer,
    subject,
    personId,
  );
}

export const ofPerson = (db: Db, personId: number): Account | null =>
  selectOne(db, account, "WHERE person_id = ?", personId);

/** The person of an account, who may have been removed. */
export function personOf(db: Db, { issuer, subject }: Account): Person | null {
  const row = db
    .query<Row<Person>, [string, string]>(
      `SELECT ${personColumns.list} FROM account JOIN person ON person.id = person_id WHERE issuer = ? AND subject = ?`,
    )
    .get(issuer, subject);
  return row && personColumns.fromRow(row);
}

/** Removed people whose account does not let them in again, the last one first. */
export const listRemoved = (db: Db): Person[] =>
  db
    .query<Row<Person>, []>(
      `SELECT ${personColumns.list} FROM account JOIN person ON person.id = person_id
       WHERE removed_at IS NOT NULL ORDER BY removed_at DESC`,
    )
    .all()
    .map(personColumns.fromRow);

/** Somebody who was removed, with what is needed to keep their account out of another database, too. */
export type KeptOut = Account & Pick<Person, "name" | "createdAt"> & { handle: string; removedAt: number };

const keptOut = columns("person", {
  name: text(),
  handle: text(),
  createdAt: integer(),
  removedAt: integer(),
});

export function listKeptOut(db: Db): KeptOut[] {
  return db
    .query<Row<KeptOut>, []>(
      `SELECT ${account.list}, ${keptOut.list} FROM account JOIN person ON person.id = person_id
       WHERE removed_at IS NOT NULL`,
    )
    .all()
    .map((row) => ({ ...account.fromRow(row), ...keptOut.fromRow(row) }));
}

/** Keeps accounts out that a restored backup knows nothing of, as it is older: otherwise they would be new ones. */
export function keepOut(db: Db, people: readonly KeptOut[]): void {
  for (const { issuer, subject, ...person } of people) {
    if (personOf(db, { issuer, subject }) !== null) continue;
    // Known without the account: let back.
    const sql = `${keptOut.insert({ role: "'accountant'" })} ON CONFLICT (handle) DO NOTHING`;
    const { changes, lastInsertRowid } = db.query(sql).run(keptOut.values(person));
    if (changes > 0) insert(db, { issuer, subject }, Number(lastInsertRowid));
  }
}

/** Forgets whose account it was: it is a new one from then on. */
export function removeOf(db: Db, personId: number): void {
  db.query("DELETE FROM account WHERE person_id = ?").run(personId);
}
