import type { BlockRef } from "../domain/block.ts";
import type { Transfer } from "../domain/transfer.ts";
import { messageOf } from "../lib/error.ts";
import { backoffMs } from "../lib/loop.ts";
import type { Log } from "../log-events.ts";
import type { Provider, Providers } from "./providers.ts";

/** After a failure a chore rests for 1, 2, 4, … s. */
const restMs = { min: 1_000, max: 300_000 };

/** What wants no slice for so long has come to an end for now: the first node's turn is next. */
const pauseMs = 60_000;

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
   * Does one slice of the first chore that wants one. A failure is logged and tried again later, with the node after
   * the one that failed: it is turned to, and has to be scanned before the slice is done.
   */
  slice(facts: ChoreFacts): Promise<void>;
};

/**
 * In how many ms a time comes; 0 when it has. It has come, too, when it is further away than it is ever planned: the
 * clock was ahead then, and has been set back.
 */
export function msUntil(at: number, now: number, longestMs: number): number {
  return at > now + longestMs ? 0 : Math.max(0, at - now);
}

type State = {
  restUntil: number;
  failures: number;
  lastProblem: string;
  /** The node to go on with after a failure: another one may still have what the one that failed has forgotten. */
  wanted: Provider | null;
  /** Whether that node was turned to. It is not for the second time in one try: it may not answer at all. */
  turned: boolean;
};

/** Chores in the order of their urgency, as they are each time that they are asked for: one that rests is the same. */
export function createChores(
  list: () => readonly Chore[],
  providers: Pick<Providers, "after" | "turnTo">,
  log: Log,
  signal: AbortSignal,
): Chores {
  const states = new WeakMap<Chore, State>();
  function stateOf(chore: Chore): State {
    const known = states.get(chore);
    if (known) return known;
    const state = { restUntil: 0, failures: 0, lastProblem: "", wanted: null, turned: false };
    states.set(chore, state);
    return state;
  }
  function dueInMs(chore: Chore, now: number): number {
    const { restUntil } = stateOf(chore);
    return Math.max(chore.dueInMs(now) ?? Number.POSITIVE_INFINITY, msUntil(restUntil, now, restMs.max));
  }
  return {
    dueInMs: (now) => Math.min(Number.POSITIVE_INFINITY, ...list().map((chore) => dueInMs(chore, now))),
    async slice(facts) {
      const chore = list().find((candidate) => dueInMs(candidate, facts.now) <= 0);
      if (!chore) return;
      const state = stateOf(chore);
      const { provider, now } = facts;
      if (state.wanted && !state.turned) {
        state.turned = true;
        if (providers.turnTo(state.wanted, now)) return;
      }
      state.turned = false;
      try {
        await chore.slice(facts);
        state.failures = 0;
        state.lastProblem = "";
        const goesOn = (chore.dueInMs(now) ?? Number.POSITIVE_INFINITY) < pauseMs;
        if (state.wanted) state.wanted = goesOn ? provider : null;
      } catch (thrown) {
        if (signal.aborted) return;
        const problem = messageOf(thrown);
        state.wanted = providers.after(provider);
        state.failures += 1;
        state.restUntil = now + backoffMs(state.failures, restMs);
        if (problem !== state.lastProblem)
          log.warn("chain.older_blocks", "older blocks could not be read", { reason: problem });
        state.lastProblem = problem;
        chore.failed(problem, state.failures, now);
      }
    },
  };
}
