/** The server answers within 8 s, or as soon as something else arrives. */
const answerMsMax = 20_000;
/** Until the next question: with nothing to ask, after news, when the server had no time to wait, and after no answer. */
const restMs = { idle: 1_000, changed: 250, early: 5_000, none: 15_000 };
const heldMsMin = 1_000;

/**
 * Has the server tell at once of a payment that no block has yet, and when one has it: `look` then asks for the page. The
 * regular questions go on beside it. `element` has the address, and what it shows; there may be none. A page that nobody
 * looks at keeps no connection busy, of which a browser has only a few for each server.
 */
export async function hear(element: () => HTMLElement | null, look: () => Promise<unknown>): Promise<never> {
  let hanging = new AbortController();
  document.addEventListener("visibilitychange", () => hanging.abort());
  for (;;) {
    const { hear: url, arriving = "" } = element()?.dataset ?? {};
    let waitMs = restMs.idle;
    if (url !== undefined && !document.hidden) {
      hanging = new AbortController();
      const askedAt = performance.now();
      try {
        const now = await ask(`${url}?shown=${arriving}`, hanging.signal);
        if (now !== arriving) await look();
        const wasHeld = performance.now() - askedAt > heldMsMin;
        waitMs = now !== arriving ? restMs.changed : wasHeld ? 0 : restMs.early;
      } catch {
        // The regular questions find out what it is, and say so.
        waitMs = document.hidden ? restMs.idle : restMs.none;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

async function ask(url: string, signal: AbortSignal): Promise<string> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]);
  const response = await fetch(url, { redirect: "error", signal: inTime });
  if (!response.ok) throw new Error(`The server answered ${response.status}`);
  const { arriving } = (await response.json()) as { arriving: string | null };
  return arriving ?? "";
}
