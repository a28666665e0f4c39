import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import { sessionOf } from "../../people/sessions.ts";
import * as ApiKeyStore from "../../store/tables/installation/api-key.ts";
import type { HttpDeps } from "../deps.ts";
import { cookieOf } from "../desk/door/cookie.ts";
import { problem } from "../problem/problem.ts";
import { useApiKey } from "./api-key.ts";
import { isRead } from "./guard.ts";
import type { LimitHit } from "./limits.ts";

export const pdfRoute = "/api/invoices/:id/pdf";
/** Only for the merchant, who passes it on. */
export const eInvoiceRoute = "/api/invoices/:id/e-invoice";
export const creditEInvoiceRoute = "/api/credit-notes/:id/e-invoice";
export const creditNotePdfRoute = "/api/credit-notes/:id/pdf";
/** A page's form writes here without a key. */
export const receiptRoute = "/pay/:slug/receipt";
/** Likewise: begins a payment of a reusable link. The same path's pages are read by GET. */
export const checkoutPageRoute = "/pay/:slug";
export const formRoutes: ReadonlySet<string> = new Set([receiptRoute, checkoutPageRoute]);
/** Where a payer asks what to sign, and submits the signature, without a key. */
export const relayRoutes = {
  authorization: { invoice: "/i/:slug/authorization", link: "/pay/:slug/authorization" },
  relay: { invoice: "/i/:slug/relay", link: "/pay/:slug/relay" },
} as const;
const relayPaths: ReadonlySet<string> = new Set(
  Object.values(relayRoutes).flatMap(({ invoice, link }) => [invoice, link]),
);
export const isRelay = (route: string) => relayPaths.has(route);
/** Where programs pay, by x402. */
export const x402Route = { slug: "/x402/:slug", id: "/x402/invoices/:id" } as const;
export const isX402 = (route: string) => route === x402Route.slug || route === x402Route.id;
/** The merchant's own pages, behind their own sessions. */
export const isDesk = (route: string) => route === "/desk" || route.startsWith("/desk/");
export const invoiceReceiptRoute = "/api/invoices/:id/receipt";
export const linkReceiptRoute = "/api/links/:slug/receipt";
export const paymentStatusRoute = "/api/payments/status/:slug";

/** A receipt's contents, for programs. */
export const proofRoute = <R extends string>(receiptRoute: R) => `${receiptRoute}.json` as const;

/** Calls that render a PDF. */
export const pdfRoutes: ReadonlySet<string> = new Set([
  pdfRoute,
  eInvoiceRoute,
  creditEInvoiceRoute,
  creditNotePdfRoute,
  invoiceReceiptRoute,
  linkReceiptRoute,
]);

const receiptReads = [invoiceReceiptRoute, linkReceiptRoute].flatMap((route) => [route, proofRoute(route)]);

/** What payers, their browsers and shops' pages read. These ids and slugs cannot be guessed. */
const openReads = new Set([
  "/api/invoices/:id/status",
  pdfRoute,
  creditNotePdfRoute,
  ...receiptReads,
  "/api/links/:slug",
  paymentStatusRoute,
]);

/** A request's path, its route, and the client it counts against. */
export type AccessRequest = { path: string; route: string; client: string | null };

type AccessDeps = Pick<HttpDeps, "config" | "db" | "baseUrl" | "now" | "limits">;

/**
 * Decides whether a request may proceed, and counts it; null lets it pass. Everything below /api, and /metrics, needs
 * an API key when Till is public or keys exist, except the open reads. An open read by number needs a key even with
 * TILL_OPEN_API: its operator was told that these reads reveal nothing.
 */
export function checkAccess(
  request: Request,
  { path, route, client }: AccessRequest,
  { config, db, baseUrl, now, limits }: AccessDeps,
): Response | null {
  const reads = isRead(request);
  const refuse = (reached: LimitHit | null) => reached && limits.refusal(reached, request, path);

  const isOpen = reads && openReads.has(route);
  // A key on a receipt request reveals more of it, so it must be valid.
  const isClaimed = receiptReads.includes(route) && keyOf(request) !== null;
  const needsKey = isOpen ? isClaimed || namesByNumber(path, config) : isPrivate(path) && !config.openApi;
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
    const isReceipt = route === receiptRoute;
    const written = limits.take("WRITES", client);
    // People in a shop share one address with each other and with its visitors.
    if (written !== null && isDesk(route)) {
      const signedIn = sessionIn(request, { db, baseUrl, now });
      return refuse(signedIn === null ? written : limits.take("WRITES", signedIn));
    }
    return refuse(
      written ??
        (isRelay(route) ? limits.take("RELAYS", client) : null) ??
        (isReceipt ? limits.take("RECEIPTS", client) : null),
    );
  }
  const reached = pdfRoutes.has(route)
    ? limits.take("PDFS", client)
    : limits.take("READS", countedAs(path, client));
  if (reached === null) return null;
  const signedIn = isDesk(route) ? sessionIn(request, { db, baseUrl, now }) : null;
  if (signedIn !== null) return refuse(limits.take("READS", signedIn));
  // The merchant's programs ask for more than people do, and send a key.
  const key = keyOf(request);
  return key !== null && useApiKey(db, key, now()) !== null ? null : refuse(reached);
}

/** Whether a receipt request that `checkAccess` let pass is the merchant's, who may see more than payers. */
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
