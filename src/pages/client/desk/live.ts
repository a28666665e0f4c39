import { showCopyButtons } from "../copy.ts";
import { fetchChanges } from "../fetch-changes.ts";
import { poll, tellConnection } from "../poll.ts";

/** Somebody looks at it. */
const shownPollMs = 4_000;
const hiddenPollMs = 60_000;

/**
 * Keeps the parts of a page that are marked `data-live` as the server has them: it asks for the same page again and
 * replaces what changed, by id. A part with the focus in it waits until the reader leaves it. A page asks nothing if only
 * what stands beside it has such parts: it may be a form.
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
        // It changes by itself no more: it has a form now, say.
        if (next.length === 0 && [...sent.keys()].some((id) => page.getElementById(id))) location.reload();
        // A page to sign in, or a proxy's.
        else if (next.length === 0) return false;
        newest = next;
      }
      // Also while nothing changes: a part that was focused may be left by now.
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
