/** Waits for `ms` milliseconds or until the signal aborts, whichever comes first. Never throws. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** Ends a turn of the event loop, so that everything else that waits goes first. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** What `work` resolves with, or null when that takes longer than `limitMs` milliseconds; the work goes on then. */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  const over = new AbortController();
  try {
    return await Promise.race([work, sleep(limitMs, over.signal).then(() => null)]);
  } finally {
    over.abort();
  }
}

/** How long to wait after 1, 2, … failures in a row, in ms: `min`, then the double each time, up to `max`. */
export function backoffMs(failures: number, { min, max }: { min: number; max: number }): number {
  return Math.min(max, min * 2 ** (failures - 1));
}

type Wakeable = {
  /** Makes the current or the next wait return at once. Calls before a wait are remembered once. */
  wake(): void;
  /** Waits for a wake, at most `ms` milliseconds, or until the signal aborts. Returns whether it was woken. */
  wait(ms: number, signal: AbortSignal): Promise<boolean>;
};

/** A loop's bell: work that arrives while the loop is busy is not missed. */
export function createWakeable(): Wakeable {
  let pending = false;
  let resume: (() => void) | null = null;
  return {
    wake() {
      pending = true;
      resume?.();
    },
    async wait(ms, signal) {
      if (!pending && !signal.aborted) {
        const woken = new AbortController();
        const stop = () => woken.abort();
        resume = stop;
        signal.addEventListener("abort", stop, { once: true });
        await sleep(ms, woken.signal);
        signal.removeEventListener("abort", stop);
        resume = null;
      }
      const woken = pending;
      pending = false;
      return woken;
    },
  };
}
