import type { Db } from "../../database.ts";

/** The newest backup that is known; null when none is. `madeAt` in Unix ms. */
export function newest(db: Db): { madeAt: number; hasWallet: boolean } | null {
  const row = db
    .query<{ made_at: bigint; has_wallet: bigint }, []>("SELECT made_at, has_wallet FROM backup_made")
    .get();
  return row && { madeAt: Number(row.made_at), hasWallet: row.has_wallet === 1n };
}

export function note(db: Db, madeAt: number, hasWallet: boolean): void {
  db.query("REPLACE INTO backup_made (id, made_at, has_wallet) VALUES (1, ?, ?)").run(
    madeAt,
    hasWallet ? 1 : 0,
  );
}

/** After a restore: of the backups that the database tells of nobody knows whether they are still there. */
export function forget(db: Db): void {
  db.run("DELETE FROM backup_made");
}
