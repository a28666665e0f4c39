import { fetchChanges, poll } from "../poll.ts";

/** Somebody looks at it. */
const shownPollMs = 4_000;
const hiddenPollMs = 60_000;

/**
 * Keeps the parts of a page that are marked `data-live` as the server has them: it asks for the same page again and
 * replaces what changed, by id. What the reader has focused or opened stays. A page without such parts asks nothing.
 */
export function followPage(): void {
  if (document.querySelector("[data-live]") === null) return;
  const sent = new Map(parts(document).map((part) => [part.id, part.outerHTML]));
  poll({
    url: location.href,
    ask: fetchChanges(),
    delayMs: () => (document.hidden ? hiddenPollMs : shownPollMs),
    onText: (text) => {
      if (text === "") return true;
      const next = new DOMParser().parseFromString(text, "text/html");
      const nextParts = parts(next);
      // A page to sign in, or a proxy's.
      if (nextParts.length === 0) return false;
      for (const part of nextParts) replace(part, sent);
      return true;
    },
    onConnected: (isConnected) => document.documentElement.toggleAttribute("data-offline", !isConnected),
  });
}

const parts = (root: ParentNode) => [...root.querySelectorAll<HTMLElement>("[data-live][id]")];

function replace(next: HTMLElement, sent: Map<string, string>): void {
  const html = next.outerHTML;
  const here = document.getElementById(next.id);
  if (here === null || sent.get(next.id) === html || here.contains(document.activeElement)) return;
  sent.set(next.id, html);
  here.replaceWith(document.importNode(next, true));
}
