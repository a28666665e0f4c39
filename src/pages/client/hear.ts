import { fetchText, type Poll, poll } from "./poll.ts";

/** Until the server is asked again; and when it answered at once and with nothing new, or not at all. */
const againMs = 100;
const restMs = 3_000;

/**
 * Where a node tells of payments before their block, the server answers `url` and what is `shown`, if anything is, when something
 * else arrives. A browser has only a few connections to a server: a page that nobody looks at, or in a frame, keeps none busy.
 */
export function hear(url: () => string, shown: () => string | undefined, onText: Poll["onText"]): void {
  if (self !== top) return;
  let askedAt = 0;
  let asked: string | undefined;
  poll({
    url: "",
    async ask() {
      askedAt = Date.now();
      asked = shown();
      return asked && !document.hidden ? fetchText(url() + asked) : "";
    },
    delayMs: () => (asked === shown() && Date.now() - askedAt < restMs ? restMs : againMs),
    onText,
    onConnected: () => {},
  });
}
