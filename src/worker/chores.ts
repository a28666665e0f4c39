import type { BlockRef } from "../domain/block.ts";
import type { Transfer } from "../domain/transfer.ts";
import { messageOf } from "../lib/error.ts";
import { backoffMs } from "../lib/loop.ts";
import type { Log } from "../log-events.ts";
import type { Provider } from "./providers.ts";

/** After a failure a chore rests for 1, 2, 4, … s. */
const restMs = { min: 1_000, max: 300_000 };

export type ChoreFacts = {
  provider: Provider;
  /** Up to here the chain has just been scanned. */
  checkpoint: BlockRef;
  now: number;
  /** Puts transfers that were not known into the books. */
  credit(transfers: Transfer[]): void;
};

/** Work on what is past, in slices so small that no payment has to wait for one. */
export type Chore = {
  /** In how many ms it wants its next slice; null when it wants none. Asks no node. */
  dueInMs(now: number): number | null;
  /** Does one slice, with a few calls. Throws what the node's answers make it throw. */
  slice(facts: ChoreFacts): Promise<void>;
  /** The last slice failed, for the nth time in a row. */
  failed(problem: string, times: number, now: number): void;
};

export type Chores = {
  /** In how many ms the next slice is wanted; Infinity when none is. */
  dueInMs(now: number): number;
  /**
   * Does one slice of the first chore that wants one. Returns whether it went well: a failure is logged and tried again
   * later.
   */
  slice(facts: ChoreFacts): Promise<boolean>;
};

/** Chores in the order of their urgency. */
export function createChores(list: readonly Chore[], log: Log, signal: AbortSignal): Chores {
  const states = list.map((chore) => ({ chore, restUntil: 0, failures: 0, lastProblem: "" }));
  const dueInMs = ({ chore, restUntil }: (typeof states)[number], now: number) =>
    Math.max(chore.dueInMs(now) ?? Number.POSITIVE_INFINITY, Math.min(restUntil - now, restMs.max));
  return {
    dueInMs: (now) => Math.min(Number.POSITIVE_INFINITY, ...states.map((state) => dueInMs(state, now))),
    async slice(facts) {
      const state = states.find((candidate) => dueInMs(candidate, facts.now) <= 0);
      if (!state) return true;
      try {
        await state.chore.slice(facts);
        state.failures = 0;
        state.lastProblem = "";
        return true;
      } catch (thrown) {
        if (signal.aborted) return false;
        const problem = messageOf(thrown);
        state.failures += 1;
        state.restUntil = facts.now + backoffMs(state.failures, restMs);
        if (problem !== state.lastProblem)
          log.warn("chain.older_blocks", "older blocks could not be read", { reason: problem });
        state.lastProblem = problem;
        state.chore.failed(problem, state.failures, facts.now);
        return false;
      }
    },
  };
}
