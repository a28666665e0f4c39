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

/** The request's API key, valid or not. Plugins that speak the Greenfield API call it a token. */
export function keyOf(request: Pick<Request, "headers">): string | null {
  return /^(?:Bearer|token) +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

const prefix = "till_";

/** Whether a text looks like a key of Till's. */
export const isOurs = (key: string): boolean => key.startsWith(prefix);

/** Record the last use at most this often, so that not every request costs a write. */
const usedIntervalMs = 60_000;

/** Creates a key and returns it; it is not stored and cannot be shown again. It may do everything unless `grant` says less. */
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

/** A plugin that connected again forgets the key it had, once it has the new one. */
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

/** What a valid key allows; null for one that is unknown, revoked or over. */
export function useApiKey(db: Db, key: string, now: number): UsedKey | null {
  const used = stored(db, key);
  if (used === null || ApiKey.isOver(used, now)) return null;
  if (used.lastUsedAt === null || now - used.lastUsedAt > usedIntervalMs)
    // What cannot be stored now is with the next call, as the key then counts as never used.
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

/** Why `useApiKey` took no key. */
export function invalidKey(db: Db, key: string): Response {
  const expiresAt = stored(db, key)?.expiresAt ?? null;
  return keyRequired(
    expiresAt === null
      ? "This API key is unknown or has been revoked."
      : `This API key expired at ${instant(expiresAt)}. Make another one with: till key create`,
  );
}

/** What a call asks of a key. */
export type KeyRule = {
  /** What a key must allow; `open` asks for no key. */
  scope: ApiKey.Scope | "open";
  /** Whether it shows and changes nothing of another merchant than that of the key. Else it refuses keys of one merchant. */
  isConfined?: true;
  /** Whether it is for plugins of shops: it takes the keys of stores alone, and those open nothing else. */
  isOfStore?: true;
};

/**
 * Why a valid key may not make a call; null when it may. What nobody thought through is not for keys of one merchant, and a
 * plugin's key is for what the plugin was permitted, which only the rows of stores know.
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

/** What is wrong with the wallet that a body names, in an invoice or of one that repeats; null when nothing is. */
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
    // What is no address is said to be none by whoever reads it.
    const address = typeof wallet === "string" ? Address.parse(wallet) : null;
    if (address?.ok && !isKnownWallet(db, address.address))
      return { field, ...why("wallet_new", { when: instant(walletsFrom) }) };
  }
  return null;
}

const callers = new WeakMap<Request, UsedKey>();

/** Notes with which key a request may proceed. */
export const admit = (request: Request, key: UsedKey): void => void callers.set(request, key);

/** The key of a request, where one is needed or reveals more. */
export const callerOf = (request: Request): UsedKey | null => callers.get(request) ?? null;

/** What owners know the caller by. */
export const nameOf = (request: Request) => `API key ${callerOf(request)?.name ?? ""}`.trim();

/** For the log of the desk: which key did something, to what people call `subject`, at a time in Unix milliseconds. */
export const doneBy = (request: Request, action: string, subject: string, at: number) => ({
  at,
  action,
  subject,
  personId: null,
  personName: nameOf(request),
});
