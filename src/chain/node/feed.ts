import type { Address } from "../../domain/wallet/address.ts";
import { createWakeable } from "../../lib/loop.ts";
import { world } from "../../lib/world.ts";
import type { RecipientPart } from "../transfer/recipients.ts";
import { transferTopic } from "../transfer/transfer-log.ts";
import { keepSocket, type Socket } from "./socket.ts";

/** How often subscriptions are checked without being woken; it only matters if a wake-up was lost. */
const idleCheckMs = 3_600_000;

/**
 * After subscribing to new addresses, pause for this many times as long as it took: a shop that creates many a second
 * must not spend its time telling the node of each. A payment to an address created meanwhile shows that much later,
 * `restMsMax` at most.
 */
const restPerWork = 10;
const restMsMax = 1_000;

/** A transfer reported by the node: its block, and its alleged recipient as a log topic. */
export type Hint = { blockNumber: number; recipient: string };

type FeedOptions = {
  wsUrl: string;
  usdc: Address;
  /** The recipients to listen for, in parts that fit one filter. Read when needed. */
  parts: () => readonly RecipientPart[];
  /** Something may have happened on the chain, with what the node said of it; null if it said nothing. */
  onHint: (hint: Hint | null) => void;
  onUp: () => void;
  onDown: (reason: string) => void;
  onRequest?: (method: string) => void;
};

export type Feed = {
  /** Updates what to listen for; `any` false means nothing. */
  listen(any: boolean): void;
  readonly isUp: boolean;
  /** Permanent: later calls of `listen` have no effect. */
  stop(): Promise<void>;
};

/** The node's subscription for one part of the recipients. */
type Subscription = { key: bigint; id: string };

/**
 * The chain's doorbell: WebSocket subscriptions that say when to look, but are never trusted for what has happened.
 * With nothing to listen for there is no connection.
 */
export function createFeed(options: FeedOptions): Feed {
  let isUp = false;
  let isStopped = false;
  let connection: { stop: AbortController; ended: Promise<void> } | null = null;
  const bell = createWakeable();

  async function serve(socket: Socket, closed: AbortSignal): Promise<void> {
    let subscriptions: Subscription[] = [];
    let restsUntil = 0;
    while (!closed.aborted) {
      const begunAt = world.uptime();
      const isResting = begunAt < restsUntil;
      const current = isResting ? subscriptions : await renew(socket, subscriptions);
      const isNew = current.some((subscription) => !subscriptions.includes(subscription));
      subscriptions = current;
      if (isNew) restsUntil = world.uptime() + Math.min(restMsMax, (world.uptime() - begunAt) * restPerWork);
      // The connection may have ended just when the last call was answered.
      if (closed.aborted) return;
      if (!isUp) options.onUp();
      isUp = true;
      // Transfers from before the subscription are found by looking once.
      if (isNew) options.onHint(null);
      await bell.wait(isResting ? restsUntil - begunAt : idleCheckMs, closed);
    }
  }

  /** Subscribes to new recipients, and unsubscribes from removed ones. */
  async function renew(socket: Socket, subscriptions: readonly Subscription[]): Promise<Subscription[]> {
    const old = new Set(subscriptions);
    const current: Subscription[] = [];
    for (const { key, topics } of options.parts()) {
      const same = [...old].find((subscription) => subscription.key === key);
      if (same) old.delete(same);
      current.push(same ?? { key, id: await subscribe(socket, topics()) });
    }
    // The old filter goes only once the new one is active, so that no address is left without one.
    for (const { id } of old) await socket.call("eth_unsubscribe", [id]);
    return current;
  }

  async function subscribe(socket: Socket, topics: readonly string[]): Promise<string> {
    const filter = { address: options.usdc, topics: [transferTopic, null, topics] };
    return String(await socket.call("eth_subscribe", ["logs", filter]));
  }

  function connect() {
    const stop = new AbortController();
    const ended = keepSocket({
      url: options.wsUrl,
      signal: stop.signal,
      onOpen: serve,
      onNotification: (_, result) => {
        const hinted = hintOf(result);
        if (hinted !== "nothing") options.onHint(hinted);
      },
      onDown: (reason) => {
        isUp = false;
        options.onDown(reason);
      },
      ...(options.onRequest ? { onRequest: options.onRequest } : {}),
    });
    connection = { stop, ended };
  }

  async function disconnect() {
    const ending = connection;
    connection = null;
    isUp = false;
    ending?.stop.abort();
    await ending?.ended;
  }

  return {
    listen(any) {
      if (isStopped) return;
      if (!any) void disconnect();
      else if (connection) bell.wake();
      else connect();
    },
    get isUp() {
      return isUp;
    },
    stop() {
      isStopped = true;
      return disconnect();
    },
  };
}

/**
 * Parses a log; null for a log that was removed, and "nothing" for a zero transfer, which anybody can send to anybody,
 * and for nonsense.
 */
function hintOf(result: unknown): Hint | null | "nothing" {
  if (typeof result !== "object" || result === null) return "nothing";
  const { blockNumber, topics, data, removed } = result as Record<string, unknown>;
  const recipient: unknown = Array.isArray(topics) ? topics[2] : null;
  if (removed === true) return null;
  if (typeof blockNumber !== "string" || !/^0x[0-9a-f]{1,12}$/i.test(blockNumber)) return "nothing";
  if (typeof recipient !== "string" || typeof data !== "string" || !/^0x0*[1-9a-f]/i.test(data))
    return "nothing";
  return { blockNumber: Number(blockNumber), recipient: recipient.toLowerCase() };
}
