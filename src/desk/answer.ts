import type { HttpDeps } from "../http/route/deps.ts";
import type { DeskFrame, DoneText } from "./parts/page/desk-frame.ts";

/** Headers of a desk page: it loads nothing from elsewhere, and nobody may frame it. */
export const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  // Its forms prove their origin; other sites learn nothing.
  "referrer-policy": "same-origin",
  // Whoever uses the browser after a sign-out finds nothing.
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    // The payer's page, in preview beside its form.
    "frame-src 'self'; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};

/** Headers for a page with a form that submits to another site, which may redirect to another of its hosts. */
export const formsTo = ({ protocol }: URL): Record<string, string> => ({
  "content-security-policy": pageHeaders["content-security-policy"].replace(
    "form-action 'self'",
    `form-action 'self' ${protocol}`,
  ),
});

/** Returns a newly rendered page of the desk. */
export function answer(html: string, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(html, { status, headers: { ...pageHeaders, ...headers } });
}

const didPrefix = "did";

/** Returns the text for `?did=`: one of the known messages, never text from the URL. */
export function didOf(query: URLSearchParams, texts: Readonly<Record<string, string>>): DoneText | null {
  const key = `${didPrefix}${query.get("did") ?? ""}`;
  return key !== didPrefix && Object.hasOwn(texts, key) ? (key as DoneText) : null;
}

/** Returns the target after a completed form, whose page reports it once. */
export function withDid(to: string, did: DoneText | undefined): string {
  if (did === undefined) return to;
  return `${to}${to.includes("?") ? "&" : "?"}did=${did.slice(didPrefix.length)}`;
}

/** Returns how current the chain is, as far as known. While nothing awaits payment, a node that responds is enough. */
export function chainState({
  isDelayed,
  problems,
}: Pick<HttpDeps, "isDelayed" | "problems">): DeskFrame["watch"] {
  const about = problems().map((problem) => problem.about);
  if (isDelayed() || about.includes("chain")) return "late";
  return about.includes("check") || about.includes("start") ? "starting" : "current";
}
