import { randomBytes } from "node:crypto";
import { messagePage } from "../pages/message-page.tsx";

export function newNonce(): string {
  return randomBytes(16).toString("base64");
}

export type PageOptions = {
  status?: number;
  /** Lets styles stand on elements, for mails that are shown in frames: they fall under this page's policy too. */
  inlineStyles?: boolean;
};

/** A page with its own style and script and nothing else, that cannot be framed. */
export function htmlPage(
  markup: string,
  nonce: string,
  { status = 200, inlineStyles = false }: PageOptions = {},
): Response {
  const styles = inlineStyles ? "'unsafe-inline'" : `'nonce-${nonce}'`;
  return new Response(markup, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        `default-src 'none'; style-src ${styles}; script-src 'nonce-${nonce}'; img-src data:; ` +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}

export function htmlMessage(status: number, title: string, text: string): Response {
  const nonce = newNonce();
  return htmlPage(messagePage({ title, text, nonce }), nonce, { status });
}

/** Whether a person with a browser asks, rather than a program. */
export function wantsHtml(request: Request): boolean {
  return (request.headers.get("accept") ?? "").includes("text/html");
}
