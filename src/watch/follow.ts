import { type Node, nodesOf } from "../chain/node/nodes.ts";
import { type Pace, paceOf } from "../chain/node/pace.ts";
import type { Counting } from "../domain/payment/block.ts";
import { backoffMs, createWakeable, sleep } from "../lib/loop.ts";
import { isStorageFailure } from "../store/database.ts";
import * as BalanceStore from "../store/tables/watch/balance.ts";
import * as CheckpointStore from "../store/tables/watch/checkpoint.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";
import type { Watching } from "./deposits.ts";
import { type Behind, type Looked, look } from "./look.ts";
import { isCheckpointFalse, type NodeHealth } from "./node-health.ts";
import type { Credit } from "./payment/credit.ts";
import { type Subscription, safetyLookMs } from "./subscription.ts";

/**
 * How soon to retry a node that is behind what was seen before: quickly at first, as one of several nodes behind a URL
 * may lag, then more slowly.
 */
const behindMs = { min: 250, max: 1_000 };

/** How soon to look for a block that was announced and is missing, increasing with the wait. */
const aheadMs = { min: 250, max: 2_000 };

/** The same for a payment that is about to count. */
const dueMs = { min: 250, max: 10_000 };

/** How often to read the block that a node calls safe or finalized, while a payment waits for it. */
const taggedMs = 12_000;

/** Maximum looks per second; a single one happens at once. */
const looksPerSecond = 2;

/** Other blocks are read and balances compared only if the head was reached this recently. */
const freshMs = safetyLookMs + 5_000;
const freshWaitMs = 1_000;

/** How long a caller waits for its own look, and how often it checks. */
const lookNowMs = { max: 5_000, look: 20 };

/** How often known blocks are compared with the chain; at once after a failure. */
const closeMs = 120_000;

type FollowOptions = Watching & {
  check: (node: Node) => Promise<void>;
  health: NodeHealth;
  credit: Credit;
  subscription: Subscription;
  /** The list of work besides the looks. */
  list: { isDue(): boolean; wake(): void };
};

export type Follow = ReturnType<typeof startFollowing>;

/**
 * Follows the chain for the watched deposits: one look at the newest block, one transaction, and again when something
 * was announced, when a payment is about to count, or after a while. Asks the nodes nothing while there is nothing to
 * watch.
 */
export function startFollowing(options: FollowOptions) {
  const { config, db, now, clock, signal, nodes, deposits, health, credit, subscription, list } = options;
  const first = nodesOf(config.rpcUrls)[0]?.id;
  const bell = createWakeable();
  const reached = createWakeable();
  const state = {
    reachedAt: Number.NEGATIVE_INFINITY,
    lookedFrom: Number.NEGATIVE_INFINITY,
    closeAt: Number.NEGATIVE_INFINITY,
  };
  /** Consecutive looks that found the node behind. */
  let timesBehind = 0;
  /** Start times of the latest looks. */
  const begun: number[] = [];
  /** The newest block at the last look, and since when the next payment to count waits in vain for another block. */
  let last = { head: -1, standsSince: null as number | null };

  /** One look. Returns how long to wait for the next, in ms. */
  async function step(): Promise<number> {
    health.note({ kind: "due" });
    const begunAt = clock();
    const node = await nodes.current();
    const isListDue = list.isDue();
    if (deposits.recipients.size === 0 && !isListDue) {
      health.note({ kind: "reached" });
      return Number.POSITIVE_INFINITY;
    }
    const checkpoint = CheckpointStore.latest(db);
    if (checkpoint === null) await options.check(node);
    const isClose = clock() >= state.closeAt;
    const seen = await look(
      {
        ...options,
        node,
        usdc: config.network.usdc,
        confirmations: config.confirmations,
        announced: subscription.announced(),
        check: () => options.check(node),
        isClose,
        // Only the first of several nodes is trusted with this.
        isCheckpointFalse: (head) =>
          node.id === first && isCheckpointFalse(checkpoint?.number ?? 0, head, paceOf(node.rpc), now()),
        isCountWanted: isListDue,
      },
      checkpoint,
    );
    if (seen.kind === "behind") return waitFor(node, seen);
    nodes.succeeded();
    timesBehind = 0;
    health.note({ kind: "on chain" });
    await credit.look(seen, node);
    deposits.sawShort(seen.short);
    if (isClose) state.closeAt = clock() + closeMs;
    state.lookedFrom = begunAt;
    return complete(seen);
  }

  /** Handles a node that lags: nothing is concluded and nothing reverted. */
  function waitFor({ id }: Node, behind: Behind): number {
    const { lacks: seen } = behind;
    const { number: head, timestampSec: headSec } = behind.head;
    // But where an address holds more, another node may have hidden money and made up the blocks above.
    for (const index of behind.more) BalanceStore.compareAt(db, index, now());
    if (behind.more.length > 0) list.wake();
    options.log.debug("chain.behind", "the node is behind", { block: head, checkpoint: seen });
    health.note({ kind: "behind", node: id, head, headSec, seen });
    nodes.behind(head, seen);
    timesBehind += 1;
    return backoffMs(timesBehind, behindMs);
  }

  function complete(looked: Looked): number {
    const { head, late, unclear } = looked;
    health.note({ kind: "reached", headAgeMs: now() - head.timeMs });
    state.reachedAt = clock();
    if (late.length > 0 || unclear.length > 0) list.wake();
    reached.wake();
    const waitedMs = subscription.seen(looked);
    const aheadInMs =
      waitedMs === null ? Number.POSITIVE_INFINITY : Math.min(aheadMs.max, Math.max(aheadMs.min, waitedMs));
    return Math.min(aheadInMs, countsInMs(looked), subscription.lookInMs());
  }

  /** Number of blocks on top of a payment's block when it counts; null if only the node can say. */
  function depthBlocks(pace: Pace): number | null {
    const { confirmations } = config;
    if (typeof confirmations === "string") return null;
    return typeof confirmations === "number" ? confirmations - 1 : pace.blocks(confirmations.ms);
  }

  /** Milliseconds until the next payment should count, by the pace of the chain. */
  function countsInMs({ head, pace, confirmedUpTo }: Looked): number {
    // A transfer that is old enough waits for another node.
    const block = TransferStore.firstWaiting(db, confirmedUpTo);
    if (block === null) {
      last = { head: head.number, standsSince: null };
      return Number.POSITIVE_INFINITY;
    }
    const depth = depthBlocks(pace);
    if (depth === null) return taggedMs;
    const inMs = (block + depth - head.number) * pace.blockMs;
    const isMoving = head.number !== last.head;
    // The chain stands still, or has become slower.
    const standsSince = inMs > 0 && isMoving ? null : (last.standsSince ?? clock());
    last = { head: head.number, standsSince };
    if (standsSince === null) return inMs;
    return Math.min(dueMs.max, Math.max(dueMs.min, (clock() - standsSince) / 2));
  }

  /** Limits the rate, so that a burst of announcements does not cause a burst of looks. */
  async function keepPace(): Promise<void> {
    const inMs = (begun.at(-looksPerSecond) ?? Number.NEGATIVE_INFINITY) + 1_000 - clock();
    if (inMs > 0) await sleep(inMs, signal);
    begun.push(clock());
    if (begun.length > looksPerSecond) begun.shift();
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let waitMs: number;
      try {
        if (deposits.isDue()) {
          await deposits.load();
          subscription.listen();
        }
        await keepPace();
        waitMs = await step();
        health.note({ kind: "succeeded" });
      } catch (thrown) {
        if (signal.aborted) return;
        Object.assign(state, { reachedAt: Number.NEGATIVE_INFINITY, closeAt: Number.NEGATIVE_INFINITY });
        const delayMs = health.note({ kind: "failed", thrown });
        // A wake-up must not turn a failing node into a busy loop. And another node does not help when the disk is
        // full.
        if (isStorageFailure(thrown) || !nodes.failed()) await sleep(delayMs, signal);
        continue;
      }
      await bell.wait(Math.min(waitMs, safetyLookMs), signal);
    }
  }

  const isFresh = () => clock() - state.reachedAt <= freshMs;
  return {
    /** Requests a look. */
    wake: bell.wake,
    /** Returns whether the head was reached recently; if not, requests a look and waits for it briefly. */
    async isFresh(): Promise<boolean> {
      if (isFresh()) return true;
      bell.wake();
      await reached.wait(freshWaitMs, signal);
      return isFresh();
    },
    /** Looks at the node's head as of now. Returns whether that succeeded within some seconds. */
    async readNow(): Promise<boolean> {
      const askedAt = clock();
      bell.wake();
      while (state.lookedFrom < askedAt && clock() - askedAt < lookNowMs.max && !signal.aborted)
        await sleep(lookNowMs.look, signal);
      return state.lookedFrom >= askedAt;
    },
    /** Returns when a payment in a block counts, by the pace of the chain. */
    countsIn(blockNumber: number): Counting {
      const pace = paceOf(nodes.for(0).rpc);
      const depth = depthBlocks(pace);
      if (depth === null) return { inMs: null, ofMs: null };
      const ofMs = depth * pace.blockMs;
      const head = credit.head()?.number ?? blockNumber;
      const sinceMs = (head - blockNumber) * pace.blockMs + Math.max(0, clock() - state.reachedAt);
      return { inMs: Math.min(ofMs, Math.max(0, ofMs - sinceMs)), ofMs };
    },
    /** Settles when the signal aborts. */
    running: run(),
  };
}
