import * as LiveState from "../../../domain/payment/live-state.ts";
import { fetchText, poll, whenShown } from "./poll.ts";

/** Pause between requests: in a flood of payments, it is told at most ten times a second. */
const againMs = 100;
/** The same after an immediate response with nothing new, or a failed one. */
const restMs = 3_000;

/**
 * Long-polls the URL `urlOf()`, and calls `onNews` as soon as the server reports money there. Browsers allow only a few
 * connections per server, so a hidden page, or one in a frame, holds none. Returns a function to call when the URL
 * changes.
 */
export function hear(urlOf: () => string | null, onNews: () => void): () => void {
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
      isNew = text !== known && LiveState.form.test(text);
      if (isNew) {
        known = text;
        onNews();
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
