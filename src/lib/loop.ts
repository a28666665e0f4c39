import { world } from "./world.ts";
/** Waits for `ms` milliseconds or until the signal aborts, whichever comes first. Never throws. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      world.clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = world.setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** Ends a turn of the event loop, so that everything else that is waiting goes first. */
export function turn(): Promise<void> {
  return new Promise((resolve) => world.setImmediate(resolve));
}

/**
 * Resolves with the result of `work`, or null if that takes longer than `limitMs` milliseconds; the work continues
 * then.
 */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  const over = new AbortController();
  try {
    return await Promise.race([work, sleep(limitMs, over.signal).then(() => null)]);
  } finally {
    over.abort();
  }
}

/** How long to wait after 1, 2, … consecutive failures, in ms: `min`, doubled each time, up to `max`. */
export function backoffMs(failures: number, { min, max }: { min: number; max: number }): number {
  return Math.min(max, min * 2 ** (failures - 1));
}

/** A loop's bell, which does not lose calls that arrive while the loop is busy. */
export function createWakeable() {
  let pending = false;
  let resume: (() => void) | null = null;
  return {
    /** Makes the current or the next wait return at once. Calls before a wait are remembered once. */
    wake() {
      pending = true;
      resume?.();
    },
    /**
     * Waits for a call of `wake`, at most `ms` milliseconds, or until the signal aborts. Returns whether it was woken.
     */
    async wait(ms: number, signal: AbortSignal): Promise<boolean> {
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

type Looking = {
  /** Returns when to look again, in ms. */
  look(signal: AbortSignal): Promise<number>;
  /** Called with the error when a look throws. The next look follows after `againMs`. */
  failed(thrown: unknown): void;
  againMs: number;
  /** Maximum time between looks, in case the clock was set or the machine slept. */
  idleMsMax?: number;
};

/** Looks again and again, at once when woken, until it is stopped; stopping waits for a look in progress. */
export function startLooking({ look, failed, againMs, idleMsMax = Number.POSITIVE_INFINITY }: Looking) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const bell = createWakeable();

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let nextMs = againMs;
      try {
        nextMs = await look(signal);
      } catch (thrown) {
        failed(thrown);
      }
      await bell.wait(Math.min(nextMs, idleMsMax), signal);
    }
  }

  const running = run();
  return {
    wake: bell.wake,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Runs pieces of work one at a time, each in its own turn, in order of arrival. Everything else runs in between, so
 * that many pieces block the event loop no longer than one.
 */
export function createTurns() {
  const waiting: (() => void)[] = [];

  function next(): void {
    const run = waiting.shift();
    if (waiting.length > 0) world.setImmediate(next);
    run?.();
  }

  return {
    /** Runs `work` in a turn of the event loop shared with no other work from here. Throws what it throws. */
    take: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        if (waiting.length === 0) world.setImmediate(next);
        waiting.push(() => {
          try {
            resolve(work());
          } catch (thrown) {
            reject(thrown);
          }
        });
      }),
  };
}

/** Splits a list into parts of `size`, in order; the last one may be shorter. An empty list has no parts. */
export function chunks<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, at) => list.slice(at * size, (at + 1) * size));
}

/** Like `chunks`, for an iterable that is never all in memory at once. */
export function* batches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
