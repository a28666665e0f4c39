import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import { sessionOf } from "../../people/sessions.ts";
import * as ApiKeyStore from "../../store/tables/installation/api-key.ts";
import type { HttpDeps } from "../deps.ts";
import { cookieOf } from "../desk/door/cookie.ts";
import { problem } from "../problem/problem.ts";
import { useApiKey } from "./api-key.ts";
import { isRead } from "./guard.ts";
import type { LimitHit, Limits } from "./limits.ts";

export const pdfRoute = "/api/invoices/:id/pdf";
/** Of the merchant alone, who hands it on. */
export const eInvoiceRoute = "/api/invoices/:id/e-invoice";
export const creditEInvoiceRoute = "/api/credit-notes/:id/e-invoice";
export const creditNotePdfRoute = "/api/credit-notes/:id/pdf";
/** Where a page writes by a form, without a key. */
export const receiptRoute = "/pay/:slug/receipt";
/** As that: where a payment of a reusable link is begun. Its pages are read by GET. */
export const checkoutPageRoute = "/pay/:slug";
export const formRoutes: ReadonlySet<string> = new Set([receiptRoute, checkoutPageRoute]);
/** Where a payer asks what to sign, and hands over what was signed, without a key. */
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
/** The merchant's own pages, behind a session of their own. */
export const isDesk = (route: string) => route === "/desk" || route.startsWith("/desk/");
export const invoiceReceiptRoute = "/api/invoices/:id/receipt";
export const linkReceiptRoute = "/api/links/:slug/receipt";
export const paymentStatusRoute = "/api/payments/status/:slug";

/** What a receipt says, for programs. */
export const proofRoute = <R extends string>(receiptRoute: R) => `${receiptRoute}.json` as const;

/** What makes a PDF. */
export const pdfRoutes: ReadonlySet<string> = new Set([
  pdfRoute,
  eInvoiceRoute,
  creditEInvoiceRoute,
  creditNotePdfRoute,
  invoiceReceiptRoute,
  linkReceiptRoute,
]);

const receiptReads = [invoiceReceiptRoute, linkReceiptRoute].flatMap((route) => [route, proofRoute(route)]);

/** What payers, their browsers and shops' pages ask for. Its ids and slugs cannot be guessed. */
const openReads = new Set([
  "/api/invoices/:id/status",
  pdfRoute,
  creditNotePdfRoute,
  ...receiptReads,
  "/api/links/:slug",
  paymentStatusRoute,
]);

/** What is asked for: a path, the route that it belongs to, and whom it counts for. */
export type AccessRequest = { path: string; route: string; client: string | null };

type AccessDeps = Pick<HttpDeps, "config" | "db" | "baseUrl" | "now"> & { limits: Limits };

/**
 * Decides whether a request may go on, and counts it; null lets it pass. Everything below /api, and /metrics, needs an
 * API key, but for the open reads, when Till is public or when keys exist. An open read by number needs a key also when
 * TILL_OPEN_API is set: whoever guards such a Till has been told that these reads give nothing away.
 */
export function checkAccess(
  request: Request,
  { path, route, client }: AccessRequest,
  { config, db, baseUrl, now, limits }: AccessDeps,
): Response | null {
  const reads = isRead(request);
  const refuse = (reached: LimitHit | null) => reached && limits.refusal(reached, request, path);

  const isOpen = reads && openReads.has(route);
  // A key that comes with a receipt shows more of it, so it has to be a good one.
  const isClaimed = receiptReads.includes(route) && keyOf(request) !== null;
  const needsKey = isOpen ? isClaimed || namesByNumber(path, config) : isPrivate(path) && !config.openApi;
  if (needsKey && (config.isPublic || ApiKeyStore.anyActive(db))) {
    const key = keyOf(request);
    if (key === null) {
      return (
        refuse(limits.take("READS", client)) ??
        keyRequired("Send an API key: Authorization: Bearer till_…. Create one with: till key create")
      );
    }
    const refused = refuse(limits.check("FAILED_KEYS", client));
    if (refused) return refused;
    const keyId = useApiKey(db, key, now());
    if (keyId === null) {
      limits.take("FAILED_KEYS", client);
      return keyRequired("This API key is unknown or has been revoked.");
    }
    return reads ? null : refuse(limits.take("WRITES", `key ${keyId}`));
  }

  if (!reads) {
    const isReceipt = route === receiptRoute;
    const written = limits.take("WRITES", client);
    // A shop's people share an address with each other, and with whoever is in the shop.
    if (written !== null && isDesk(route)) {
      const signedIn = sessionIn(request, { db, baseUrl, now });
      return refuse(signedIn === null ? written : limits.take("WRITES", signedIn));
    }
    return refuse(
      written ??
        (isRelay(route) ? limits.take("RELAYS", client) : null) ??
        (isReceipt ? limits.take("RECEIPTS", client) : null) ??
        (isReceipt ? limits.take("RECEIPTS", countedPath(path)) : null),
    );
  }
  const reached = pdfRoutes.has(route)
    ? limits.take("PDFS", client)
    : limits.take("READS", countedAs(path, client));
  if (reached === null) return null;
  const signedIn = isDesk(route) ? sessionIn(request, { db, baseUrl, now }) : null;
  if (signedIn !== null) return refuse(limits.take("READS", signedIn));
  // Programs of the merchant ask for more than people do, and come with a key.
  const key = keyOf(request);
  if (key !== null && limits.check("FAILED_KEYS", client) === null) {
    if (useApiKey(db, key, now()) !== null) return null;
    limits.take("FAILED_KEYS", client);
  }
  return refuse(reached);
}

/** Whether the merchant asks for a receipt that `checkAccess` let pass, who may see what payers do not. */
export function isMerchant(request: Request, { config, db }: Pick<HttpDeps, "config" | "db">): boolean {
  return keyOf(request) !== null || !(config.isPublic || ApiKeyStore.anyActive(db));
}

/** The API key that came with a request, good or not. */
export function keyOf(request: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

/** Whom a request of the desk counts for when others use up what its address may ask; null for who is not signed in. */
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

/** Whether it is named by its number, which can be guessed. The router decodes a path once, too. */
function namesByNumber(path: string, config: HttpDeps["config"]): boolean {
  const [, , collection, id = ""] = path.split("/");
  const isNumber = (pattern: InvoiceNumber.Pattern) =>
    InvoiceNumber.sequenceOf(pattern, decodeURIComponent(id)) !== null;
  if (collection === "credit-notes") return isNumber(config.creditNoteNumber);
  return collection === "invoices" && isNumber(config.invoiceNumber);
}

/** In characters, however it is spelled. */
const receiptPathMax = 100;

/** The path of a link's form. Longer ones somebody made up: they count as one, and do not fill the memory. */
function countedPath(path: string): string {
  return path.length > receiptPathMax ? "longer" : decodeURIComponent(path);
}

/** Pages count apart from what they ask for again and again: many that are open must not keep one from opening. */
function countedAs(path: string, client: string | null): string | null {
  const isPage = !path.startsWith("/api/") && !path.endsWith("/payment");
  return client !== null && isPage ? `page ${client}` : client;
}

function keyRequired(detail: string): Response {
  return problem("key_required", detail, { headers: { "www-authenticate": 'Bearer realm="Till"' } });
}
