import { type Block, mustBeOnChain } from "../chain/node/block.ts";
import { type Node, nodesOf } from "../chain/node/nodes.ts";
import type { BlockRef } from "../domain/payment/block.ts";
import { createWakeable, sleep } from "../lib/loop.ts";
import { isStorageFailure, transact } from "../store/database.ts";
import * as CheckpointStore from "../store/tables/watch/checkpoint.ts";
import * as RereadStore from "../store/tables/watch/reread.ts";
import type { Watching } from "./deposits.ts";
import { headAgeMsMax, isNew, type NodeHealth } from "./node-health.ts";
import type { Credit } from "./payment/credit.ts";
import { beginPass, policies } from "./reread/policy.ts";
import { firstCheckpoint, overlapBlocks, type ScanResult, scan, settledDepthBlocks } from "./scan.ts";
import { type Subscription, safetyScanMs } from "./subscription.ts";

/** Retry a node that is behind what was seen before after this delay. */
const behindDelayMs = 1_000;

/** Retry a node that does not have an announced block yet after this delay. */
const aheadDelayMs = 250;

/** Reread blocks and compare balances only if the head was reached this recently. */
const freshMs = safetyScanMs + 5_000;
const freshWaitMs = 1_000;

/** What another node read alone is read again in so many calls when the first is back; of more the rest in slices. */
const rereadCallsMax = 8;

/** A node that is up to date has every block that was seen this long ago. */
const knownAfterMs = 2 * headAgeMsMax;

/** How long a caller waits for a scan of its own, and how often it checks. */
const readNowMs = { max: 5_000, look: 20 };

/** Check the latest blocks this often, and after a failure, more closely. */
const closeLookMs = 180_000;

type FollowOptions = Watching & {
  check: (node: Node) => Promise<void>;
  health: NodeHealth;
  credit: Credit;
  subscription: Subscription;
  /** The list of what is to be read again. */
  list: { isDue(): boolean; wake(): void };
};

export type Follow = ReturnType<typeof startFollowing>;

/**
 * Follows the chain from the checkpoint to its head for the watched deposits: head, one range of blocks, check, one
 * transaction. Asks the nodes for nothing while there is nothing to watch.
 */
export function startFollowing(options: FollowOptions) {
  const { db, now, clock, signal, nodes, deposits, health, credit, subscription, list } = options;
  const { announced } = subscription;
  const bell = createWakeable();
  const reached = createWakeable();
  const state = {
    reachedAt: Number.NEGATIVE_INFINITY,
    readFrom: Number.NEGATIVE_INFINITY,
    closeLookAt: clock() + closeLookMs,
  };
  const first = nodesOf(options.config.rpcUrls)[0]?.id;
  const aloneBefore = RereadStore.passFor(db, "alone")?.last ?? null;
  /** Above this block nobody but the reader has read, as the first node was away; null when that reads. */
  let alone = aloneBefore === null ? null : { above: aloneBefore, reader: "another node" };
  const setAlone = (above: number | null) =>
    RereadStore.savePass(db, { reason: "alone", dueAt: 0, last: above, beforeLast: null });
  /** A block that was read alone, and when the first one, up to date, did not have it. */
  let disputed: { number: number; at: number } | null = null;
  /** It should have it by now: whoever told of it made it up. */
  let isMadeUp = false;

  /** One step. Returns how long to wait for the next one, in ms. */
  async function step(): Promise<number> {
    health.note({ kind: "due" });
    const begunAt = clock();
    const node = await nodes.current();
    const checkpoint = await startOf(node);
    if (deposits.recipients.size === 0 && !list.isDue()) return rest();
    const isClose = clock() >= state.closeLookAt;
    const unread = alone === null || node.id !== first ? 0 : checkpoint.number - alone.above;
    const overlap = Math.max(overlapBlocks, Math.min(unread, rereadCallsMax * node.reader.range));
    const scanned = await scan(
      {
        ...options,
        node,
        confirmations: options.config.confirmations,
        check: () => options.check(node),
        overlap,
        recordedDepth: isClose ? settledDepthBlocks : overlapBlocks,
        isCheckpointFalse: (isMadeUp && node.id === first) || health.isCheckpointFalse(nodes.count),
        now: now(),
      },
      checkpoint,
    );
    switch (scanned.kind) {
      // The head is below the checkpoint: the node lags, so nothing is said, and nothing taken back.
      case "behind":
        return waitFor(node, scanned.head, checkpoint.number);
      // The head is further away than one range: what was read is complete up to there, and the next range follows.
      case "gap":
        await take(scanned, node, checkpoint);
        return 0;
      // The head was reached.
      case "next":
      // Blocks were replaced, down to the last common one: what came after it is undone and read again, in one go.
      case "replaced":
        await take(scanned, node, checkpoint);
        state.readFrom = begunAt;
        return complete(scanned, node, isClose, (scanned.undoAbove ?? checkpoint.number) - overlap);
    }
  }

  async function startOf(node: Node): Promise<BlockRef> {
    const latest = CheckpointStore.latest(db);
    if (latest) return latest;
    const checkpoint = await firstCheckpoint(node.rpc, deposits.oldestCreation);
    await options.check(node);
    await mustBeOnChain(node.rpc, checkpoint);
    CheckpointStore.put(db, checkpoint);
    return checkpoint;
  }

  function rest(): number {
    health.note({ kind: "reached" });
    return Number.POSITIVE_INFINITY;
  }

  function waitFor({ id }: Node, { number: head, timestampSec: headSec }: Block, seen: number): number {
    options.log.debug("chain.behind", "the node is behind", { block: head, checkpoint: seen });
    health.note({ kind: "behind", node: id, head, headSec, seen, now: now() });
    if (id === first && alone !== null && isNew({ timestampSec: headSec }, now())) {
      if (disputed === null || disputed.number <= head) disputed = { number: seen, at: clock() };
      const wasMadeUp = isMadeUp;
      isMadeUp = clock() - disputed.at > knownAfterMs;
      // Still behind with that known: no block in common is left, and the node is not to be asked without a pause.
      if (isMadeUp) return wasMadeUp ? behindDelayMs : 0;
    }
    nodes.behind(head, seen);
    return behindDelayMs;
  }

  async function take(scanned: ScanResult, node: Node, { number }: BlockRef): Promise<void> {
    nodes.succeeded();
    health.note({ kind: "on chain" });
    if (node.id !== first) {
      if (alone === null) setAlone(number);
      alone = { above: alone?.above ?? number, reader: node.id };
    }
    await credit.scan(scanned, node);
  }

  function complete(
    { head, checkpoint, transfers }: ScanResult,
    node: Node,
    isClose: boolean,
    rereadAbove: number,
  ): number {
    health.note({ kind: "reached", headAgeMs: now() - head.timestampSec * 1_000 });
    if (node.id === first && alone !== null) {
      const left = { from: alone.above + 1, to: rereadAbove };
      transact(db, () => {
        if (left.from <= left.to) RereadStore.insert(db, { reason: "recent", ...left, dueAt: now() });
        setAlone(null);
      });
      alone = null;
      disputed = null;
      isMadeUp = false;
    }
    state.reachedAt = clock();
    if (isClose) state.closeLookAt = clock() + closeLookMs;
    const isListed =
      isClose && beginPass(db, "recent", { checkpoint: checkpoint.number, node, deposits, now: now() });
    const isMissing = listMissing(new Set(transfers.map(({ blockNumber }) => blockNumber)));
    if (isListed || isMissing) list.wake();
    reached.wake();
    const isAhead = [...announced.keys()].some((block) => block > head.number);
    announced.clear();
    return Math.min(isAhead ? aheadDelayMs : Number.POSITIVE_INFINITY, subscription.scanInMs());
  }

  /** Has those announced blocks read again in which no transfer was. Returns whether there are any. */
  function listMissing(blocks: ReadonlySet<number>): boolean {
    const missing = [...announced].filter(([block, holdsTransfer]) => holdsTransfer && !blocks.has(block));
    for (const [block] of missing) RereadStore.announce(db, block, now() + policies.announced.retryMs.min);
    return missing.length > 0;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let waitMs: number;
      try {
        if (deposits.isDue()) {
          await deposits.load();
          subscription.listen();
        }
        waitMs = await step();
        health.note({ kind: "succeeded" });
      } catch (thrown) {
        if (signal.aborted) return;
        Object.assign(state, { reachedAt: Number.NEGATIVE_INFINITY, closeLookAt: Number.NEGATIVE_INFINITY });
        const delayMs = health.note({ kind: "failed", thrown });
        // A wake must not turn a failing node into a busy loop.
        // Nor does another node help when the disk is full.
        if (isStorageFailure(thrown) || !nodes.failed()) await sleep(delayMs, signal);
        continue;
      }
      await bell.wait(Math.min(waitMs, safetyScanMs), signal);
    }
  }

  const isFresh = () => clock() - state.reachedAt <= freshMs;
  return {
    /** Asks for a scan. */
    wake: bell.wake,
    /** What is known from one node alone, as the first was away. */
    missing: (): string[] =>
      alone === null
        ? []
        : [
            `what came after block ${alone.above} was read from ${alone.reader} alone, as ${first} did not answer or did not have it: it is read again from ${first} as soon as that has it`,
          ],
    /** Whether the head was reached lately; asks for a scan, and waits a moment for it, when it was not. */
    async isFresh(): Promise<boolean> {
      if (isFresh()) return true;
      bell.wake();
      await reached.wait(freshWaitMs, signal);
      return isFresh();
    },
    /** Scans up to the head that the node has from now on. Returns whether it was reached in some seconds. */
    async readNow(): Promise<boolean> {
      const askedAt = clock();
      bell.wake();
      while (state.readFrom < askedAt && clock() - askedAt < readNowMs.max && !signal.aborted)
        await sleep(readNowMs.look, signal);
      return state.readFrom >= askedAt;
    },
    /** Ends when the signal aborts. */
    running: run(),
  };
}
