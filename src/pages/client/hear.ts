import { fetchText, type Poll, poll } from "./poll.ts";

/** Until the server is asked again: after it told something new, for which it had the time to wait, and otherwise. */
const againMs = 100;
const restMs = 3_000;

/**
 * Where a node tells of payments before their block, the server answers `url` and what is `shown` when something else
 * arrives; nothing is shown while there is nothing to ask. A browser has only a few connections to a server: a page that nobody
 * looks at keeps none busy, nor does one of many frames in another page.
 */
export function hear(url: () => string, shown: () => string | undefined, onText: Poll["onText"]): void {
  if (window.parent !== window) return;
  let [waitMs, askedAt] = [againMs, 0];
  let asked: string | undefined;
  poll({
    url: "",
    async ask() {
      [asked, askedAt] = [shown(), performance.now()];
      return asked && !document.hidden ? fetchText(url() + asked) : "";
    },
    delayMs: () => waitMs,
    onText,
    onConnected(isAnswered) {
      const isVain = asked === shown() && performance.now() - askedAt < restMs;
      waitMs = isAnswered && !isVain ? againMs : restMs;
    },
  });
}
