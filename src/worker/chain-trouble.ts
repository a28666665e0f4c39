import { messageOf } from "../lib/error.ts";
import type { Log } from "../lib/log.ts";
import { WrongChain } from "./chain-identity.ts";

const delayMsMin = 500;
const delayMsMax = 8_000;

export type ChainTrouble = {
  /** A scan failed. Returns how long to wait before the next, in ms: longer after every failure in a row. */
  failed(thrown: unknown): number;
  succeeded(): void;
  /** A node was found to be of the right chain. */
  identified(): void;
  /** Why the chain cannot be read just now; null when it can. */
  problem(): string | null;
};

/** Keeps and logs what is wrong with the nodes, each thing once while it lasts. */
export function createChainTrouble(log: Log, onWrongChain: (message: string) => void): ChainTrouble {
  let failures = 0;
  let failure: string | null = null;
  let wrongChain: string | null = null;
  return {
    failed(thrown) {
      const message = messageOf(thrown);
      if (thrown instanceof WrongChain && wrongChain === null) {
        wrongChain = message;
        log.error(message);
        onWrongChain(message);
      } else if (failure !== message) {
        log.warn(`the chain could not be read: ${message}`);
      }
      failure = message;
      failures += 1;
      return Math.min(delayMsMax, delayMsMin * 2 ** Math.min(failures - 1, 10));
    },
    succeeded() {
      failures = 0;
      failure = null;
    },
    identified() {
      wrongChain = null;
    },
    problem: () => wrongChain ?? failure,
  };
}
