import { createFeed, type Feed } from "../chain/node/feed.ts";
import { addressesPerTopicMax } from "../chain/transfer/transfer-log.ts";
import type { Watching } from "./deposits.ts";
import type { Announced, Looked } from "./look.ts";

/** A node can announce whatever it likes. */
const announcedMax = 1_000;

/** What was announced is waited for so long: behind one URL there may be nodes that lag. */
const announcedMs = 10_000;

/** A look without any announcement, in case one was lost; more often where there is no subscription. */
export const safetyLookMs = 60_000;
const pollingMs = 15_000;
/** While the subscription is down: what comes after it is back must not wait for its next try to connect. */
const unheardMs = 5_000;

type SubscriptionOptions = Watching & {
  /** Asks for a look. */
  wake: () => void;
};

export type Subscription = ReturnType<typeof createSubscription>;

/** What a node tells of the watched deposits by itself, if a WebSocket is configured. */
export function createSubscription(options: SubscriptionOptions) {
  const { config, log, clock, deposits, onRequest, wake } = options;
  /** By block, the deposits that a node told of, and when it first did. */
  const announced = new Map<number, { at: number; deposits: Set<number> }>();
  /** Why it is down, said once while it lasts. */
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
    /** What was announced and not seen yet. */
    announced: (): Announced =>
      new Map([...announced].map(([block, told]) => [block, new Set(told.deposits)])),
    /**
     * A look has read logs of some, and had to leave the blocks of others to the next one. Returns for how long the oldest of
     * the rest is waited for, in ms; or null.
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
    /** Subscribes to what matters now. To be called when the watched deposits change. */
    listen: () => feed?.listen(deposits.recipients.size > 0),
    get isUp(): boolean {
      return feed?.isUp ?? false;
    },
    /** How long the next look may wait while nothing rings, in ms; Infinity when there is nothing to watch. */
    lookInMs(): number {
      if (deposits.recipients.size === 0) return Number.POSITIVE_INFINITY;
      if (feed?.isUp) return safetyLookMs;
      return feed ? unheardMs : pollingMs;
    },
    stop: async () => await feed?.stop(),
  };
}
