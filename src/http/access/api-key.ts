import { createHash, randomBytes } from "node:crypto";
import { type Db, isStorageFault } from "../../store/database.ts";
import * as ApiKeyStore from "../../store/tables/installation/api-key.ts";

/** 32 random bytes cannot be guessed, so one round of SHA-256 is enough at rest. */
const keyBytes = 32;
const keyForm = /^till_[A-Za-z0-9_-]{43}$/;

export const keyNameLengthMax = 100;

/** Whether a key may have this name. */
export const isKeyName = (name: string): boolean =>
  name.length <= keyNameLengthMax && /^[\p{L}\p{N} ._-]+$/u.test(name);

/** Record the last use at most this often, so that not every request costs a write. */
const usedIntervalMs = 60_000;

/** Creates a key and returns it; it is not stored and cannot be shown again. */
export function createApiKey(db: Db, name: string, now: number): { id: number; key: string } {
  const key = `till_${randomBytes(keyBytes).toString("base64url")}`;
  return { id: ApiKeyStore.insert(db, { name, hash: hashOf(key), createdAt: now }), key };
}

/** A valid key's id, or null. Keys are looked up by hash, so timing reveals nothing about them. */
export function useApiKey(db: Db, key: string, now: number): number | null {
  if (!keyForm.test(key)) return null;
  const row = ApiKeyStore.activeByHash(db, hashOf(key));
  if (!row) return null;
  if (row.lastUsedAt === null || now - row.lastUsedAt > usedIntervalMs) noteUse(db, row.id, now);
  return row.id;
}

/** A full disk must not lock out readers. */
function noteUse(db: Db, id: number, now: number): void {
  try {
    ApiKeyStore.setUsed(db, id, now);
  } catch (thrown) {
    if (!isStorageFault(thrown)) throw thrown;
  }
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
