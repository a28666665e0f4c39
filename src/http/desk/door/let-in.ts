import { endSession } from "../../../people/sessions.ts";
import type { HttpDeps } from "../../deps.ts";
import { cookieOf, setCookie } from "./cookie.ts";

/** Sends the browser on with a new session. The one that it came with ends. */
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

/** Where somebody wanted to go before they had to sign in: a page of the desk, and nothing else. */
export function localPath(to: string | null, baseUrl: string): string {
  const url = to === null ? null : URL.parse(to, baseUrl);
  if (url === null || url.origin !== new URL(baseUrl).origin) return home;
  const path = `${url.pathname}${url.search}`;
  const isInside = /^\/desk(\/(?!sign-|enter\/)|\?|$)/.test(path);
  return isInside && path.length <= pathLengthMax ? path : home;
}

const pathLengthMax = 500;
