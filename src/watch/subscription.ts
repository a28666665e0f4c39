import { createFeed, type Feed, type Hint } from "../chain/node/feed.ts";
import { addressesPerTopicMax } from "../chain/transfer/transfer-log.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";
import type { Watching } from "./deposits.ts";

/** A node can announce whatever it likes. */
const announcedMax = 1_000;

/** A scan without any announcement, in case one was lost; more often where there is no subscription. */
export const safetyScanMs = 60_000;
const pollingScanMs = 12_000;
/** While the subscription is down: what comes after it is back must not wait for its next try to connect. */
const unheardScanMs = 5_000;
/** How often to look while a transfer waits for confirmations and no subscription tells of new blocks. */
const confirmingScanMs = 2_000;
/** The same with a subscription. New blocks ask for scans sooner, unless the node stops telling of them. */
export const confirmingSafetyScanMs = 10_000;

type SubscriptionOptions = Watching & {
  /** In place of `confirmingSafetyScanMs`. */
  safetyMs?: number | undefined;
  /** Asks for a scan. */
  wake: () => void;
};

export type Subscription = ReturnType<typeof createSubscription>;

/** What a node tells of the watched deposits by itself, if a WebSocket is configured. */
export function createSubscription(options: SubscriptionOptions) {
  const { config, db, log, deposits, safetyMs = confirmingSafetyScanMs, onRequest, wake } = options;
  /** The blocks that a node announced since the last scan, and whether it promised transfers in them. */
  const announced = new Map<number, boolean>();
  /** Why it is down, said once while it lasts. */
  let downReason: string | null = null;

  function announce({ blockNumber, holdsTransfer }: Hint): void {
    if (announced.size >= announcedMax && !announced.has(blockNumber)) return;
    announced.set(blockNumber, holdsTransfer || announced.get(blockNumber) === true);
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
            if (hint) announce(hint);
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
    announced,
    /** Subscribes to what matters now. To be called when the watched deposits or the unconfirmed transfers change. */
    listen() {
      const heads = config.confirmations !== 1 && TransferStore.anyUnconfirmed(db);
      feed?.listen({ any: deposits.recipients.size > 0, heads });
    },
    get isUp(): boolean {
      return feed?.isUp ?? false;
    },
    /** How long the next scan may wait while nothing rings, in ms; Infinity when there is nothing to watch. */
    scanInMs(): number {
      if (deposits.recipients.size === 0) return Number.POSITIVE_INFINITY;
      const isConfirming = TransferStore.anyUnconfirmed(db);
      if (feed?.isUp) return isConfirming ? safetyMs : safetyScanMs;
      if (isConfirming) return confirmingScanMs;
      return feed ? unheardScanMs : pollingScanMs;
    },
    async stop() {
      await feed?.stop();
    },
  };
}
