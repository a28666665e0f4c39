import { isLoopbackHost } from "../lib/host.ts";
import { problem } from "./problem.ts";

/** The largest request body, in bytes. */
export const bodyBytesMax = 64 * 1024;

export const tooLarge = `A body may have at most ${bodyBytesMax} bytes.`;

export type GuardRules = {
  baseUrl: string;
  /** Whether Till can be reached from elsewhere. If not, anything that speaks for another host is refused. */
  isPublic: boolean;
};

/**
 * Looks at a request before any route does; null lets it pass. A loopback Till has no keys, so it must not be
 * reachable through a browser that shows somebody else's page: neither by a host name that was pointed here (DNS
 * rebinding) nor by a cross-site form.
 */
export function guard(request: Request, { baseUrl, isPublic }: GuardRules): Response | null {
  const { method } = request;
  // The Host header stands in the request's URL; reading it there costs nothing.
  if (!isPublic && !isOwnUrl(request.url, baseUrl) && !isLoopbackHost(hostnameOf(request))) {
    return problem(
      "foreign_host",
      `This Till answers to ${baseUrl} only. Set TILL_BASE_URL to serve another name.`,
    );
  }
  if (method === "GET" || method === "HEAD" || method === "OPTIONS") return null;

  const { headers } = request;

  const origin = headers.get("origin");
  if (!isPublic && origin !== null && !isOwnOrigin(origin, baseUrl)) {
    return problem("foreign_origin", "Writes from pages of another origin are refused.");
  }
  if (!isPublic && headers.get("sec-fetch-site") === "cross-site") {
    return problem("foreign_origin", "Writes from pages of another site are refused.");
  }
  if (Number(headers.get("content-length") ?? 0) > bodyBytesMax) {
    return problem("body_too_large", tooLarge);
  }
  const hasBody = headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0;
  const mediaType = (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (hasBody && mediaType !== "application/json") {
    return problem("not_json", "Send the body as JSON, with Content-Type: application/json.");
  }
  return null;
}

function isOwnUrl(url: string, baseUrl: string): boolean {
  return url.startsWith(baseUrl) && url[baseUrl.length] === "/";
}

function hostnameOf({ url }: Request): string {
  return URL.parse(url)?.hostname ?? "";
}

function isOwnOrigin(origin: string, baseUrl: string): boolean {
  return (
    origin === baseUrl ||
    (URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname) && samePort(origin, baseUrl))
  );
}

function samePort(a: string, b: string): boolean {
  return new URL(a).port === new URL(b).port;
}
