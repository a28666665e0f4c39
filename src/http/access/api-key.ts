import { isToken, newToken, tokenHash } from "../../lib/crypto/id.ts";
import { type Db, ifStorable } from "../../store/database.ts";
import * as ApiKeyStore from "../../store/tables/installation/api-key.ts";

const prefix = "till_";

export const keyNameLengthMax = 100;

/** Whether a key may have this name. */
export const isKeyName = (name: string): boolean =>
  name.length <= keyNameLengthMax && /^[\p{L}\p{N} ._-]+$/u.test(name);

/** Record the last use at most this often, so that not every request costs a write. */
const usedIntervalMs = 60_000;

/** Creates a key and returns it; it is not stored and cannot be shown again. */
export function createApiKey(db: Db, name: string, now: number): { id: number; key: string } {
  const key = prefix + newToken();
  return { id: ApiKeyStore.insert(db, { name, hash: tokenHash(key), createdAt: now }), key };
}

/** A valid key's id, or null. Keys are looked up by hash, so timing reveals nothing about them. */
export function useApiKey(db: Db, key: string, now: number): number | null {
  if (!key.startsWith(prefix) || !isToken(key.slice(prefix.length))) return null;
  const row = ApiKeyStore.activeByHash(db, tokenHash(key));
  if (!row) return null;
  if (row.lastUsedAt === null || now - row.lastUsedAt > usedIntervalMs)
    ifStorable(db, () => ApiKeyStore.setUsed(db, row.id, now));
  return row.id;
}
