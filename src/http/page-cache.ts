import type { Page } from "../pages/layout.tsx";
import * as VersionStore from "../store/version.ts";
import type { HttpDeps } from "./deps.ts";
import { pageHeaders } from "./html.ts";
import { complete, completeHeaders } from "./security-headers.ts";

/** About 40 kB each. */
const pagesMax = 250;

const minuteMs = 60_000;

export type MadePage = { page: Page; frameAncestors?: string };

/**
 * Keeps the pages that were made last, for as long as nothing has changed that any of them shows: whoever makes a
 * thousand people look at one invoice keeps this Till from nothing else. A day begins with a minute in every time zone.
 */
export function createPageCache(
  deps: Pick<HttpDeps, "db" | "baseUrl" | "now" | "chainHead" | "isDelayed">,
): (key: string, make: () => MadePage | null) => Response | null {
  const pages = new Map<string, { body: Uint8Array<ArrayBuffer>; headers: Headers }>();
  let shown = "";
  return (key, make) => {
    const minute = Math.floor(deps.now() / minuteMs);
    const now = `${VersionStore.of(deps.db)} ${deps.chainHead()} ${deps.isDelayed()} ${minute}`;
    if (now !== shown || pages.size >= pagesMax) pages.clear();
    shown = now;
    let kept = pages.get(key);
    if (!kept) {
      const made = make();
      if (made === null) return null;
      const { page, ...options } = made;
      const headers = completeHeaders(deps.baseUrl, pageHeaders(page, options));
      kept = { body: new TextEncoder().encode(page.html), headers };
      pages.set(key, kept);
    }
    return complete(kept.body, kept.headers);
  };
}
