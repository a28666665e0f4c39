import type { Config } from "../../config/config.ts";
import type { Page } from "../../pages/layout.tsx";
import { messagePage } from "../../pages/message-page.tsx";
import { pathOf } from "../access/path.ts";
import { localeOf } from "./locale.ts";

type PageOptions = {
  status?: number;
  /** Lets styles stand on elements, for mails that are shown in frames: they fall under this page's policy too. */
  inlineStyles?: boolean;
  /** Who may show the page in a frame, as in a Content-Security-Policy; nobody when not given. */
  frameAncestors?: string;
  /** Where its forms may go, as in a Content-Security-Policy; nowhere when not given. */
  formAction?: string;
  headers?: Record<string, string>;
};

/** A page with its own style and script and nothing else. */
export function htmlPage(page: Page, { status = 200, headers = {}, ...options }: PageOptions = {}): Response {
  return new Response(page.html, { status, headers: { ...pageHeaders(page, options), ...headers } });
}

export function pageHeaders(
  { style, script }: Page,
  {
    inlineStyles = false,
    frameAncestors = "'none'",
    formAction = "'none'",
  }: Pick<PageOptions, "inlineStyles" | "frameAncestors" | "formAction"> = {},
): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy":
      `default-src 'none'; style-src ${inlineStyles ? "'unsafe-inline'" : style}; ` +
      `script-src ${script ?? "'none'"}; img-src data:; ` +
      `connect-src 'self'; base-uri 'none'; form-action ${formAction}; frame-ancestors ${frameAncestors}`,
  };
}

const messages = { 404: "pageNotFound", 429: "tooManyRequests", 500: "somethingWrong" } as const;

/** What a person is told who asked for a page; after a 429, in how many seconds to try again. `notSaved`: by the disk. */
export function htmlMessage(
  status: keyof typeof messages,
  request: Request,
  { brand, language }: Pick<Config, "brand" | "language">,
  {
    seconds = 0,
    notSaved = false,
    ...options
  }: Omit<PageOptions, "status"> & { seconds?: number; notSaved?: boolean } = {},
): Response {
  const locale = localeOf(request, language);
  const page = messagePage({ message: messages[status], seconds, notSaved, brand, locale });
  return htmlPage(page, { ...options, status });
}

const partPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Text that is asked for again and again: 304 while it stays the same. */
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
    // It is a part of a page. Opened by itself it is text without style.
    ...(mediaType === "text/html" ? { "content-security-policy": partPolicy } : {}),
    ...extraHeaders,
  };
  if (isOneOf(etag, request.headers.get("if-none-match")))
    return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
}

/** Compares weakly, as RFC 9110 (13.1.2) has it: a proxy that compresses an answer makes its tag a weak one. */
function isOneOf(etag: string, tags: string | null): boolean {
  if (tags === null) return false;
  return tags.trim() === "*" || tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

/**
 * Whether a person with a browser asks, rather than a program. Some programs say that they take HTML, too: below /api
 * only the PDFs, which pages link to, are for people.
 */
export function wantsHtml(request: Request): boolean {
  if (!request.headers.get("accept")?.includes("text/html")) return false;
  const path = pathOf(request.url);
  if (path?.startsWith("/x402/")) return false;
  return !path?.startsWith("/api/") || (request.method === "GET" && /\/(pdf|receipt)$/.test(path));
}
