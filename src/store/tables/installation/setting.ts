import type { Db } from "../../database.ts";

/**
 * A setting made at the desk, by the name of its variable without TILL_. Secrets are sealed; null means it was reset.
 */
export type Setting = { name: string; value: string | null; changedAt: number; changedBy: string };

export const list = (db: Db): Setting[] =>
  db
    .query<{ name: string; value: string | null; changed_at: bigint; changed_by: string }, []>(
      "SELECT name, value, changed_at, changed_by FROM setting ORDER BY name",
    )
    .all()
    .map(({ name, value, changed_at, changed_by }) => ({
      name,
      value,
      changedAt: Number(changed_at),
      changedBy: changed_by,
    }));

/** `value` null resets it. */
export function set(db: Db, name: string, value: string | null, by: string, now: number): void {
  db.query("REPLACE INTO setting (name, value, changed_at, changed_by) VALUES (?, ?, ?, ?)").run(
    name,
    value,
    now,
    by,
  );
}
