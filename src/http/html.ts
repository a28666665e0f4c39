import { randomBytes } from "node:crypto";
import { messagePage } from "../pages/message-page.tsx";

export function newNonce(): string {
  return randomBytes(16).toString("base64");
}

/** A page with its own style and script and nothing else, that cannot be framed. */
export function htmlPage(markup: string, nonce: string, status = 200): Response {
  return new Response(markup, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; ` +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}

export function htmlMessage(status: number, title: string, text: string): Response {
  const nonce = newNonce();
  return htmlPage(messagePage({ title, text, nonce }), nonce, status);
}

/** Whether a person with a browser asks, rather than a program. */
export function wantsHtml(request: Request): boolean {
  return (request.headers.get("accept") ?? "").includes("text/html");
}
