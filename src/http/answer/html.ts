import type { Config } from "../../config/config.ts";
import { chooseLanguage, isLanguageCode, type LanguageCode } from "../../language/languages.ts";
import { type Locale, speak } from "../../language/locale.ts";
import type { Page } from "../../pages/layout.tsx";
import { messagePage } from "../../pages/message-page.tsx";
import { pathOf } from "../access/path.ts";

type PageOptions = {
  status?: number;
  /** Allows inline styles, for mails in frames: this page's policy covers them too. */
  inlineStyles?: boolean;
  /** Allows this server's images, in addition to inline ones. */
  pictures?: boolean;
  /** Sites that may frame the page, in Content-Security-Policy terms; none by default. */
  frameAncestors?: string;
  /** Targets of its forms, in Content-Security-Policy terms; none by default. */
  formAction?: string;
  headers?: Record<string, string>;
};

/** A page that may only use its own style and script. */
export function htmlPage(page: Page, { status = 200, headers = {}, ...options }: PageOptions = {}): Response {
  return new Response(page.html, { status, headers: { ...pageHeaders(page, options), ...headers } });
}

export function pageHeaders(
  { style, script }: Page,
  {
    inlineStyles = false,
    pictures = false,
    frameAncestors = "'none'",
    formAction = "'none'",
  }: Pick<PageOptions, "inlineStyles" | "pictures" | "frameAncestors" | "formAction"> = {},
): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy":
      `default-src 'none'; style-src ${inlineStyles ? "'unsafe-inline'" : style}; ` +
      `script-src ${script ?? "'none'"}; img-src data:${pictures ? " 'self'" : ""}; ` +
      `connect-src 'self'; base-uri 'none'; form-action ${formAction}; frame-ancestors ${frameAncestors}`,
  };
}

/** Redirects the browser after a form, so that reloading sends nothing twice. */
export function seeOther(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { location, ...headers } });
}

const messageStatus = {
  pageNotFound: 404,
  tooManyRequests: 429,
  somethingWrong: 500,
  notSaved: 500,
} as const;

/** A message page for a person; `tooManyRequests` states when to retry, in seconds. */
export function htmlMessage(
  message: keyof typeof messageStatus,
  request: Request,
  { brand, language }: Pick<Config, "brand" | "language">,
  { seconds = 0, ...options }: Omit<PageOptions, "status"> & { seconds?: number } = {},
): Response {
  const page = messagePage({ message, seconds, brand, locale: localeOf(request, language) });
  return htmlPage(page, { ...options, status: messageStatus[message] });
}

const partPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Responds with frequently polled text, or 304 while it is unchanged. */
export function withEtag(
  request: Request,
  mediaType: string,
  text: string,
  extraHeaders: Record<string, string> = {},
): Response {
  const etag = `"${Bun.hash(text).toString(36)}"`;
  const headers = {
    etag,
    "cache-control": "no-cache",
    "content-type": `${mediaType}; charset=utf-8`,
    // Part of a page; opened on its own it is text without style.
    ...(mediaType === "text/html" ? { "content-security-policy": partPolicy } : {}),
    ...extraHeaders,
  };
  if (isOneOf(etag, request.headers.get("if-none-match")))
    return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
}

/** Weak comparison (RFC 9110, 13.1.2): a proxy that compresses a response weakens its tag. */
function isOneOf(etag: string, tags: string | null): boolean {
  if (tags === null) return false;
  return tags.trim() === "*" || tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

/**
 * True if the request is from a person's browser rather than a program. Some programs accept HTML too: below /api only
 * PDFs, which pages link to, are for people.
 */
export function wantsHtml(request: Request): boolean {
  if (!request.headers.get("accept")?.includes("text/html")) return false;
  const path = pathOf(request.url);
  if (path?.startsWith("/x402/")) return false;
  return !path?.startsWith("/api/") || (request.method === "GET" && /\/(pdf|receipt)$/.test(path));
}

/** True if a program asks for JSON, by its Accept header. */
export function wantsJson({ headers }: Pick<Request, "headers">): boolean {
  const accepted = headers.get("accept") ?? "";
  return accepted.includes("application/json") && !accepted.includes("text/html");
}

/**
 * Returns the reader's locale: by `?lang=`, else the language of the subject (`own`), else the browser's languages,
 * else `otherwise`. `own` is called only if it decides.
 */
export function localeOf(
  { url, headers }: Request,
  otherwise: LanguageCode,
  own: () => LanguageCode | null = () => null,
): Locale {
  const lang = queryOf(url)?.get("lang") ?? null;
  const isAsked = lang !== null && isLanguageCode(lang);
  return speak(chooseLanguage(isAsked ? lang : own(), headers.get("accept-language"), otherwise));
}

/** Returns a request's query; null if it has none. */
export function queryOf(url: string): URLSearchParams | null {
  const start = url.indexOf("?");
  return start === -1 ? null : new URLSearchParams(url.slice(start));
}

/** Permissions our pages never need. Copying stays allowed. */
const permissions =
  "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), " +
  "midi=(), payment=(), usb=()";

/** One year, for this host alone: subdomains are not ours to decide about. */
const transportSecurity = "max-age=31536000";

/** Headers of every response, unless it sets one itself. */
export function securityHeaders(baseUrl: string): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": permissions,
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    // Not same-origin: wallets that open their own window could not reply.
    "cross-origin-opener-policy": "same-origin-allow-popups",
    ...(baseUrl.startsWith("https:") ? { "strict-transport-security": transportSecurity } : {}),
  };
}

/** Marks a response that already has every header. A WeakSet would cost more than the rest of the response. */
const isComplete = Symbol("complete");
type Marked = Response & { [isComplete]?: true };

/** Headers for `complete`: those of every response, and more. */
export function completeHeaders(baseUrl: string, more: Record<string, string>): Headers {
  return new Headers({ ...securityHeaders(baseUrl), ...more });
}

/** Returns a response with prepared headers: adding them one by one costs more than everything else. */
export function complete(body: string | Blob, headers: Headers): Response {
  const response: Marked = new Response(body, { headers });
  response[isComplete] = true;
  return response;
}

/** Builds the JSON responses of polled calls. */
export function polledJson(baseUrl: string, more: Record<string, string> = {}): (body: object) => Response {
  const headers = completeHeaders(baseUrl, { "content-type": "application/json", ...more });
  return (body) => complete(JSON.stringify(body), headers);
}

/** For data that other websites may read: nothing private, without cookies or keys. */
export const readableFromAnywhere = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};

/** Responds to the preflight of another site's page reading such data with custom headers. `*` omits Authorization. */
export function readPreflight(): Response {
  const allowed = { "access-control-allow-methods": "GET, HEAD", "access-control-allow-headers": "*" };
  return new Response(null, { status: 204, headers: { ...readableFromAnywhere, ...allowed } });
}

/** Adds missing headers. Responses built by `complete` pass unchanged. */
export function harden(response: Marked, missing: readonly (readonly [string, string])[]): Response {
  if (response[isComplete]) return response;
  const { headers } = response;
  for (const [name, value] of missing) if (!headers.has(name)) headers.set(name, value);
  return response;
}
