import * as ApiKey from "../../domain/party/api-key.ts";
import { isSamePlugin } from "../../domain/party/store.ts";
import * as Address from "../../domain/wallet/address.ts";
import { endKey } from "../../invoicing/endpoints.ts";
import { type Fault, why } from "../../language/faults.ts";
import { isToken, newToken, tokenHash } from "../../lib/crypto.ts";
import { instant } from "../../lib/time.ts";
import { type Db, ifStorable, transact } from "../../store/database.ts";
import { isKnownWallet } from "../../store/reports/desk/money.ts";
import * as AuditStore from "../../store/tables/desk/audit.ts";
import type { UsedKey } from "../../store/tables/installation/api-key.ts";
import * as ApiKeyStore from "../../store/tables/installation/api-key.ts";
import { problem } from "../problem/problem.ts";

/** Returns the request's API key, valid or not. Plugins for the Greenfield API call it a token. */
export function keyOf(request: Pick<Request, "headers">): string | null {
  return /^(?:Bearer|token) +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

const prefix = "till_";

/** True if a text looks like a key of Till. */
export const isOurs = (key: string): boolean => key.startsWith(prefix);

/** The last use is recorded at most this often, so that not every request costs a write. */
const usedIntervalMs = 60_000;

/** Creates a key and returns it, once: it is not stored. It may do everything unless `grant` says less. */
export function createApiKey(
  db: Db,
  name: string,
  now: number,
  grant: Partial<
    Pick<ApiKeyStore.ApiKey, keyof ApiKey.Grant | "storeId" | "permissions" | "walletsFrom">
  > = {},
): { id: number; key: string } {
  const key = prefix + newToken();
  const none = { merchant: null, storeId: null, permissions: null, expiresAt: null, walletsFrom: 0 };
  const made = { name, scope: "full", ...none, createdAt: now, ...grant } as const;
  return { id: ApiKeyStore.insert(db, { ...made, hash: tokenHash(key) }), key };
}

/** Keys are looked up by hash, so timing reveals nothing about them. */
const stored = (db: Db, key: string): UsedKey | null =>
  key.startsWith(prefix) && isToken(key.slice(prefix.length))
    ? ApiKeyStore.activeByHash(db, tokenHash(key))
    : null;

/** Revokes the earlier keys of a plugin that has connected again, once it uses the new one. */
function endOlder(db: Db, used: UsedKey, at: number): void {
  const { id, name: subject, storeId } = used;
  if (storeId === null) return;
  for (const key of ApiKeyStore.list(db))
    if (key.id < id && isSamePlugin(key, used) && endKey(db, key.id, at))
      AuditStore.note(db, {
        at,
        action: "key.revoke",
        subject,
        personId: null,
        personName: `API key ${subject}`,
      });
}

/** Returns what a valid key allows; null for one that is unknown, revoked or expired. */
export function useApiKey(db: Db, key: string, now: number): UsedKey | null {
  const used = stored(db, key);
  if (used === null || ApiKey.isOver(used, now)) return null;
  if (used.lastUsedAt === null || now - used.lastUsedAt > usedIntervalMs)
    // If this cannot be stored now, the next call does it, because the key still counts as never used.
    ifStorable(db, () =>
      transact(db, () => {
        if (used.lastUsedAt === null) endOlder(db, used, now);
        ApiKeyStore.setUsed(db, used.id, now);
      }),
    );
  return used;
}

export function keyRequired(detail: string): Response {
  return problem("key_required", detail, { headers: { "www-authenticate": 'Bearer realm="Till"' } });
}

/** The refusal of a key that `useApiKey` rejected. */
export function invalidKey(db: Db, key: string): Response {
  const expiresAt = stored(db, key)?.expiresAt ?? null;
  return keyRequired(
    expiresAt === null
      ? "This API key is unknown or has been revoked."
      : `This API key expired at ${instant(expiresAt)}. Make another one with: till key create`,
  );
}

/** A call's requirements for a key. */
export type KeyRule = {
  /** Scope that a key must have; `open` needs no key. */
  scope: ApiKey.Scope | "open";
  /** Set if it shows and changes only data of the key's merchant. Otherwise it refuses keys of one merchant. */
  isConfined?: true;
  /** Set if it is for shops' plugins: it only accepts the keys of stores, and those open nothing else. */
  isOfStore?: true;
};

/**
 * Returns why a valid key may not make a call; null if it may. Calls not marked as confined refuse keys of one
 * merchant, and a plugin's key only allows what the plugin was permitted, which only the store's calls check.
 */
export function refusalOf({ scope, merchant, storeId }: UsedKey, row: KeyRule): Response | null {
  const needed = row.scope === "open" ? "read" : row.scope;
  const make = (flags: string) => `Make one with: till key create --name NAME --scope ${flags}`;
  if (!ApiKey.allows(scope, needed)) {
    const enough = ApiKey.scopes.filter((each) => ApiKey.allows(each, needed)).join(" or ");
    return problem(
      "key_scope",
      `This call needs a key of the scope ${enough}, and this one has the scope ${scope}. ${make(needed)}`,
    );
  }
  if (storeId !== null && !row.isOfStore)
    return problem(
      "key_scope",
      `This key is of a shop's plugin, for the calls below /api/v1. Make another one with: till key create --name NAME --scope ${needed}`,
    );
  if (merchant === null || row.isConfined || row.isOfStore) return null;
  return problem(
    "key_scope",
    `This call is about all merchants, and this key about ${merchant} alone. ${make(`${needed}, without --merchant`)}`,
  );
}

/** Returns the fault of the wallet named in a body, for an invoice or a repeating one; null if there is none. */
export function walletFault(
  db: Db,
  { walletsFrom }: Pick<UsedKey, "walletsFrom">,
  body: unknown,
  now: number,
): Fault | null {
  if (walletsFrom <= now) return null;
  const named = body as { wallet_address?: unknown; invoice?: { wallet_address?: unknown } | null } | null;
  for (const [field, wallet] of [
    ["wallet_address", named?.wallet_address],
    ["invoice.wallet_address", named?.invoice?.wallet_address],
  ] as const) {
    // Invalid addresses are reported by the parser of the body.
    const address = typeof wallet === "string" ? Address.parse(wallet) : null;
    if (address?.ok && !isKnownWallet(db, address.address))
      return { field, ...why("wallet_new", { when: instant(walletsFrom) }) };
  }
  return null;
}

const callers = new WeakMap<Request, UsedKey>();

/** Records the key with which a request may proceed. */
export const admit = (request: Request, key: UsedKey): void => void callers.set(request, key);

/** Returns the key of a request, where one is needed or reveals more. */
export const callerOf = (request: Request): UsedKey | null => callers.get(request) ?? null;

/** Returns the caller's name for owners. */
export const nameOf = (request: Request) => `API key ${callerOf(request)?.name ?? ""}`.trim();

/** Entry for the desk's log: which key did something, to what people call `subject`, at a time in Unix milliseconds. */
export const doneBy = (request: Request, action: string, subject: string, at: number) => ({
  at,
  action,
  subject,
  personId: null,
  personName: nameOf(request),
});
