import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import { isToken, newToken, tokenHash } from "../../lib/crypto.ts";
import { sessionOf } from "../../people/sessions.ts";
import { type Db, ifStorable } from "../../store/database.ts";
import * as ApiKeyStore from "../../store/tables/installation/api-key.ts";
import type { HttpDeps } from "../deps.ts";
import { problem } from "../problem/problem.ts";
import type { Route } from "../route.ts";
import { cookieOf } from "./cookie.ts";
import { isRead, type Kind } from "./guard.ts";
import type { LimitHit } from "./limits.ts";

/** A request's path, its route and what kind that is, and the client it counts against. */
export type AccessRequest = { path: string; route: string; kind: Kind; client: string | null };

/**
 * Returns what decides whether a request may proceed, and counts it; null lets it pass. Everything below /api, and
 * /metrics, needs an API key when Till is public or keys exist, except the open reads: what payers, their browsers and
 * shops' pages read, by ids and slugs that cannot be guessed. An open read by number needs a key even with
 * TILL_OPEN_API: its operator was told that these reads reveal nothing.
 */
export function createAccess(
  rows: readonly Route[],
  { config, db, baseUrl, now, limits }: Pick<HttpDeps, "config" | "db" | "baseUrl" | "now" | "limits">,
) {
  const readOf = new Map(rows.filter(({ method }) => method === "get").map((row) => [row.path, row]));
  return (request: Request, { path, route, kind, client }: AccessRequest): Response | null => {
    const reads = isRead(request);
    const row = reads ? readOf.get(route) : undefined;
    const refuse = (reached: LimitHit | null) => reached && limits.refusal(reached, request, path);

    const isClaimed = row?.keyShowsMore === true && keyOf(request) !== null;
    const needsKey =
      isPrivate(path) && (row?.scope === "open" ? isClaimed || namesByNumber(path, config) : !config.openApi);
    if (needsKey && (config.isPublic || ApiKeyStore.anyActive(db))) {
      const key = keyOf(request);
      if (key === null) {
        return (
          refuse(limits.take("READS", client)) ??
          keyRequired(
            `Send an API key: Authorization: Bearer till_…. ${
              config.isPublic
                ? "Create one with: till key create"
                : "This Till takes no call without one since it has keys: till key list shows them"
            }`,
          )
        );
      }
      const keyId = useApiKey(db, key, now());
      if (keyId === null)
        return (
          refuse(limits.take("FAILED_KEYS", client)) ??
          keyRequired("This API key is unknown or has been revoked.")
        );
      return reads ? null : refuse(limits.take("WRITES", `key ${keyId}`));
    }

    if (!reads) {
      const written = limits.take("WRITES", client);
      // People in a shop share one address with each other and with its visitors.
      if (written !== null && kind === "desk") {
        const signedIn = sessionIn(request, { db, baseUrl, now });
        return refuse(signedIn === null ? written : limits.take("WRITES", signedIn));
      }
      return refuse(
        written ??
          (kind === "signature" ? limits.take("RELAYS", client) : null) ??
          (kind === "receipt" ? limits.take("RECEIPTS", client) : null),
      );
    }
    const reached = isPdf(row) ? limits.take("PDFS", client) : limits.take("READS", countedAs(path, client));
    if (reached === null) return null;
    const signedIn = kind === "desk" ? sessionIn(request, { db, baseUrl, now }) : null;
    if (signedIn !== null) return refuse(limits.take("READS", signedIn));
    // The merchant's programs ask for more than people do, and send a key.
    const key = keyOf(request);
    return key !== null && useApiKey(db, key, now()) !== null ? null : refuse(reached);
  };
}

/** Whether a call renders a PDF. */
export const isPdf = (row: Pick<Route, "gives"> | undefined): boolean => row?.gives === "application/pdf";

/** Whether a receipt request that `createAccess` let pass is the merchant's, who may see more than payers. */
export function isMerchant(request: Request, { config, db }: Pick<HttpDeps, "config" | "db">): boolean {
  return keyOf(request) !== null || !(config.isPublic || ApiKeyStore.anyActive(db));
}

/** The request's API key, valid or not. */
export function keyOf(request: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

/** The session to count a desk request against once its address is over a limit; null when nobody is signed in. */
function sessionIn(
  request: Request,
  { db, baseUrl, now }: Pick<HttpDeps, "db" | "baseUrl" | "now">,
): string | null {
  const token = cookieOf(request, "session", baseUrl);
  const session = token === null ? null : sessionOf(db, token, now());
  return session && `session ${session.sessionId}`;
}

function isPrivate(path: string): boolean {
  return path === "/metrics" || path === "/api" || path.startsWith("/api/");
}

/** Whether the path names a record by number, which can be guessed. The router decodes a path once, too. */
function namesByNumber(path: string, config: HttpDeps["config"]): boolean {
  const [, , collection, id = ""] = path.split("/");
  const isNumber = (pattern: InvoiceNumber.Pattern) =>
    InvoiceNumber.sequenceOf(pattern, decodeURIComponent(id)) !== null;
  if (collection === "credit-notes") return isNumber(config.creditNoteNumber);
  return collection === "invoices" && isNumber(config.invoiceNumber);
}

/** Pages count apart from what they poll: many open pages must not keep another from opening. */
function countedAs(path: string, client: string | null): string | null {
  const isPage = !path.startsWith("/api/") && !path.endsWith("/payment");
  return client !== null && isPage ? `page ${client}` : client;
}

function keyRequired(detail: string): Response {
  return problem("key_required", detail, { headers: { "www-authenticate": 'Bearer realm="Till"' } });
}

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
