import { integer, orNull, selectAll, columns as table, text } from "../../columns.ts";
import { type Db, numberOrNull } from "../../database.ts";

type ApiKey = {
  id: number;
  name: string;
  /** Unix time in milliseconds. */
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
};

const columns = table("api_key", {
  id: integer(),
  name: text(),
  createdAt: integer(),
  lastUsedAt: orNull(integer()),
  revokedAt: orNull(integer()),
});

/** Stores only the SHA-256 of a key: reading the database does not reveal it. Returns the id of the key. */
export function insert(db: Db, key: { name: string; hash: string; createdAt: number }): number {
  const { lastInsertRowid } = db
    .query("INSERT INTO api_key (name, hash, created_at) VALUES ($name, $hash, $createdAt)")
    .run(key);
  return Number(lastInsertRowid);
}

export function activeByHash(db: Db, hash: string): { id: number; lastUsedAt: number | null } | null {
  const row = db
    .query<{ id: bigint; last_used_at: bigint | null }, [string]>(
      "SELECT id, last_used_at FROM api_key WHERE hash = ? AND revoked_at IS NULL",
    )
    .get(hash);
  return row && { id: Number(row.id), lastUsedAt: numberOrNull(row.last_used_at) };
}

export function anyActive(db: Db): boolean {
  return db.query("SELECT 1 FROM api_key WHERE revoked_at IS NULL LIMIT 1").get() !== null;
}

export function setUsed(db: Db, id: number, now: number): void {
  db.query("UPDATE api_key SET last_used_at = ? WHERE id = ?").run(now, id);
}

/** Returns false when there is no active key of this id. */
export function revoke(db: Db, id: number, now: number): boolean {
  return (
    db.query("UPDATE api_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL").run(now, id).changes > 0
  );
}

export const list = (db: Db): ApiKey[] => selectAll(db, columns, "ORDER BY id");
