import { complete, completeHeaders, pageHeaders } from "../http/answer/html.ts";
import type { HttpDeps } from "../http/route/deps.ts";
import { createTurns } from "../lib/loop.ts";
import type { Page } from "../pages/layout.tsx";
import { createVersion } from "../store/version.ts";

/** Maximum pages kept, about 40 kB each, or 14 compressed. */
const pagesMax = 250;

const minuteMs = 60_000;

/** `until`: the time when its content changes by itself, in Unix milliseconds; never if left out. */
type RenderedPage = {
  page: Page;
  frameAncestors?: string;
  pictures?: boolean;
  formAction?: string;
  until?: number;
  headers?: Record<string, string>;
};

type CacheEntry = { body: Blob; headers: Headers; until: number };

/**
 * Caches the latest pages until anything they show changes: a merchant who makes a thousand people open one invoice
 * slows nobody else down. Every minute counts as a change, because a day may begin with it in some time zone. Browsers
 * that accept it get a page compressed to a third of its size: no page contains a secret. Rendering takes turns. `make`
 * may also return a response that is not cached. Uncached pages wait for `ready`.
 */
export function createPageCache(
  deps: Pick<HttpDeps, "db" | "baseUrl" | "now" | "chainHead" | "isDelayed">,
): (
  request: Request,
  name: string,
  make: () => RenderedPage | Response,
  ready?: () => Promise<unknown> | null,
) => Response | Promise<Response> {
  const pages = new Map<string, CacheEntry>();
  const turns = createTurns();
  const version = createVersion(deps.db);
  let shown = "";

  return ({ headers }, name, make, ready = () => null) => {
    const compressed = takesGzip(headers);
    const key = compressed ? `${name} gzip` : name;
    const render = () =>
      turns.take(() => {
        // Another request may have rendered it while this one waited.
        const meanwhile = cached(key);
        if (meanwhile) return meanwhile;
        const fresh = make();
        if (fresh instanceof Response) return fresh;
        if (pages.size >= pagesMax) pages.clear();
        const entry = keep(fresh, compressed);
        pages.set(key, entry);
        return complete(entry.body, entry.headers);
      });
    return cached(key) ?? ready()?.then(render) ?? render();
  };

  function cached(key: string): Response | null {
    const minute = Math.floor(deps.now() / minuteMs);
    const now = `${version()} ${deps.chainHead()} ${deps.isDelayed()} ${minute}`;
    if (now !== shown) pages.clear();
    shown = now;
    const entry = pages.get(key);
    return entry && deps.now() < entry.until ? complete(entry.body, entry.headers) : null;
  }

  function keep(
    { page, until = Number.POSITIVE_INFINITY, headers: own, ...options }: RenderedPage,
    compressed: boolean,
  ): CacheEntry {
    const body = new TextEncoder().encode(page.html);
    const headers = completeHeaders(deps.baseUrl, {
      ...pageHeaders(page, options),
      ...own,
      vary: "accept-encoding",
    });
    if (compressed) headers.set("content-encoding", "gzip");
    return {
      body: new Blob([compressed ? gzip(body) : body]),
      headers,
      until,
    };
  }
}

/** Compresses better than zlib, in less time. */
export function gzip(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return Bun.gzipSync(body, { library: "libdeflate", level: 8 });
}

/** True if the request accepts gzip, and not with `q=0` (RFC 9110, section 12.5.3). */
function takesGzip(headers: Headers): boolean {
  return /(^|[\s,])gzip\s*(,|$|;\s*q=(1|0\.0*[1-9]))/i.test(headers.get("accept-encoding") ?? "");
}
