import { fetchText, poll } from "./poll.ts";

/** Until the server is asked again: after an answer, for which it had the time to wait, and without one. */
const againMs = 100;
const restMs = 3_000;

/**
 * Where a node tells of payments before their block, the server answers `where` when something else arrives; it is empty
 * while there is nothing to ask. A page that nobody looks at keeps no connection busy, of which a browser has only a few.
 */
export function hear(where: () => string, onText: (text: string) => boolean): void {
  let waitMs = againMs;
  poll({
    url: "",
    async ask() {
      const url = where();
      return url && !document.hidden ? fetchText(url) : "";
    },
    delayMs: () => waitMs,
    onText,
    onConnected(isAnswered) {
      waitMs = isAnswered ? againMs : restMs;
    },
  });
}
