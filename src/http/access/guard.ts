import { isLoopbackHost } from "../../lib/net/host.ts";
import { problem } from "../problem/problem.ts";

/**
 * The largest request body, in bytes. An invoice with 30 line items and every field at full length has 337,000 when each
 * character is written as `\u0000` (six bytes), as PHP and Python do with all but ASCII unless told otherwise.
 */
export const bodyBytesMax = 352 * 1024;

export const tooLarge = (bytesMax: number) => `The request body must not exceed ${bytesMax / 1024} KiB.`;

type GuardRules = {
  baseUrl: string;
  /** Whether others can reach Till. If not, requests for another host are refused. */
  isPublic: boolean;
  /**
   * Whether writes need no key, because something in front asks for a login: browsers send that login automatically.
   */
  openApi: boolean;
};

export function isRead({ method }: Pick<Request, "method">): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * What a route takes: JSON, or a payer's signature in JSON; a form of a page, or the one with an address for a receipt;
 * a form of the desk, which reports its own faults; a payment by x402.
 */
export type Kind = "json" | "signature" | "form" | "receipt" | "desk" | "payment";

/**
 * Checks a request before any route; null lets it pass. A Till that asks for no key must not be usable through a
 * browser on somebody else's page: neither by a cross-site form nor, on loopback, by a host name pointed here (DNS
 * rebinding).
 */
export function guard(
  request: Request,
  { baseUrl, isPublic, openApi }: GuardRules,
  kind: Kind = "json",
): Response | null {
  const { headers, method } = request;
  // Bun joins what comes twice, and takes the first: something in front may have decided by the other.
  for (const name of ["host", "content-length"]) {
    if (headers.get(name)?.includes(","))
      return problem("malformed_request", `Send one ${name} header, not several.`);
  }
  // The request's URL already contains the Host header; reading it there is free.
  if (!isPublic && !isOwnUrl(request.url, baseUrl) && !isLoopbackHost(hostnameOf(request))) {
    return problem(
      "foreign_host",
      `This server only accepts requests for ${baseUrl}. To use another host name, set TILL_BASE_URL.`,
    );
  }
  if (isRead(request) || method === "OPTIONS") return null;

  const forgeable = !isPublic || openApi;
  // A payment does what its signature says, whoever sends it.
  if (kind === "desk" || kind === "payment") return null;
  if (kind === "form" || kind === "receipt") return guardForm(headers, baseUrl, forgeable);

  const origin = headers.get("origin");
  if (forgeable && origin !== null && !isOwnOrigin(origin, baseUrl, isPublic)) {
    return problem("foreign_origin", "Cross-origin write requests are not allowed.");
  }
  if (forgeable && headers.get("sec-fetch-site") === "cross-site") {
    return problem("foreign_origin", "Cross-site write requests are not allowed.");
  }
  if (Number(headers.get("content-length") ?? 0) > bodyBytesMax) {
    return problem("body_too_large", tooLarge(bodyBytesMax));
  }
  const hasBody = headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0;
  if (hasBody && mediaTypeOf(headers) !== "application/json") {
    return problem("not_json", "Send the body as JSON, with Content-Type: application/json.");
  }
  return null;
}

/**
 * A form of our own pages, without a key. Pages do not reveal their origin (their referrer policy makes Origin `null`),
 * but browsers say whether a request is same-origin; older ones are recognised by their Origin. Where browsers send
 * nothing automatically that grants access (not `forgeable`), another site can do no more with the form than anybody,
 * and our own page in a sandboxed frame looks like another site.
 */
function guardForm(headers: Headers, baseUrl: string, forgeable: boolean): Response | null {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin") ?? "null";
  const isForeign = site === null ? origin !== "null" && origin !== baseUrl : site !== "same-origin";
  if (forgeable && isForeign) {
    return problem("foreign_origin", "Only the page of the payment link may send this form.");
  }
  if (mediaTypeOf(headers) !== "application/x-www-form-urlencoded") {
    return problem("not_json", "Send the form as application/x-www-form-urlencoded.");
  }
  return null;
}

/**
 * Whether one of the desk's own pages sent a form. Session cookies are sent automatically, so they count only together
 * with what the browser says; a browser that says nothing of a request's origin is not one of today's.
 */
export function isFromDesk({ headers }: Pick<Request, "headers">, baseUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  return (site ?? "same-origin") === "same-origin" && (site !== null || headers.get("origin") === baseUrl);
}

function mediaTypeOf(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

function isOwnUrl(url: string, baseUrl: string): boolean {
  return url.startsWith(baseUrl) && url[baseUrl.length] === "/";
}

function hostnameOf({ url }: Request): string {
  return URL.parse(url)?.hostname ?? "";
}

function isOwnOrigin(origin: string, baseUrl: string, isPublic: boolean): boolean {
  return (
    origin === baseUrl ||
    (!isPublic &&
      URL.canParse(origin) &&
      isLoopbackHost(new URL(origin).hostname) &&
      samePort(origin, baseUrl))
  );
}

function samePort(a: string, b: string): boolean {
  return new URL(a).port === new URL(b).port;
}

/**
 * A URL's path exactly as the router cuts it out; null when the URL has no host or path, or a `%` that does not decode
 * as UTF-8, which the router would pass on as undefined. The router ignores a trailing slash, so access and limits do
 * too.
 */
export function pathOf(url: string): string | null {
  if (!url.startsWith("http://")) return null;
  const start = url.indexOf("/", "http://".length);
  if (start <= "http://".length) return null;
  const end = url.indexOf("?", start + 1);
  const raw = end === -1 ? url.slice(start) : url.slice(start, end);
  const path = raw.length > 1 && raw.endsWith("/") ? raw.slice(0, -1) : raw;
  return !path.includes("%") || isDecodable(path) ? path : null;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Finds the route (`/i/:slug`) of a path (`/i/abc`); `other` when there is none. */
export function createRouteFinder(routes: Iterable<string>): (path: string) => string {
  const byLength = new Map<number, { route: string; parts: string[] }[]>();
  for (const route of new Set(routes)) {
    const parts = route.split("/");
    byLength.set(parts.length, [...(byLength.get(parts.length) ?? []), { route, parts }]);
  }
  return (path) => {
    const parts = path.split("/");
    const match = byLength
      .get(parts.length)
      ?.find((candidate) =>
        candidate.parts.every((part, i) => (part.startsWith(":") ? parts[i] !== "" : part === parts[i])),
      );
    return match?.route ?? "other";
  };
}
