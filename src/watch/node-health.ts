import { NotUsdc } from "../chain/contract/token.ts";
import { blockAgeMsMax, clockDifferenceMsMax } from "../chain/node/block.ts";
import { TagMissing } from "../chain/node/confirmations.ts";
import { lacking } from "../chain/node/nodes.ts";
import type { Pace } from "../chain/node/pace.ts";
import { WrongChain } from "../chain/node/probe.ts";
import type { Log } from "../config/log-events.ts";
import { messageOf } from "../lib/error.ts";
import { backoffMs } from "../lib/loop.ts";
import { isLocked, isStorageFailure } from "../store/database.ts";

/** Pause after failures. */
export const failureDelayMs = { min: 500, max: 8_000 };

/** Nodes fail briefly now and then: only a failure that lasts longer than this is a problem. */
const blipMs = 10_000;

/** How soon a configuration fault is logged again. */
const sameAgainMs = 3_600_000;

/** If a due scan does not reach the head for longer than this, payments show late. */
const lagMsMax = 60_000;

/** A node whose head is older than this lags. */
export const headAgeMsMax = 60_000;

/**
 * How long blocks must always be equally old: when a chain stands still, or is being caught up with, their age changes.
 */
const steadyMs = 60_000;

/** How long a block's evidence about the clock is kept. */
const clockJudgedForMs = 600_000;

/** How long the warning about a crowded block is shown. */
const crowdedForMs = 600_000;

export type HealthEvent =
  /** A scan begins, or begins again. */
  | { kind: "due" }
  /** A scan reached the head, which is this old by this machine's clock, or there is nothing to read. */
  | { kind: "reached"; headAgeMs?: number }
  /** The chain reaches the checkpoint. */
  | { kind: "on chain" }
  /** A node lacks a block that was seen before; the number and time of its newest. */
  | { kind: "behind"; node: string; head: number; headSec: number; seen: number }
  | { kind: "failed"; thrown: unknown }
  | { kind: "succeeded" }
  /** A node was found to be on the right chain. */
  | { kind: "checked" }
  /** A block had more transfers than the node returns in one answer, and was read by its receipts. */
  | { kind: "crowded"; block: number }
  /** The watcher itself ended; only a restart helps. */
  | { kind: "broken"; thrown: unknown };

/** The known state of the nodes. Times are from a monotonic clock, in ms. */
type HealthState = {
  /** Consecutive failures. */
  failures: number;
  failure: { message: string; since: number } | null;
  /** A failure that lasts until somebody changes the configuration. */
  lasting: { message: string; isWrongChain: boolean } | null;
  broken: string | null;
  hasAnswered: boolean;
  hasSucceeded: boolean;
  /** Since when a scan is due; null if none is. */
  dueSince: number | null;
  reachedAt: number;
  /** The node that is behind, in words. */
  lagCause: string;
  crowded: { block: number; at: number } | null;
  /** The age of the newest block when it was read at `at`, and how long it has been about the same since `since`. */
  headAge: { ms: number; at: number; sinceMs: number; since: number } | null;
};

/** The state before anything has happened. */
export function initialHealth(at: number): HealthState {
  return {
    failures: 0,
    failure: null,
    lasting: null,
    broken: null,
    hasAnswered: false,
    hasSucceeded: false,
    dueSince: null,
    reachedAt: at,
    lagCause: "",
    crowded: null,
    headAge: null,
  };
}

/** Returns the state after an event. */
export function reduce(state: HealthState, event: HealthEvent, at: number): HealthState {
  switch (event.kind) {
    case "due":
      return { ...state, dueSince: state.dueSince ?? at };
    case "reached":
      return {
        ...state,
        dueSince: null,
        reachedAt: at,
        lagCause: "",
        headAge: headAgeAfter(state, event, at),
      };
    case "on chain":
      return { ...state, lagCause: "" };
    case "behind": {
      const { node, head, headSec, seen } = event;
      const time = new Date(headSec * 1000).toISOString();
      const lagCause = `: the node at ${node} is at block ${head} of ${time}, ${lacking(head, seen)}`;
      return { ...state, lagCause };
    }
    case "failed": {
      const { thrown } = event;
      const isUnstored = isStorageFailure(thrown);
      const message = isUnstored ? `payments cannot be stored: ${messageOf(thrown)}` : messageOf(thrown);
      const isWrongChain = thrown instanceof WrongChain;
      // A lock passes in a moment, a full disk does not.
      const isLasting = isUnstored && !isLocked(thrown);
      const since = isLasting ? Number.NEGATIVE_INFINITY : (state.failure?.since ?? at);
      const lasting = isMisconfigured(thrown) ? { message, isWrongChain } : state.lasting;
      return { ...state, failures: state.failures + 1, failure: { message, since }, lasting };
    }
    case "succeeded": {
      const lasting = state.lasting?.isWrongChain ? state.lasting : null;
      return { ...state, failures: 0, failure: null, hasSucceeded: true, lasting };
    }
    case "checked":
      return { ...state, lasting: null, hasAnswered: true };
    case "crowded":
      return { ...state, crowded: { block: event.block, at } };
    case "broken":
      return { ...state, broken: `the chain is no longer watched, restart Till: ${messageOf(event.thrown)}` };
  }
}

function headAgeAfter({ headAge }: HealthState, { headAgeMs: ms }: { headAgeMs?: number }, at: number) {
  if (ms === undefined) return headAge;
  const isSteady = headAge !== null && Math.abs(ms - headAge.sinceMs) < steadyMs / 2;
  return {
    ms,
    at,
    ...(isSteady ? { sinceMs: headAge.sinceMs, since: headAge.since } : { sinceMs: ms, since: at }),
  };
}

/** Returns a warning that the times of blocks suggest a wrong clock; null if they do not. */
export function clockWarning({ headAge }: HealthState, at: number): string | null {
  if (headAge === null || at - headAge.at >= clockJudgedForMs) return null;
  const seconds = Math.round(Math.abs(headAge.ms) / 1000);
  if (headAge.ms < -clockDifferenceMsMax)
    return `this machine's clock is ${seconds} s behind the newest block: set it, for example with systemd-timesyncd or chrony`;
  if (headAge.ms <= blockAgeMsMax || at - headAge.since < steadyMs) return null;
  return (
    `new blocks come, but always ${seconds} s old: this machine's clock is ahead, or the node does not keep up. Compare ` +
    "with another node, and set the clock, for example with systemd-timesyncd or chrony"
  );
}

/** Returns whether it lasts until somebody changes the configuration. */
const isMisconfigured = (thrown: unknown): boolean =>
  thrown instanceof WrongChain || thrown instanceof TagMissing || thrown instanceof NotUsdc;

/** Returns whether a head is recent, so that its node does not lag. `now` is Unix ms. */
export const isNew = ({ timestampSec }: { timestampSec: number }, now: number): boolean =>
  Math.abs(now - timestampSec * 1000) <= headAgeMsMax;

/** How long a due scan has not reached the head, in ms; 0 if none is due. */
export function lagMs({ dueSince }: HealthState, at: number): number {
  return dueSince === null ? 0 : at - dueSince;
}

/** Returns why the chain cannot be read now, or not as configured; null if it can. */
export function problem({ broken, lasting, failure, hasSucceeded }: HealthState, at: number): string | null {
  if (broken !== null) return broken;
  if (lasting) return lasting.message;
  return failure && !(hasSucceeded && at - failure.since < blipMs) ? failure.message : null;
}

/** Returns whether nothing is known of the nodes yet: none has answered or failed since the start. */
export const isUnknown = ({ hasAnswered, failures, broken }: HealthState): boolean =>
  !hasAnswered && failures === 0 && broken === null;

/** Says that the chain has not been read for too long; null if it has. */
export function lagProblem(state: HealthState, at: number): string | null {
  if (lagMs(state, at) <= lagMsMax) return null;
  return `the chain was last read ${Math.round((at - state.reachedAt) / 1000)} s ago${state.lagCause}`;
}

/** Warns that somebody fills blocks with transfers to the watched addresses; null if nobody does. */
export function crowdedWarning({ crowded }: HealthState, at: number): string | null {
  if (crowded === null || at - crowded.at >= crowdedForMs) return null;
  return (
    `block ${crowded.block} had more transfers to deposit addresses than the node gives at a time: somebody may be ` +
    "flooding an address. Such blocks are read by their receipts, and payments are credited all the same"
  );
}

/**
 * Returns whether the checkpoint can never have been on the chain. A node that made up blocks for a while can leave it
 * above the real chain, and nothing would be read until the chain had grown that far. A lagging node looks the same
 * except that its newest block is old; a node whose newest block is recent lacks the blocks of a minute at most. If the
 * clock is wrong nothing is done: `/health/ready` says what is seen.
 */
export function isCheckpointFalse(
  checkpoint: number,
  head: { number: number; timestampSec: number },
  pace: Pick<Pace, "blocks">,
  now: number,
): boolean {
  return isNew(head, now) && checkpoint - head.number > pace.blocks(2 * headAgeMsMax);
}

export type NodeHealth = ReturnType<typeof createNodeHealth>;

/** Keeps the state, and logs changes. `clock` is monotonic; `onWrongChain` is called once while it lasts. */
export function createNodeHealth(log: Log, clock: () => number, onWrongChain: (message: string) => void) {
  let state = initialHealth(clock());
  let refused = { message: "", at: 0 };

  function tellFailed(before: HealthState, thrown: unknown): void {
    const message = state.failure?.message ?? "";
    if (thrown instanceof WrongChain && !before.lasting?.isWrongChain) onWrongChain(message);
    if (isMisconfigured(thrown)) {
      // With a second, working node the fault comes and goes on every turn: log it once an hour.
      if (refused.message === message && clock() - refused.at < sameAgainMs) return;
      log.error("chain.refused", "the node cannot be used as it is configured", { reason: message });
      refused = { message, at: clock() };
    } else if (message !== before.failure?.message) {
      const reason = messageOf(thrown);
      if (isStorageFailure(thrown)) log.error("payment.unstored", "payments cannot be stored", { reason });
      else log.warn("chain.unreadable", "the chain could not be read", { reason });
    }
  }

  return {
    /** Processes an event, and logs its effect once while it lasts. Returns how long to wait after a failure, in ms. */
    note(event: HealthEvent): number {
      const before = state;
      state = reduce(before, event, clock());
      if (event.kind === "failed") tellFailed(before, event.thrown);
      if (event.kind === "crowded" && crowdedWarning(before, clock()) === null)
        log.warn("chain.crowded", "a block has more transfers than the node gives at a time", {
          block: event.block,
        });
      if (event.kind === "broken")
        log.error("chain.stopped", "the chain is no longer watched: restart Till", {
          reason: messageOf(event.thrown),
        });
      return state.failures === 0 ? 0 : backoffMs(state.failures, failureDelayMs);
    },
    state: () => state,
  };
}
