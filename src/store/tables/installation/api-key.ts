import type { Grant, Scope } from "../../../domain/party/api-key.ts";
import type { Permission } from "../../../domain/party/store.ts";
import { integer, json, orNull, selectAll, selectOne, columns as table, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

export type ApiKey = Grant & {
  id: number;
  name: string;
  /** For a shop's plugin: its store, and the permissions it asked for. Null for other keys. */
  storeId: string | null;
  permissions: readonly Permission[] | null;
  /** Unix time in milliseconds. */
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** When it may first name a wallet that this Till never paid to; 0 for always. */
  walletsFrom: number;
};

const columns = table("api_key", {
  id: integer(),
  name: text(),
  scope: text<Scope>(),
  merchant: orNull(text()),
  storeId: orNull(text()),
  permissions: orNull(json<readonly Permission[]>()),
  createdAt: integer(),
  lastUsedAt: orNull(integer()),
  expiresAt: orNull(integer()),
  revokedAt: orNull(integer()),
  walletsFrom: integer(),
});

const made = columns.omit("id", "lastUsedAt", "revokedAt");

/** Stores only the SHA-256 of a key, so that reading the database does not reveal it. Returns the key's id. */
export function insert(
  db: Db,
  { hash, ...key }: Parameters<typeof made.values>[0] & { hash: string },
): number {
  const { lastInsertRowid } = db.query(made.insert({ hash: "$hash" })).run({ ...made.values(key), hash });
  return Number(lastInsertRowid);
}

const asked = columns.pick(
  "id",
  "name",
  "scope",
  "merchant",
  "storeId",
  "permissions",
  "lastUsedAt",
  "expiresAt",
  "walletsFrom",
);

/** The rights of a request's key. Expired keys are found too, so that the answer can say so. */
export type UsedKey = ReturnType<typeof asked.fromRow>;

export const activeByHash = (db: Db, hash: string): UsedKey | null =>
  selectOne(db, asked, "WHERE hash = ? AND revoked_at IS NULL", hash);

/** Expired keys count: a Till must not be open again when its last key expires. */
export function anyActive(db: Db): boolean {
  return db.query("SELECT 1 FROM api_key WHERE revoked_at IS NULL LIMIT 1").get() !== null;
}

/** Like `anyActive`, for a shop's plugins. */
export const anyActiveOfStore = (db: Db, storeId: string): boolean =>
  list(db).some((key) => key.storeId === storeId && key.revokedAt === null);

/** Postpones until at least `until` when keys that are still waiting may name a new wallet. */
export const putOff = (db: Db, now: number, until: number): void =>
  void db
    .query("UPDATE api_key SET wallets_from = max(wallets_from, $until) WHERE wallets_from > $now")
    .run({ now, until });

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
