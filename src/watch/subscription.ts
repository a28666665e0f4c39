import { createFeed, type Feed } from "../chain/node/feed.ts";
import { addressesPerTopicMax } from "../chain/transfer/transfer-log.ts";
import type { Watching } from "./deposits.ts";
import type { Announced, Looked } from "./look.ts";

/** Limit, as a node can announce anything. */
const announcedMax = 1_000;

/** How long an announced block is waited for, as nodes behind one URL may lag. */
const announcedMs = 10_000;

/** Interval of looks without an announcement, in case one was lost; shorter without a subscription. */
export const safetyLookMs = 60_000;
const pollingMs = 15_000;
/** While the subscription is down: payments must not wait for its next attempt to reconnect. */
const unheardMs = 5_000;

type SubscriptionOptions = Watching & {
  /** Requests a look. */
  wake: () => void;
};

export type Subscription = ReturnType<typeof createSubscription>;

/** Receives what a node announces for the watched deposits, if a WebSocket is configured. */
export function createSubscription(options: SubscriptionOptions) {
  const { config, log, clock, deposits, onRequest, wake } = options;
  /** By block, the deposits that a node announced, and when it first did. */
  const announced = new Map<number, { at: number; deposits: Set<number> }>();
  /** Why it is down, logged once while it lasts; null while it is up. */
  let downReason: string | null = null;

  function announce(blockNumber: number, depositIndex: number): void {
    if (announced.size >= announcedMax && !announced.has(blockNumber)) return;
    const told = announced.get(blockNumber) ?? { at: clock(), deposits: new Set() };
    told.deposits.add(depositIndex);
    announced.set(blockNumber, told);
  }

  const feed: Feed | null =
    config.rpcWsUrl === null
      ? null
      : createFeed({
          wsUrl: config.rpcWsUrl,
          usdc: config.network.usdc,
          parts: () => deposits.recipients.parts(addressesPerTopicMax),
          onRequest,
          onHint: (hint) => {
            const index = hint === null ? null : deposits.recipients.get(hint.recipient);
            if (hint && index !== undefined && index !== null) announce(hint.blockNumber, index);
            wake();
          },
          onUp: () => {
            downReason = null;
            log.info("chain.connected", "listening to the chain");
          },
          onDown: (reason) => {
            if (reason === downReason) return;
            downReason = reason;
            log.warn("chain.disconnected", "the connection to the chain is down, looking regularly instead", {
              reason,
            });
            wake();
          },
        });

  return {
    /** Announced but not seen yet. */
    announced: (): Announced =>
      new Map([...announced].map(([block, told]) => [block, new Set(told.deposits)])),
    /**
     * Call it after a look that read some logs and had to leave the blocks of others to the next. Returns how long the
     * oldest of the rest has been waited for, in ms; null if none is left.
     */
    seen({ told, unread }: Pick<Looked, "told" | "unread">): number | null {
      for (const [block, { at, deposits }] of announced) {
        for (const index of told.get(block) ?? []) deposits.delete(index);
        const isInVain = clock() - at > announcedMs && !unread.includes(block);
        if (deposits.size === 0 || isInVain) announced.delete(block);
      }
      const times = [...announced.values()].map(({ at }) => at);
      return times.length === 0 ? null : clock() - Math.min(...times);
    },
    /** Subscribes to the current deposits. Call it when the watched deposits change. */
    listen: () => feed?.listen(deposits.recipients.size > 0),
    get isUp(): boolean {
      return feed?.isUp ?? false;
    },
    /** How long the next look may wait while nothing is announced, in ms; Infinity if there is nothing to watch. */
    lookInMs(): number {
      if (deposits.recipients.size === 0) return Number.POSITIVE_INFINITY;
      if (feed?.isUp) return safetyLookMs;
      return feed ? unheardMs : pollingMs;
    },
    stop: async () => await feed?.stop(),
  };
}
