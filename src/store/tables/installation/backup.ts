import type { Db } from "../../database.ts";

/** The newest known backup; null if there is none. `madeAt` in Unix ms. */
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

/** Call it after a restore: whether the backups in the database still exist is unknown. */
export function forgetAll(db: Db): void {
  db.run("DELETE FROM backup_made");
}

/** Whether Litestream copies the database, as its table there shows: it tells nobody of its copies. */
export function isReplicated(db: Db): boolean {
  return db.query("SELECT 1 FROM sqlite_schema WHERE name = '_litestream_seq'").get() !== null;
}
