import { columns, integer, selectAll, selectOne, text } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";

/** An unfinished invoice: its form as last sent. */
export type Draft = {
  id: number;
  /** JSON. */
  form: string;
  /** Unix times in milliseconds. */
  createdAt: number;
  changedAt: number;
};

const stored = columns("draft", { id: integer(), form: text(), createdAt: integer(), changedAt: integer() });

/** Most recently changed first. */
export const list = (db: Db, limit: number): Draft[] =>
  selectAll(db, stored, "ORDER BY changed_at DESC, id DESC LIMIT ?", limit);

export function count(db: Db, max: number): number {
  return numberOf(db, "SELECT count(*) FROM (SELECT 1 FROM draft LIMIT ?)", max) ?? 0;
}

const byId = (db: Db, id: number): Draft | null => selectOne(db, stored, "WHERE id = ?", id);

/** Finds a draft by the id given in a page's URL. */
export const find = (db: Db, id: string | null): Draft | null =>
  id !== null && /^\d{1,15}$/.test(id) ? byId(db, Number(id)) : null;

/** Returns the id. */
export function insert(db: Db, form: string, now: number): number {
  const { lastInsertRowid } = db
    .query("INSERT INTO draft (form, created_at, changed_at) VALUES ($form, $now, $now)")
    .run({ form, now });
  return Number(lastInsertRowid);
}

/** Returns false when the draft is gone. */
export function update(db: Db, id: number, form: string, now: number): boolean {
  return db.query("UPDATE draft SET form = ?, changed_at = ? WHERE id = ?").run(form, now, id).changes > 0;
}

export function remove(db: Db, id: number): void {
  db.query("DELETE FROM draft WHERE id = ?").run(id);
}
