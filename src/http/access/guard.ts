import { type Finding, warning } from "../../domain/finding.ts";
import { type IpRanges, ipOwner, isLoopbackHost, plainIp } from "../../lib/net/host.ts";
import { problem } from "../problem/problem.ts";
import { keyOf } from "./api-key.ts";
import { pathOf } from "./path.ts";

type ClientRules = {
  isPublic: boolean;
  /** Proxies whose X-Forwarded-For is trusted. */
  trustProxy: IpRanges | null;
};

/** Longer than any real chain of proxies. */
const hopsMax = 16;

/**
 * Returns the client a request counts against: its address, or its /64 for IPv6. `peer` is the other end of the
 * connection. X-Forwarded-For is read from its end for as long as the preceding proxies are trusted, so the header
 * alone cannot make a request count against somebody else.
 *
 * Null if unknown, and then no limit per address applies: for a public Till reached from its own machine, which has a
 * proxy it was not told about, and for a trusted proxy that does not name its client, whose address is passed to
 * `onSilent`. Counting that proxy as a client would count the whole world as one, so that a few payers an hour would
 * keep all others from paying. It would stop no attacker, because anybody with a trusted address can choose which
 * client to count as.
 */
export function clientOf(
  peer: string,
  forwardedFor: string | null,
  rules: ClientRules,
  onSilent: (proxy: string) => void = () => {},
): string | null {
  const address = plainIp(peer);
  if (address === null) return null;
  if (rules.trustProxy === null) {
    return rules.isPublic && isLoopbackHost(address) ? null : ipOwner(address);
  }
  let client = address;
  const hops = (forwardedFor ?? "").split(",").slice(-hopsMax);
  const lastHop = hops.at(-1)?.trim() ?? "";
  while (rules.trustProxy.has(client)) {
    const hop = plainIp(withoutPort(hops.pop()?.trim() ?? ""));
    if (hop === null) break;
    client = hop;
  }
  if (client !== address || !rules.trustProxy.has(address)) return ipOwner(client);
  // A proxy on Till's machine that forwards the operator's own request names this machine.
  if (plainIp(withoutPort(lastHop)) === null) onSilent(address);
  return null;
}

/** Maximum connections whose client is remembered; longer headers than this are not. */
const rememberedMax = 5_000;
const rememberedLengthMax = 100;

/** Requests by the machine's own programs, without a proxy: health checks and metrics. */
const askedLocally = /^\/(health\/|metrics$)/;

/** True if a request may well have come without the proxy: with a key, or for a health check or metrics. */
const isMachines = (request: Pick<Request, "headers" | "url">) =>
  keyOf(request) !== null || askedLocally.test(pathOf(request.url) ?? "");

/** With fewer, a single visitor may be sending X-Forwarded-For for fun. */
const forwardedMin = 20;

export type ProxyWatch = ReturnType<typeof createProxyWatch>;

/** Detects a proxy missing in the settings: all requests have an X-Forwarded-For, and none is trusted. */
export function createProxyWatch({ trustProxy }: Pick<ClientRules, "trustProxy">) {
  let unbelieved = 0;
  let proxy = "";
  return {
    saw(peer: string, forwardedFor: string | null, request: Pick<Request, "headers" | "url">): void {
      if (forwardedFor === null && unbelieved === 0) return;
      const address = plainIp(peer);
      if (address === null) return;
      if (forwardedFor !== null && !trustProxy?.has(address)) {
        unbelieved += 1;
        proxy = address;
      } else if (forwardedFor !== null || !(isLoopbackHost(address) || isMachines(request))) {
        // The operator's own requests on the machine prove nothing.
        unbelieved = 0;
      }
    },
    warnings: (): Finding[] =>
      unbelieved < forwardedMin
        ? []
        : [
            warning(
              "proxy",
              `every request brings an X-Forwarded-For that Till does not believe, the last one from ${proxy}: so clients ` +
                "cannot be told apart, and limits per address hold for all as one or for none. If that is your reverse " +
                "proxy, name it in TILL_TRUST_PROXY",
            ),
          ],
  };
}

/**
 * Runs `clientOf` on a request's peer and headers, with a cache. Calls `onSilent` for the first trusted proxy that does
 * not name its client, unless the request may well have come without it.
 */
export function createClientFinder(
  rules: ClientRules,
  watch: Pick<ProxyWatch, "saw">,
  onSilent: (proxy: string) => void,
): (peer: string, request: Pick<Request, "headers" | "url">) => string | null {
  const remembered = new Map<string, string>();
  let isTold = false;
  return (peer, request) => {
    const claimedClients = request.headers.get("x-forwarded-for");
    watch.saw(peer, claimedClients, request);
    const forwardedFor = rules.trustProxy === null ? null : claimedClients;
    const key = forwardedFor === null ? peer : `${peer} ${forwardedFor}`;
    const cached = remembered.get(key);
    if (cached !== undefined) return cached;
    const client = clientOf(peer, forwardedFor, rules, (proxy) => {
      if (isTold || isMachines(request)) return;
      isTold = true;
      onSilent(proxy);
    });
    if (client === null) return null;
    if (remembered.size >= rememberedMax) remembered.clear();
    if (key.length <= rememberedLengthMax) remembered.set(key, client);
    return client;
  };
}

/** Some proxies add the port: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
function withoutPort(text: string): string {
  return text.replace(/^\[([^\]]*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
}

/**
 * Maximum size of a request body, in bytes. An invoice with 30 line items and every field at full length has 337,000 if
 * each character is written as `\u0000` (six bytes), as PHP and Python do by default with all but ASCII.
 */
export const bodyBytesMax = 352 * 1024;

export const tooLarge = (bytesMax: number) => `The request body must not exceed ${bytesMax / 1024} KiB.`;

type GuardRules = {
  baseUrl: string;
  /** True if others can reach Till. Otherwise, requests for another host are refused. */
  isPublic: boolean;
  /**
   * True if writes need no key, because a login in front of Till protects it: browsers send that login automatically.
   */
  openApi: boolean;
};

export function isRead({ method }: Pick<Request, "method">): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * The kind of input of a route: JSON; an agent's message, which no other site's page ever sends; a payer's signature in
 * JSON; a page's form, or the one with an address for a receipt; a form of the desk, which reports its own faults; a
 * payment by x402.
 */
export type Kind = "json" | "agent" | "signature" | "form" | "receipt" | "desk" | "payment";

/**
 * Checks a request before any route; null lets it pass. A Till that requires no key must not be usable through a
 * browser on somebody else's page: neither by a cross-site form nor, on loopback, by a host name pointed here (DNS
 * rebinding).
 */
export function guard(
  request: Request,
  { baseUrl, isPublic, openApi }: GuardRules,
  kind: Kind = "json",
): Response | null {
  const { headers, method } = request;
  // Bun joins repeated headers, and uses the first: a server in front may have decided by the other.
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

  const forgeable = !isPublic || openApi || kind === "agent";
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
 * Checks a form of our own pages, without a key. Pages do not reveal their origin (their referrer policy makes Origin
 * `null`), but browsers say whether a request is same-origin; older ones are recognised by their Origin. Where browsers
 * send nothing automatically that grants access (not `forgeable`), another site can do no more with the form than
 * anybody, and our own page in a sandboxed frame looks like another site.
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
 * True if one of the desk's own pages sent a form. Session cookies are sent automatically, so they only count together
 * with the browser's origin headers; a browser that sends none is too old to be supported.
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
      new URL(origin).port === new URL(baseUrl).port)
  );
}
