import { integer, orNull, type Row, columns as table, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

const columns = table("pass", {
  reason: text(),
  /** When the next pass begins, in Unix milliseconds. */
  dueAt: integer(),
  /** The last blocks of the previous two passes; null when there was none. */
  last: orNull(integer("last_block")),
  beforeLast: orNull(integer("before_last_block")),
});

/** A regular pass over blocks already read. */
export type Pass = ReturnType<typeof columns.fromRow>;

export function byReason(db: Db, reason: string): Pass | null {
  const row = db.query<Row<Pass>, [string]>(`SELECT ${columns.list} FROM pass WHERE reason = ?`).get(reason);
  return row && columns.fromRow(row);
}

export function save(db: Db, pass: Pass): void {
  db.query(
    `${columns.insert()} ON CONFLICT DO UPDATE SET due_at = $dueAt, last_block = $last, before_last_block = $beforeLast`,
  ).run(columns.values(pass));
}
