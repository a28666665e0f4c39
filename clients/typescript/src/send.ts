import { errorOf, TillError } from "./error.ts";

/** How long to try. */
export type Patience = {
  /** How often at most, where repeating is safe: 5 times unless told. */
  attempts?: number;
  /** How long one attempt may take until its whole answer is there, and a file be silent: 30 s unless told. */
  timeoutMs?: number;
  /** No attempt begins later than this after the first: 60 s unless told. */
  totalMs?: number;
};

export type Sending = Patience & {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Such as `POST /api/invoices`. */
  call: string;
  url: string;
  init: RequestInit;
  idempotencyKey: string | null;
  signal?: AbortSignal | undefined;
};

/** Throws a TillError when the answer cannot be what was asked for. With each `heard`, the attempt has its time anew. */
export type Read<T> = (response: Response, call: string, heard: () => void) => Promise<T>;

const firstWaitMs = 300;
const waitMsMax = 10_000;

/** Of what may well go better in a moment. */
const passing = [429, 502, 503, 504];

/**
 * Sends a request, again where that is safe, and returns what `read` makes of the answer. Throws a TillError, or the
 * reason of the signal when that ends it.
 */
export async function send<T>(sending: Sending, read: Read<T>): Promise<T> {
  const { init, idempotencyKey, signal, attempts = 5, totalMs = 60_000 } = sending;
  const isRead = init.method === "GET";
  const startedAt = Date.now();
  let mayBeDone = false;
  for (let attempt = 1; ; attempt++) {
    const outcome = await once(sending, read);
    if (!(outcome instanceof TillError)) return outcome.value;
    const { status, retryAfterSec } = outcome;
    // Only a refusal says that nothing was done, and only of its own attempt.
    mayBeDone ||= !isRead && (status === null || status < 400 || status >= 500);
    // Half of it is chance, so that many clients do not come back at once.
    const backoffMs = Math.min(firstWaitMs * 2 ** (attempt - 1), waitMsMax) * (0.5 + Math.random() / 2);
    const waitMs = Math.max(backoffMs, (retryAfterSec ?? 0) * 1000);
    const isWorthIt =
      (isRead || idempotencyKey !== null) &&
      (status === null || passing.includes(status)) &&
      attempt < attempts;
    if (!isWorthIt || Date.now() - startedAt + waitMs > totalMs)
      throw Object.assign(outcome, { idempotencyKey, mayBeDone });
    await wait(waitMs, signal);
  }
}

async function once<T>(
  { fetch, call, url, init, timeoutMs = 30_000, signal }: Sending,
  read: Read<T>,
): Promise<{ value: T } | TillError> {
  signal?.throwIfAborted();
  const attempt = new AbortController();
  const stop = () => attempt.abort();
  signal?.addEventListener("abort", stop);
  // A timer for longer than this would end at once.
  const start = () => setTimeout(stop, Math.min(timeoutMs, 2 ** 31 - 1));
  let timer = start();
  const heard = () => {
    clearTimeout(timer);
    timer = start();
  };
  try {
    // A redirect would turn a POST into a GET, and edges know no other way to refuse one.
    const response = await fetch(url, { ...init, signal: attempt.signal, redirect: "manual" });
    return response.ok
      ? { value: await read(response, call, heard) }
      : errorOf(call, response, await response.text());
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof TillError) return cause;
    const isLate = attempt.signal.aborted;
    const what = isLate ? `No answer came within ${timeoutMs / 1000} s.` : "The connection failed.";
    return new TillError(call, "no_answer", what, { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** Ends with the signal; the next attempt looks at it first. */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, signal?.aborted ? 0 : ms);
    signal?.addEventListener("abort", end);
  });
}
