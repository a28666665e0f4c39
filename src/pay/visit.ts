import type { Link } from "../domain/link/link.ts";
import { ofLink } from "../domain/receivable/receivable.ts";
import { htmlPage, localeOf, queryOf } from "../http/answer/html.ts";
import type { HttpDeps } from "../http/route/deps.ts";
import { originOf } from "../invoicing/request/link/link.ts";
import type { Locale } from "../language/locale.ts";
import type { CheckoutFrame } from "../pages/layout.tsx";
import { messagePage } from "../pages/message-page.tsx";
import { type ClosingDeps, isPageClosed } from "../store/reports/closed-page.ts";
import { languageOf } from "../store/reports/language.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";

/** The language of a visitor to a link's page, and the frame around it. */
export type Visit = { locale: Locale; frame: CheckoutFrame };

type Deps = Pick<HttpDeps, "config" | "db">;

export const localeFor = ({ config, db }: Deps, request: Request, slug: string): Locale =>
  localeOf(request, config.language, () => languageOf(db, slug));

export function visitOf(deps: Deps, request: Request, slug: string): Visit {
  const query = queryOf(request.url);
  const parentOrigin = originOf(query?.get("origin") ?? "");
  const frame = { slug, parentOrigin, embedded: query?.get("embed") === "1", isStill: isStill(request) };
  return { locale: localeFor(deps, request, slug), frame };
}

/** The link with this slug; null if there is none, or its page has closed. */
export function openLink(deps: ClosingDeps, slug: string): Link | null {
  const link = LinkStore.bySlug(deps.db, slug);
  return link && isPageClosed(deps, ofLink(link)) ? null : link;
}

/** Whether the reader asked the page not to reload itself. */
export const isStill = (request: Request): boolean => queryOf(request.url)?.get("still") === "1";

/** Returns the query that keeps a page in the same frame and language, and as still. */
export function queryFor({ locale, frame: { embedded, parentOrigin, isStill } }: Visit): string {
  const query = new URLSearchParams({
    lang: locale.code,
    ...(embedded ? { embed: "1" } : {}),
    ...(parentOrigin === null ? {} : { origin: parentOrigin }),
    ...(isStill ? { still: "1" } : {}),
  });
  return `?${query}`;
}

/** A shop's page may frame the message, which must be just as visible there. */
export function linkNotFound({ config: { brand } }: Deps, visit: Visit): Response {
  const page = messagePage({ ...visit, message: "linkNotFound", brand });
  return htmlPage(page, { status: 404, frameAncestors: "*" });
}
