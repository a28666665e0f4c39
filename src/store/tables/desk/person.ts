import type { Person, Role } from "../../../domain/person.ts";
import { columns, integer, orNull, type Row, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

export const personColumns = columns("person", {
  id: integer(),
  name: text(),
  role: text<Role>(),
  createdAt: integer(),
  removedAt: orNull(integer()),
});

/** Whether anybody can get in at all: as long as nobody can, the first start prints a link. */
export function anyActive(db: Db): boolean {
  return db.query("SELECT 1 FROM person WHERE removed_at IS NULL LIMIT 1").get() !== null;
}

/** Those who were removed too, last. */
export function list(db: Db): Person[] {
  return db
    .query<Row<Person>, []>(`SELECT ${personColumns.list} FROM person ORDER BY removed_at IS NOT NULL, id`)
    .all()
    .map(personColumns.fromRow);
}

export function byId(db: Db, id: number): Person | null {
  const row = db
    .query<Row<Person>, [number]>(`SELECT ${personColumns.list} FROM person WHERE id = +?`)
    .get(id);
  return row && personColumns.fromRow(row);
}

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
