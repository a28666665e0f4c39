import { challengeMs } from "../../people/passkeys.ts";
import { ageMsMax } from "../../people/sessions.ts";

const names = {
  /** A session's token. */
  session: "till",
  /** Set once somebody has signed in here with a password. */
  known: "till-known",
  /** What a browser that went to sign in with an account elsewhere comes back with. */
  away: "till-away",
} as const;

type CookieName = keyof typeof names;

const yearSeconds = 365 * 24 * 3_600;
const secondsMax: Readonly<Record<CookieName, number>> = {
  session: ageMsMax / 1_000,
  known: yearSeconds,
  away: challengeMs / 1_000,
};

/** Browsers accept a `__Host-` cookie only over TLS, for this host alone and all its paths (RFC 6265bis, 4.1.3.2). */
const nameFor = (name: CookieName, baseUrl: string) =>
  baseUrl.startsWith("https:") ? `__Host-${names[name]}` : names[name];

/** Returns the value of a request's cookie; null if there is none. */
export function cookieOf(
  { headers }: Pick<Request, "headers">,
  name: CookieName,
  baseUrl: string,
): string | null {
  const cookie = headers.get("cookie");
  return cookie === null ? null : new Bun.CookieMap(cookie).get(nameFor(name, baseUrl));
}

/** Returns the Set-Cookie header that stores a value, or deletes it for null. */
export function setCookie(name: CookieName, value: string | null, baseUrl: string): string {
  return new Bun.Cookie(nameFor(name, baseUrl), value ?? "", {
    path: "/",
    httpOnly: true,
    secure: baseUrl.startsWith("https:"),
    sameSite: "lax",
    maxAge: value === null ? 0 : secondsMax[name],
  }).serialize();
}
