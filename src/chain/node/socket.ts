import { messageOf } from "../../lib/error.ts";
import { createRedact, secretsOfUrl } from "../../lib/log.ts";
import { backoffMs, sleep } from "../../lib/loop.ts";
import { type Timer, world } from "../../lib/world.ts";

/** Together these determine how soon a connection that is open in name only is noticed: after 40 s. */
const defaultLimits = {
  /** How long a connection may take to open, and a call on it to be answered. */
  answerMs: 10_000,
  /**
   * A connection that carries nothing for this long may be half open: one call finds out, 120 times in an idle hour.
   */
  silenceMs: 30_000,
};

/** Cut only after redacting: half a secret is still a secret. */
const reasonCharsMax = 320;

/** A log or a block's header takes one or two thousand characters. */
const messageCharsMax = 64 * 1024;

const reconnectDelayMs = { min: 250, max: 8_000 };
/** After a useful connection at most this many failures count, so the next attempt follows within half a second. */
const failuresOfUsefulMax = 1;

export type Socket = {
  /** Makes one JSON-RPC call over the open connection. Throws if it fails or is not answered in time. */
  call(method: string, params: readonly unknown[]): Promise<unknown>;
};

type SocketOptions = {
  url: string;
  signal: AbortSignal;
  /** Called with every new connection, which is used until its promise settles or it closes. */
  onOpen: (socket: Socket, closed: AbortSignal) => Promise<void>;
  onNotification: (subscription: string, result: unknown) => void;
  onDown: (reason: string) => void;
  onRequest?: (method: string) => void;
  limits?: typeof defaultLimits;
};

/**
 * Keeps a JSON-RPC WebSocket open until the signal aborts: reconnects for ever, with a growing and jittered delay, and
 * notices a connection that is open in name only.
 */
export async function keepSocket(options: SocketOptions): Promise<void> {
  let failures = 0;
  const redact = createRedact(secretsOfUrl(options.url));
  while (!options.signal.aborted) {
    try {
      // A node that accepts connections and refuses everything on them must not be asked several times a second.
      await useConnection(options, () => {
        failures = Math.min(failures, failuresOfUsefulMax);
      });
    } catch (thrown) {
      if (options.signal.aborted) return;
      options.onDown(redact(messageOf(thrown)).slice(0, reasonCharsMax));
    }
    failures += 1;
    await sleep(backoffMs(failures, reconnectDelayMs) * (0.5 + world.random() / 2), options.signal);
  }
}

type Pending = { method: string; resolve: (result: unknown) => void; reject: (reason: Error) => void };

/** Runs one connection to its end; calls `onUseful` once the node does what it is asked. Throws why it ended. */
async function useConnection(options: SocketOptions, onUseful: () => void): Promise<void> {
  const { answerMs, silenceMs } = options.limits ?? defaultLimits;
  const closed = new AbortController();
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let heartbeat: Timer | undefined;
  // With compression half a gigabyte of one letter arrives in 500 KB, and is in memory before its length can be
  // checked.
  const ws = world.webSocket(options.url, { perMessageDeflate: false });
  const end = (reason: Error) => {
    if (closed.signal.aborted) return;
    world.clearTimeout(heartbeat);
    closed.abort(reason);
    for (const call of pending.values()) call.reject(reason);
    pending.clear();
    // A flooding node keeps sending until it has read the close.
    ws.onmessage = null;
    ws.close();
  };
  const onStop = () => end(new Error("Till is stopping"));
  options.signal.addEventListener("abort", onStop, { once: true });
  ws.onclose = () => end(new Error("the connection was closed"));
  ws.onerror = () => end(new Error("the connection failed"));

  const socket: Socket = {
    call(method, params) {
      if (closed.signal.aborted) return Promise.reject(closed.signal.reason);
      options.onRequest?.(method);
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        // A connection on which a call is not answered is given up, as the other calls would wait just as long.
        const timer = world.setTimeout(
          () => end(new Error(`${method} was not answered within ${answerMs} ms`)),
          answerMs,
        );
        const settle = (answer: () => void) => {
          world.clearTimeout(timer);
          pending.delete(id);
          answer();
        };
        pending.set(id, {
          method,
          resolve: (result) => settle(() => resolve(result)),
          reject: (reason) => settle(() => reject(reason)),
        });
        ws.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      });
    },
  };
  const expectTraffic = () => {
    world.clearTimeout(heartbeat);
    if (closed.signal.aborted) return;
    heartbeat = world.setTimeout(() => {
      socket.call("eth_chainId", []).catch((thrown: unknown) => end(new Error(messageOf(thrown))));
    }, silenceMs);
  };

  try {
    await opened(ws, closed.signal, end, answerMs);
    expectTraffic();
    ws.onmessage = ({ data }) => {
      expectTraffic();
      const answer = parse(data);
      if (!answer) return end(new Error("a message came that is no JSON-RPC, or too long"));
      const call = typeof answer.id === "number" ? pending.get(answer.id) : undefined;
      const isRefused = answer.error || (call?.method === "eth_subscribe" && !isName(answer.result));
      if (call && isRefused)
        call.reject(new Error(`the node refused: ${JSON.stringify(answer.error ?? answer.result)}`));
      else if (call) {
        onUseful();
        call.resolve(answer.result);
      } else if (answer.params?.subscription)
        options.onNotification(answer.params.subscription, answer.params.result);
    };
    await Promise.race([options.onOpen(socket, closed.signal), ended(closed.signal)]);
    await ended(closed.signal);
  } finally {
    end(new Error("the connection is no longer used"));
    options.signal.removeEventListener("abort", onStop);
  }
}

function opened(
  ws: WebSocket,
  closed: AbortSignal,
  end: (reason: Error) => void,
  timeoutMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = world.setTimeout(() => end(new Error(`no connection within ${timeoutMs} ms`)), timeoutMs);
    ws.onopen = () => {
      world.clearTimeout(timer);
      resolve();
    };
    closed.addEventListener("abort", () => {
      world.clearTimeout(timer);
      reject(closed.reason);
    });
  });
}

function ended(closed: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (closed.aborted) return reject(closed.reason);
    closed.addEventListener("abort", () => reject(closed.reason), { once: true });
  });
}

type Answer = {
  id?: unknown;
  result?: unknown;
  error?: unknown;
  params?: { subscription?: string; result?: unknown };
};

/** A valid subscription id: with anything else no notification would ever match. */
const isName = (value: unknown) => typeof value === "string" && /^(0x)?[0-9a-f]{1,64}$/i.test(value);

function parse(data: unknown): Answer | null {
  if (typeof data !== "string" || data.length > messageCharsMax) return null;
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" ? (value as Answer | null) : null;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}
