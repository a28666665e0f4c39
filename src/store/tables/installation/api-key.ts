import type { Grant, Scope } from "../../../domain/party/api-key.ts";
import type { Permission } from "../../../domain/party/store.ts";
import { integer, json, orNull, selectAll, selectOne, columns as table, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

export type ApiKey = Grant & {
  id: number;
  name: string;
  /** Of a shop's plugin: its store, and what it asked for. */
  storeId: string | null;
  permissions: readonly Permission[] | null;
  /** Unix time in milliseconds. */
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** From when on it may name a wallet that this Till never paid to; 0 for always. */
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

/** Stores only the SHA-256 of a key: reading the database does not reveal it. Returns the id of the key. */
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

/** What a request's key allows. One that is over is found, too: it says so. */
export type UsedKey = ReturnType<typeof asked.fromRow>;

export const activeByHash = (db: Db, hash: string): UsedKey | null =>
  selectOne(db, asked, "WHERE hash = ? AND revoked_at IS NULL", hash);

/** One that is over counts: with the end of its last key, a Till must not be open again. */
export function anyActive(db: Db): boolean {
  return db.query("SELECT 1 FROM api_key WHERE revoked_at IS NULL LIMIT 1").get() !== null;
}

/** The same of a shop's plugins. */
export const anyActiveOfStore = (db: Db, storeId: string): boolean =>
  list(db).some((key) => key.storeId === storeId && key.revokedAt === null);

/** Those that may name no new wallet yet, may not until then at least. */
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
