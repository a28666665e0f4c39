import { TagMissing } from "../chain/confirmations.ts";
import { messageOf } from "../lib/error.ts";
import { backoffMs } from "../lib/loop.ts";
import type { Log } from "../log-events.ts";
import { isStorageFault } from "../store/database.ts";
import { WrongChain } from "./chain-identity.ts";

const delayMs = { min: 500, max: 8_000 };

/** Nodes fail now and then for a moment: only a failure that lasts longer than this is a problem. */
const blipMs = 10_000;

/** A fault of the configuration is logged again after this long. */
const sameAgainMs = 3_600_000;

export type ChainTrouble = {
  /** A scan failed. Returns how long to wait before the next, in ms: longer after every failure in a row. */
  failed(thrown: unknown, now: number): number;
  succeeded(): void;
  /** A node was found to be of the right chain. */
  identified(): void;
  /** The watcher itself is broken; nothing but a restart helps. */
  broken(thrown: unknown): void;
  /** Why the chain cannot be read just now, or not as it is configured; null when it can. */
  problem(now: number): string | null;
  /** Whether that is so until somebody changes the configuration. */
  isLasting(): boolean;
};

/** Keeps and logs what is wrong with the nodes, each thing once while it lasts. */
export function createChainTrouble(log: Log, onWrongChain: (message: string) => void): ChainTrouble {
  let failures = 0;
  let failure: { message: string; since: number } | null = null;
  /** Somebody has to do something: it does not pass by itself. */
  let lasting: { message: string; isWrongChain: boolean } | null = null;
  let broken: string | null = null;
  let hasSucceeded = false;
  let logged = { message: "", at: 0 };

  return {
    failed(thrown, now) {
      const unstored = isStorageFault(thrown);
      const message = unstored ? `payments cannot be stored: ${messageOf(thrown)}` : messageOf(thrown);
      const isWrongChain = thrown instanceof WrongChain;
      if (isWrongChain || thrown instanceof TagMissing) {
        if (isWrongChain && !lasting?.isWrongChain) onWrongChain(message);
        lasting = { message, isWrongChain };
        // It comes and goes with every turn of a second node that has no such trouble.
        if (logged.message !== message || now - logged.at >= sameAgainMs) {
          log.error("chain.refused", "the node cannot be used as it is configured", { reason: message });
          logged = { message, at: now };
        }
      } else if (message !== failure?.message) {
        const reason = messageOf(thrown);
        if (unstored) log.error("payment.unstored", "payments cannot be stored", { reason });
        else log.warn("chain.unreadable", "the chain could not be read", { reason });
      }
      // Nothing about a full disk passes in a moment.
      failure = { message, since: unstored ? Number.NEGATIVE_INFINITY : (failure?.since ?? now) };
      failures += 1;
      return backoffMs(failures, delayMs);
    },
    succeeded() {
      failures = 0;
      failure = null;
      hasSucceeded = true;
      if (!lasting?.isWrongChain) lasting = null;
    },
    identified() {
      lasting = null;
    },
    broken(thrown) {
      broken = `the chain is no longer watched, restart Till: ${messageOf(thrown)}`;
      log.error("chain.stopped", "the chain is no longer watched: restart Till", {
        reason: messageOf(thrown),
      });
    },
    problem(now) {
      if (broken !== null) return broken;
      if (lasting) return lasting.message;
      if (!failure || (hasSucceeded && now - failure.since < blipMs)) return null;
      return failure.message;
    },
    isLasting: () => broken !== null || lasting !== null,
  };
}
