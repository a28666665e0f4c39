import * as Told from "../../domain/payment/told.ts";
import { fetchText, poll, whenShown } from "./poll.ts";

/** Until it asks again: a flood of payments is told of ten times a second at most. */
const againMs = 100;
/** The same after an answer at once and with nothing new, or none. */
const restMs = 3_000;

/**
 * Waits at the URL `urlOf()`, and calls `onTold` as soon as the server tells of money there. A browser has only a few
 * connections to a server: a page that nobody looks at, or in a frame, keeps none busy. Returns "it is another URL now".
 */
export function hear(urlOf: () => string | null, onTold: () => void): () => void {
  if (self !== top) return () => {};
  let known = "";
  let askedAt = 0;
  let isNew = false;
  let waiting = new AbortController();

  const askNow = poll({
    url: "",
    async ask() {
      askedAt = Date.now();
      isNew = false;
      waiting = new AbortController();
      const at = document.hidden ? null : urlOf();
      return at === null
        ? known
        : await fetchText(`${at}${at.includes("?") ? "&" : "?"}shown=${known}`, waiting.signal);
    },
    onText(text) {
      isNew = text !== known && Told.form.test(text);
      if (isNew) {
        known = text;
        onTold();
      }
      return true;
    },
    delayMs: () => (isNew || Date.now() - askedAt >= restMs ? againMs : restMs),
    onConnected: () => {},
  });
  const askAnew = () => {
    waiting.abort();
    askNow();
  };
  whenShown(askAnew);
  return askAnew;
}
