import { NotUsdc } from "../chain/contract/token.ts";
import { blockAgeMsMax, clockDifferenceMsMax } from "../chain/node/block.ts";
import { TagMissing } from "../chain/node/confirmations.ts";
import type { Pace } from "../chain/node/pace.ts";
import { WrongChain } from "../chain/node/probe.ts";
import type { Log } from "../config/log-events.ts";
import { messageOf } from "../lib/error.ts";
import { backoffMs } from "../lib/loop.ts";
import { isLocked, isStorageFailure } from "../store/database.ts";

/** The pause after failures. */
export const failureDelayMs = { min: 500, max: 8_000 };

/** Nodes fail now and then for a moment: only a failure that lasts longer than this is a problem. */
const blipMs = 10_000;

/** A fault of the configuration is logged again after this long. */
const sameAgainMs = 3_600_000;

/** A scan that is due and does not reach the head for longer than this makes payments show late. */
const lagMsMax = 60_000;

/** A node whose head is older than this lags. */
export const headAgeMsMax = 60_000;

/** Blocks that are always as old for so long: a chain that stands still, or one that is caught up with, looks otherwise. */
const steadyMs = 60_000;

/** What a block told of the clock is forgotten after so long. */
const clockJudgedForMs = 600_000;

/** How long the warning about a crowded block stays. */
const crowdedForMs = 600_000;

export type HealthEvent =
  /** A scan begins, or begins again. */
  | { kind: "due" }
  /** A scan reached the head, so old by this machine's clock, or there is nothing to read. */
  | { kind: "reached"; headAgeMs?: number }
  /** The chain reaches up to the checkpoint. */
  | { kind: "on chain" }
  /** A node's head is below the checkpoint: its number and time. */
  | { kind: "behind"; node: string; head: number; headSec: number; seen: number }
  | { kind: "failed"; thrown: unknown }
  | { kind: "succeeded" }
  /** A node was found to be of the right chain. */
  | { kind: "checked" }
  /** A block had more transfers than the node gives in one answer, and was read by its receipts. */
  | { kind: "crowded"; block: number }
  /** The watcher itself ended; only a restart helps. */
  | { kind: "broken"; thrown: unknown };

/** What is known of the nodes. Times are those of a clock that only grows, in ms. */
type HealthState = {
  /** Failures in a row. */
  failures: number;
  failure: { message: string; since: number } | null;
  /** What does not pass before somebody changes the configuration. */
  lasting: { message: string; isWrongChain: boolean } | null;
  broken: string | null;
  hasAnswered: boolean;
  hasSucceeded: boolean;
  /** Since when a scan is due; null when none is. */
  dueSince: number | null;
  reachedAt: number;
  /** Which node is behind, for people. */
  lagCause: string;
  crowded: { block: number; at: number } | null;
  /** How old the newest block was when it was read at `at`, and about as old ever since `since`. */
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

/** The state after an event. */
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
      const lagCause = `: the node at ${node} is at block ${head} of ${time}, and block ${seen} was seen before`;
      return { ...state, lagCause };
    }
    case "failed": {
      const { thrown } = event;
      const isUnstored = isStorageFailure(thrown);
      const message = isUnstored ? `payments cannot be stored: ${messageOf(thrown)}` : messageOf(thrown);
      const isWrongChain = thrown instanceof WrongChain;
      // A lock passes in a moment, nothing about a full disk does.
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

/** That the times of blocks tell of a wrong clock; null when they do not. */
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

/** Whether it does not pass before somebody changes the configuration. */
const isMisconfigured = (thrown: unknown): boolean =>
  thrown instanceof WrongChain || thrown instanceof TagMissing || thrown instanceof NotUsdc;

/** Whether a head is recent, so that its node does not lag. `now` in Unix ms. */
export const isNew = ({ timestampSec }: { timestampSec: number }, now: number): boolean =>
  Math.abs(now - timestampSec * 1000) <= headAgeMsMax;

/** For how long a scan has been due that has not reached the head, in ms; 0 when none is. */
export function lagMs({ dueSince }: HealthState, at: number): number {
  return dueSince === null ? 0 : at - dueSince;
}

/** Why the chain cannot be read just now, or not as it is configured; null when it can. */
export function problem({ broken, lasting, failure, hasSucceeded }: HealthState, at: number): string | null {
  if (broken !== null) return broken;
  if (lasting) return lasting.message;
  return failure && !(hasSucceeded && at - failure.since < blipMs) ? failure.message : null;
}

/** Whether nothing is known of the nodes yet: none has answered or failed since the start. */
export const isUnknown = ({ hasAnswered, failures, broken }: HealthState): boolean =>
  !hasAnswered && failures === 0 && broken === null;

/** That the chain has not been read for too long; null when it has. */
export function lagProblem(state: HealthState, at: number): string | null {
  if (lagMs(state, at) <= lagMsMax) return null;
  return `the chain was last read ${Math.round((at - state.reachedAt) / 1000)} s ago${state.lagCause}`;
}

/** That somebody fills blocks with transfers to the watched addresses; null when nobody does. */
export function crowdedWarning({ crowded }: HealthState, at: number): string | null {
  if (crowded === null || at - crowded.at >= crowdedForMs) return null;
  return (
    `block ${crowded.block} had more transfers to deposit addresses than the node gives at a time: somebody may be ` +
    "flooding an address. Such blocks are read by their receipts, and payments are credited all the same"
  );
}

/**
 * Whether the checkpoint can never have been on the chain. It can be above the real chain when a node made up blocks for a
 * while; nothing would be read until the chain has grown that far. A node that lags looks the same but for one thing: its
 * newest block is old. One whose newest block is new lacks the blocks of a minute at most. When the clock is wrong nothing
 * is done: `/health/ready` says what is seen.
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

/** Keeps the state, and logs what changes. `clock` only grows; `onWrongChain` is told once while it lasts. */
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
    /** Takes an event in, and logs what it brings, once while it lasts. Returns how long to wait after a failure, in ms. */
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
