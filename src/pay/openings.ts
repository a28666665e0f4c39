import * as Event from "../domain/event/event.ts";
import type { Kind } from "../domain/receivable/common.ts";
import { cookieOf } from "../http/access/cookie.ts";
import { wantsHtml } from "../http/answer/html.ts";
import type { HttpDeps } from "../http/route/deps.ts";
import { turn } from "../lib/loop.ts";
import { note } from "../store/announce.ts";
import { transactTogether } from "../store/group-commit.ts";
import { receivableOf } from "../store/reports/receivable.ts";
import * as EventStore from "../store/tables/outbox/event.ts";

/** Maximum opened pages remembered. Beyond that all are forgotten, and looked up again. */
const knownMax = 10_000;

export type Openings = ReturnType<typeof createOpenings>;

type CreateOpeningsProps = Pick<HttpDeps, "db" | "now" | "working" | "baseUrl">;

/**
 * Records when somebody first opens an invoice's or link's page: after the response, once, and from memory once known.
 * The page contains no tracker, and nothing about the visitor is kept.
 */
export function createOpenings({ db, now, working, baseUrl }: CreateOpeningsProps) {
  const openedPages = new Set<string>();
  const underWay = new Set<Promise<void>>();

  async function write(kind: Kind, slug: string): Promise<void> {
    await working;
    // Let the response go out first.
    await turn();
    const page = receivableOf(db, kind, slug);
    // Anybody can request pages that do not exist, with names of any length.
    if (!page) return void openedPages.delete(nameOf(kind, slug));
    const { index: depositIndex, salt } = page.deposit;
    const opened = { type: "opened", occasion: "", at: now() } as const;
    if (EventStore.byId(db, Event.id(salt, opened.type, opened.occasion)) === null)
      await transactTogether(db, () => void note(db, { kind, depositIndex }, opened));
  }

  return {
    /** Call for each page request. */
    saw(request: Request, kind: Kind, slug: string): void {
      const name = nameOf(kind, slug);
      if (openedPages.has(name) || !isLook(request, baseUrl)) return;
      if (openedPages.size >= knownMax) openedPages.clear();
      openedPages.add(name);
      // If it cannot be written now, the next visit tries again.
      const written = write(kind, slug).catch(() => void openedPages.delete(name));
      underWay.add(written);
      void written.then(() => underWay.delete(written));
    },
    /** Waits for pending writes. */
    async finish() {
      await Promise.all(underWay);
    },
  };
}

/** Ended sessions count too: the person at the screen is the same. */
const signInCookies = ["session", "known"] as const;

const nameOf = (kind: Kind, slug: string) => `${kind} ${slug}`;

/**
 * True if a customer may be looking, not a prefetching browser, a program such as the merchant's own with its key, or a
 * browser in which somebody of the shop has signed in.
 */
function isLook(request: Request, baseUrl: string): boolean {
  const { headers, method } = request;
  const isPrefetch = /\bprefetch\b/i.test(headers.get("sec-purpose") ?? headers.get("purpose") ?? "");
  const isShops = signInCookies.some((name) => cookieOf(request, name, baseUrl) !== null);
  return method === "GET" && !isPrefetch && !isShops && !headers.has("authorization") && wantsHtml(request);
}
