import { createFeed, type Feed } from "../chain/feed.ts";
import { topicsOf } from "../chain/transfer-log.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log-events.ts";
import type { Db } from "../store/database.ts";
import * as TransferStore from "../store/transfer.ts";
import type { Hints } from "./hints.ts";
import type { HotDeposits } from "./hot-deposits.ts";

/** A scan without any hint, in case one was lost; more often where there is no subscription. */
export const safetyScanMs = 60_000;
const pollingScanMs = 12_000;
/** While the subscription is down: what comes after it is back must not wait for its next try to connect. */
const unheardScanMs = 5_000;
/** How often to look while a transfer waits for confirmations and no subscription tells of new blocks. */
const confirmingScanMs = 2_000;
/** The same with a subscription. New blocks ask for scans sooner, unless the node stops telling of them. */
const confirmingSafetyScanMs = 10_000;

export type Subscription = {
  /** Subscribes to what matters now. To be called when the hot deposits or the unconfirmed transfers change. */
  listen(): void;
  readonly isUp: boolean;
  /** How long the next scan may wait while nothing rings, in ms; Infinity when there is nothing to watch. */
  scanInMs(): number;
  stop(): Promise<void>;
};

export type SubscriptionDeps = {
  config: Config;
  db: Db;
  log: Log;
  hot: HotDeposits;
  hints: Hints;
  onRequest: (method: string) => void;
  /** Asks for a scan. */
  wake: () => void;
};

/** What a node tells of the hot deposits by itself, if a WebSocket is configured: it is noted as hints. */
export function createSubscription({
  config,
  db,
  log,
  hot,
  hints,
  onRequest,
  wake,
}: SubscriptionDeps): Subscription {
  /** Why it is down, said once while it lasts. */
  let downReason: string | null = null;
  const feed: Feed | null =
    config.rpcWsUrl === null
      ? null
      : createFeed({
          wsUrl: config.rpcWsUrl,
          usdc: config.network.usdc,
          topics: () => topicsOf(hot.recipients),
          onRequest,
          onHint: (hint) => {
            if (hint) hints.note(hint);
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
    listen() {
      const heads = config.confirmations !== 1 && TransferStore.anyUnconfirmed(db);
      feed?.listen({ any: hot.recipients.size > 0, heads });
    },
    get isUp() {
      return feed?.isUp ?? false;
    },
    scanInMs() {
      if (hot.recipients.size === 0) return Number.POSITIVE_INFINITY;
      const isConfirming = TransferStore.anyUnconfirmed(db);
      if (feed?.isUp) return isConfirming ? confirmingSafetyScanMs : safetyScanMs;
      if (isConfirming) return confirmingScanMs;
      return feed ? unheardScanMs : pollingScanMs;
    },
    async stop() {
      await feed?.stop();
    },
  };
}
