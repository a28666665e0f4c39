import { isLoopbackHost } from "../../lib/net/host.ts";
import { problem } from "../problem/problem.ts";

/**
 * The largest request body, in bytes. An invoice of 30 line items, with every field of the contract at its full length
 * and every character written as `\u0000` (six bytes), has 143,000 in all; a link with 20 origins 63,000. With tax and
 * details of seller and buyer, too, it has room as UTF-8, but not in that form.
 */
export const bodyBytesMax = 192 * 1024;

export const tooLarge = (bytesMax: number) => `The request body must not exceed ${bytesMax / 1024} KiB.`;

type GuardRules = {
  baseUrl: string;
  /** Whether Till can be reached from elsewhere. If not, anything that speaks for another host is refused. */
  isPublic: boolean;
  /** Whether writes need no key, as the login of something in front is enough: browsers send that along by themselves. */
  openApi: boolean;
};

export function isRead({ method }: Pick<Request, "method">): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * Looks at a request before any route does; null lets it pass. A Till that asks for no key must not be reachable through
 * a browser that shows somebody else's page: not by a cross-site form, and on loopback neither by a host name that was
 * pointed here (DNS rebinding). `kind`: what the route takes; of the desk's forms the desk says itself what is wrong.
 */
export function guard(
  request: Request,
  { baseUrl, isPublic, openApi }: GuardRules,
  kind: "json" | "form" | "desk" | "payment" = "json",
): Response | null {
  const { method } = request;
  // The Host header stands in the request's URL; reading it there costs nothing.
  if (!isPublic && !isOwnUrl(request.url, baseUrl) && !isLoopbackHost(hostnameOf(request))) {
    return problem(
      "foreign_host",
      `This server only accepts requests for ${baseUrl}. To use another host name, set TILL_BASE_URL.`,
    );
  }
  if (isRead(request) || method === "OPTIONS") return null;

  const { headers } = request;
  const forgeable = !isPublic || openApi;
  // A payment does what its signature says, whoever brings it.
  if (kind === "desk" || kind === "payment") return null;
  if (kind === "form") return guardForm(headers, baseUrl, forgeable);

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
 * A form that a page of ours sends, without a key. Pages say nothing of where a request comes from (their referrer policy
 * makes its Origin `null`), but browsers say whether it is from the same origin; those that do not are known by theirs.
 * Where nothing that a browser sends along by itself opens anything (not `forgeable`), another site can do no more with
 * the form than anybody can, and a page of ours in a frame without an origin (a sandbox) looks like another site.
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
 * Whether a form of the desk was sent by a page of the desk. A session is sent along by itself, so its word counts only
 * beside the browser's: what says nothing of where it comes from is no browser of today.
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
