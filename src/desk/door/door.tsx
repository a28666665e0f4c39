import { isOf } from "../../domain/brand.ts";
import { cookieOf, setCookie } from "../../http/access/cookie.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import { Logo, MerchantMark } from "../../pages/brand-mark.tsx";
import type { WithChildren } from "../../pages/layout.tsx";
import { endSession } from "../../people/sessions.ts";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { deskDocument } from "../parts/page/document.tsx";

/** The appearance of the pages before signing in. */
export type DoorLook = Pick<DeskFrame, "locale" | "assets" | "brand" | "shopName">;

type DoorPageProps = {
  look: DoorLook;
  title: string;
  text?: string;
  body: Child;
};

/** A page before signing in: the owner of the desk, a title, and the possible actions. */
export function doorPage({ look, title, text, body }: DoorPageProps): string {
  const { brand, shopName } = look;
  return deskDocument({
    ...look,
    title,
    bodyClass: "door",
    body: (
      <main>
        <div>
          {brand.logo !== null && isOf(brand, shopName) ? (
            <Logo brand={brand} name={shopName} />
          ) : (
            <MerchantMark name={shopName} brand={brand} />
          )}
          <h1 dir="auto">{title}</h1>
          {text !== undefined && <p class="soft">{text}</p>}
        </div>
        {body}
      </main>
    ),
  });
}

/** A remark above a form: its problem, or what was done. */
export function DoorNotice({ late = false, children }: WithChildren<{ late?: boolean }>) {
  return late ? (
    <p class="notice notice-late" role="alert" id="faults" tabindex="-1">
      {children}
    </p>
  ) : (
    <p class="notice notice-plain" role="status">
      {children}
    </p>
  );
}

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

/** Returns the page somebody wanted before signing in, if it is a page of the desk. */
export function localPath(to: string | null, baseUrl: string): string {
  const url = to === null || to.length > urlLengthMax ? null : URL.parse(to, baseUrl);
  if (url === null || url.origin !== new URL(baseUrl).origin) return home;
  const path = `${url.pathname}${url.search}`;
  const isInside = /^\/desk(\/(?!sign-|enter\/)|\?|$)/.test(path);
  return isInside && path.length <= pathLengthMax ? path : home;
}

/** Room for a shop's plugin that asks for consent. Escaped in a cookie it stays below the 4,096 bytes that browsers take. */
const pathLengthMax = 1_300;
/** Parsing a URL's host takes quadratic time. */
const urlLengthMax = 2_048;
