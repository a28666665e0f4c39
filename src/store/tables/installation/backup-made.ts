import { type Db, numberOrNull } from "../../database.ts";

/** When the newest backup was made, in Unix ms; null when none is known. */
export function at(db: Db): number | null {
  const row = db.query<{ made_at: bigint }, []>("SELECT made_at FROM backup_made").get();
  return numberOrNull(row?.made_at);
}

export function note(db: Db, now: number): void {
  db.query(
    "INSERT INTO backup_made (id, made_at) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET made_at = ?1",
  ).run(now);
}
