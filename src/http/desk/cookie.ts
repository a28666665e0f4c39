import { ageMsMax } from "../../people/sessions.ts";

/** Browsers take a `__Host-` cookie only over TLS, for this host alone and all its paths (RFC 6265bis, 4.1.3.2). */
const nameFor = (baseUrl: string) => (baseUrl.startsWith("https:") ? "__Host-till" : "till");

/** The token of the session that a request comes with. */
export function sessionTokenOf({ headers }: Pick<Request, "headers">, baseUrl: string): string | null {
  const cookie = headers.get("cookie");
  return cookie === null ? null : new Bun.CookieMap(cookie).get(nameFor(baseUrl));
}

/** The Set-Cookie header that keeps a session, or with null ends it. */
export function sessionCookie(token: string | null, baseUrl: string): string {
  return new Bun.Cookie(nameFor(baseUrl), token ?? "", {
    path: "/",
    httpOnly: true,
    secure: baseUrl.startsWith("https:"),
    sameSite: "lax",
    maxAge: token === null ? 0 : ageMsMax / 1_000,
  }).serialize();
}
