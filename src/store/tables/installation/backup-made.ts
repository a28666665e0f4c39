import { type Db, numberOf } from "../../database.ts";

/** When the newest backup was made, in Unix ms; null when none is known. */
export function at(db: Db): number | null {
  return numberOf(db, "SELECT made_at FROM backup_made");
}

export function note(db: Db, now: number): void {
  db.query(
    "INSERT INTO backup_made (id, made_at) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET made_at = ?1",
  ).run(now);
}
