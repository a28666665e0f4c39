import { showCopyButtons } from "../copy.ts";
import { fetchChanges } from "../live/fetch-changes.ts";
import { poll, tellConnection } from "../live/poll.ts";

/** The page is visible. */
const shownPollMs = 4_000;
const hiddenPollMs = 60_000;

/**
 * Keeps a page's `data-live` parts up to date: polls the same page and replaces the changed parts, by id. A part that
 * has the focus waits until the reader leaves it. Does not poll if no part is inside `main`, because the page may be a
 * form.
 */
export function followPage(): void {
  if (document.querySelector("main [data-live]") === null) return;
  const sent = new Map(parts(document).map((part) => [part.id, part.outerHTML]));
  let newest: HTMLElement[] = [];
  poll({
    url: location.href,
    ask: fetchChanges(),
    delayMs: () => (document.hidden ? hiddenPollMs : shownPollMs),
    onText: (text) => {
      if (text !== "") {
        const page = new DOMParser().parseFromString(text, "text/html");
        const next = parts(page);
        // It no longer changes by itself: for example, it has a form now.
        if (next.length === 0 && [...sent.keys()].some((id) => page.getElementById(id))) location.reload();
        // A sign-in page, or a proxy's.
        else if (next.length === 0) return false;
        newest = next;
      }
      // Also while nothing changes: a part that had the focus may have lost it by now.
      for (const part of newest) replace(part, sent);
      return true;
    },
    onConnected: tellConnection,
  });
}

const parts = (root: ParentNode) => [...root.querySelectorAll<HTMLElement>("[data-live][id]")];

function replace(next: HTMLElement, sent: Map<string, string>): void {
  const html = next.outerHTML;
  const here = document.getElementById(next.id);
  if (here === null || sent.get(next.id) === html || here.contains(document.activeElement)) return;
  sent.set(next.id, html);
  const fresh = document.importNode(next, true);
  here.replaceWith(fresh);
  showCopyButtons(fresh);
}
