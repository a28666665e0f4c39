import { announce } from "../texts.ts";

const requestTimeoutMs = 10_000;

export type Poll = {
  url: string;
  /** Replaces `fetchText`. */
  ask?: (url: string) => Promise<string>;
  /** Delay after a response, in ms; evaluated each time. */
  delayMs: () => number;
  /** Returns false if the response is not what was asked for. The next request waits for it. */
  onText: (text: string) => boolean | Promise<boolean>;
  /** Called when the server becomes unreachable, and reachable again. */
  onConnected: (connected: boolean) => void;
};

/** Polls the server, one request at a time, for as long as the page lives. Returns a function that asks at once. */
export function poll({ url, ask: fetching = fetchText, delayMs, onText, onConnected }: Poll): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;
  let askAgain = false;

  async function ask(): Promise<void> {
    clearTimeout(timer);
    if (asking) {
      askAgain = true;
      return;
    }
    asking = true;
    let waitMs = 0;
    try {
      onConnected(
        await fetching(url).then(onText, (thrown: unknown) => {
          if (!(thrown instanceof TooManyRequests)) return false;
          waitMs = thrown.waitMs;
          return true;
        }),
      );
    } finally {
      asking = false;
      timer = setTimeout(ask, Math.max(waitMs, askAgain ? 0 : delayMs()));
      askAgain = false;
    }
  }

  timer = setTimeout(ask, delayMs());
  return () => void ask();
}

/** The server is limiting requests from this address, for example because many people share it. */
export class TooManyRequests extends Error {
  constructor(readonly waitMs: number) {
    super();
  }
}

/** Rejects if the server does not answer in time, if `signal` aborts, or for a failure status. */
export async function fetchText(url: string, signal?: AbortSignal): Promise<string> {
  return (await request(url, { cache: "no-cache" }, signal)).text();
}

/** Returns a successful or a 304 response, or a redirection if `how` says so. Throws TooManyRequests for 429, and an Error for other statuses. */
export async function request(url: string, how: RequestInit, over?: AbortSignal): Promise<Response> {
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  const signal = over ? AbortSignal.any([timeout, over]) : timeout;
  const response = await fetch(url, { redirect: "error", ...how, signal });
  if (response.status === 429) {
    const seconds = Number(response.headers.get("retry-after")) || 0;
    // Spread out, or all waiting clients would come back at the same moment.
    throw new TooManyRequests((seconds + Math.random() * seconds) * 1000);
  }
  const isFine = response.ok || response.status === 304 || response.type === "opaqueredirect";
  if (!isFine) throw new Error(`HTTP ${response.status}`);
  return response;
}

/** Shows and announces that the server cannot be reached; `again` is the announcement when it can. */
export function tellConnection(isConnected: boolean, again?: () => string): void {
  const connection = document.getElementById("connection");
  if (connection === null || connection.hidden === isConnected) return;
  connection.hidden = isConnected;
  if (!isConnected) announce(connection.textContent ?? "");
  else if (again) announce(again());
}

/** Calls `look` whenever the reader comes back to the page. */
export function whenShown(look: () => void): void {
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) look();
  });
}
