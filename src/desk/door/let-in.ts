import { cookieOf, setCookie } from "../../http/access/cookie.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { endSession } from "../../people/sessions.ts";

/** Redirects with a new session. Any session the browser had ends. */
export function letIn(
  request: Request,
  token: string,
  to: string,
  { db, baseUrl }: Pick<HttpDeps, "db" | "baseUrl">,
  knownMark: string | null = null,
): Response {
  const before = cookieOf(request, "session", baseUrl);
  if (before !== null) endSession(db, before);
  const headers = new Headers({ location: to, "set-cookie": setCookie("session", token, baseUrl) });
  if (knownMark !== null) headers.append("set-cookie", setCookie("known", knownMark, baseUrl));
  return new Response(null, { status: 303, headers });
}

const home = "/desk";

/** The page somebody wanted before signing in, if it is a page of the desk. */
export function localPath(to: string | null, baseUrl: string): string {
  const url = to === null ? null : URL.parse(to, baseUrl);
  if (url === null || url.origin !== new URL(baseUrl).origin) return home;
  const path = `${url.pathname}${url.search}`;
  const isInside = /^\/desk(\/(?!sign-|enter\/)|\?|$)/.test(path);
  return isInside && path.length <= pathLengthMax ? path : home;
}

const pathLengthMax = 500;
