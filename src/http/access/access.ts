import * as HealthPass from "../../doctor/health-pass.ts";
import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import { isUnasked } from "../../lib/net/unasked.ts";
import { sessionOf } from "../../people/sessions.ts";
import * as ApiKeyStore from "../../store/tables/installation/api-key.ts";
import type { HttpDeps } from "../route/deps.ts";
import type { Route } from "../route/route.ts";
import { admit, invalidKey, isOurs, keyOf, keyRequired, refusalOf, useApiKey } from "./api-key.ts";
import { cookieOf } from "./cookie.ts";
import { isRead, type Kind } from "./guard.ts";
import type { LimitHit } from "./limits.ts";

/** A request's path, route and kind, and the client it counts against. */
export type AccessRequest = { path: string; route: string; kind: Kind; client: string | null };

/**
 * Returns a function that decides whether a request may proceed, and counts it; null lets it pass. Everything below
 * /api, /metrics and /mcp needs an API key if Till is public or keys exist, except the open reads: what payers, their
 * browsers and shops' pages read, by ids and slugs that cannot be guessed. An open read by number needs a key even with
 * TILL_OPEN_API, because the operator was told that these reads reveal nothing. Creating keys always takes a key:
 * access without one must not become permanent. An unknown key is refused wherever one can be sent: `Bearer` and
 * `token` name keys, and other schemes are not ours.
 */
export function createAccess(
  rows: readonly Route[],
  { config, db, baseUrl, now, limits }: Pick<HttpDeps, "config" | "db" | "baseUrl" | "now" | "limits">,
) {
  const read = rows.filter(({ method, countsAsRead }) => method === "get" || countsAsRead);
  const readOf = new Map(read.map((row) => [row.path, row]));
  const writeOf = new Map(rows.map((row) => [`${row.method.toUpperCase()} ${row.path}`, row]));
  return (request: Request, { path, route, kind, client }: AccessRequest): Response | null => {
    const reads = isRead(request) || request.method === "OPTIONS" || readOf.get(route)?.countsAsRead === true;
    const row = reads ? readOf.get(route) : writeOf.get(`${request.method} ${route}`);
    const refuse = (reached: LimitHit | null) => reached && limits.refusal(reached, request, path);

    const isClaimed = row?.keyShowsMore === true && keyOf(request) !== null;
    // A store is identified by its key.
    const isOwn = row?.scope === "full" || row?.isOfStore === true;
    const needsKey =
      isPrivate(path) &&
      (row?.scope === "open" ? isClaimed || namesByNumber(path, config) : isOwn || !config.openApi);
    if (needsKey && (isOwn || config.isPublic || ApiKeyStore.anyActive(db))) {
      const key = keyOf(request);
      if (key === null) {
        return (
          refuse(limits.take("READS", client)) ??
          keyRequired(
            row?.isOfStore
              ? "Send the key of the shop: Authorization: token till_…. Till's desk makes it: Settings, Connect a shop."
              : `Send an API key: Authorization: Bearer till_…. ${
                  config.isPublic || isOwn
                    ? "Create one with: till key create"
                    : "This Till takes no call without one since it has keys: till key list shows them"
                }`,
          )
        );
      }
      const used = useApiKey(db, key, now());
      if (used === null) return refuse(limits.take("FAILED_KEYS", client)) ?? invalidKey(db, key);
      const refusal = row === undefined ? null : refusalOf(used, row);
      if (refusal !== null) return refusal;
      admit(request, used);
      return reads ? null : refuse(limits.take("WRITES", `key ${used.id}`));
    }

    const key = isPrivate(path) ? keyOf(request) : null;
    // Whoever sends a key relies on it, even where none is needed. A login in front of Till may send its own.
    const isRelied = key !== null && !HealthPass.looksLike(key) && (isOurs(key) || !config.openApi);
    if (isRelied && useApiKey(db, key, now()) === null)
      return refuse(limits.take("FAILED_KEYS", client)) ?? invalidKey(db, key);

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
    // The merchant's programs make more requests than people do, and send a key.
    const sent = keyOf(request);
    return sent !== null && useApiKey(db, sent, now()) !== null ? null : refuse(reached);
  };
}

/** True if a call renders a PDF. */
export const isPdf = (row: Pick<Route, "gives"> | undefined): boolean => row?.gives === "application/pdf";

/** True if a receipt request that `createAccess` let pass is the merchant's, who may see more than payers. */
export function isMerchant(request: Request, { config, db }: Pick<HttpDeps, "config" | "db">): boolean {
  return keyOf(request) !== null || !(config.isPublic || ApiKeyStore.anyActive(db));
}

/** Returns the session to count a desk request against once its address is over a limit; null if nobody signed in. */
export function sessionIn(
  request: Request,
  { db, baseUrl, now }: Pick<HttpDeps, "db" | "baseUrl" | "now">,
): string | null {
  const token = cookieOf(request, "session", baseUrl);
  const session = token === null ? null : sessionOf(db, token, now(), { isUse: !isUnasked(request) });
  return session && `session ${session.sessionId}`;
}

function isPrivate(path: string): boolean {
  return ["/metrics", "/mcp", "/api"].includes(path) || path.startsWith("/api/");
}

/** True if the path names a record by number, which can be guessed. Decodes once, like the router. */
function namesByNumber(path: string, config: HttpDeps["config"]): boolean {
  const [, , collection, id = ""] = path.split("/");
  const isNumber = (pattern: InvoiceNumber.Pattern) =>
    InvoiceNumber.sequenceOf(pattern, decodeURIComponent(id)) !== null;
  if (collection === "credit-notes") return isNumber(config.creditNoteNumber);
  return collection === "invoices" && isNumber(config.invoiceNumber);
}

/** Counts pages separately from their polling and long polling: many open pages must not keep another from opening. */
function countedAs(path: string, client: string | null): string | null {
  if (client !== null && path.endsWith("/told")) return `told ${client}`;
  const isPage = !path.startsWith("/api/") && !path.endsWith("/payment");
  return client !== null && isPage ? `page ${client}` : client;
}
