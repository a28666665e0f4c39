import type { Block } from "../chain/block.ts";
import { createFeed, type Feed } from "../chain/feed.ts";
import { mustBeOnChain, type ScanResult, scan } from "../chain/scan.ts";
import { topicOf } from "../chain/transfer-log.ts";
import type { Config } from "../config.ts";
import type { Deposit } from "../domain/deposit.ts";
import { messageOf } from "../lib/error.ts";
import type { Log } from "../lib/log.ts";
import { createWakeable, sleep } from "../lib/loop.ts";
import { type Applied, applyScan } from "../service/payment.ts";
import * as CheckpointStore from "../store/checkpoint.ts";
import type { Db } from "../store/database.ts";
import * as DepositStore from "../store/deposit.ts";
import * as TransferStore from "../store/transfer.ts";
import { checkIdentity } from "./chain-identity.ts";
import { createChainTrouble } from "./chain-trouble.ts";
import { createDeepRescan } from "./deep-rescan.ts";
import { createHints } from "./hints.ts";
import { createProviders, type Provider } from "./providers.ts";
import { createRecheck, rereadSlice } from "./recheck.ts";
import { firstCheckpoint, skippableTo } from "./scan-start.ts";

/** A scan without any hint, in case one was lost; more often where there is no subscription. */
const safetyScanMs = 60_000;
const pollingScanMs = 12_000;
/** While the subscription is down: what comes after it is back must not wait for its next try to connect. */
const unheardScanMs = 5_000;
/** How often to look while a transfer waits for confirmations and no subscription tells of new blocks. */
const confirmingScanMs = 2_000;

/** Older blocks are read again a slice at a time, so that no payment has to wait for that. */
const recheckSliceMs = 1_000;

/** A node that is behind what was seen before is asked again this soon. */
const behindDelayMs = 1_000;

/** Addresses without a change for this long are no longer watched block by block. */
export const hotMs = 30 * 86_400_000;
const hotRefreshMs = 3_600_000;

/** Readiness allows this much time since the last complete scan. */
const lagMsMax = 90_000;

export type WatcherState = {
  /** The head of the last scan that went through; null before the first. */
  head: number | null;
  /** Why the chain cannot be trusted to be watched just now; empty when all is well. */
  problems: string[];
};

type Scanned = Extract<ScanResult, { kind: "scanned" }>;

export type ChainWatcher = {
  /** To be called in the same turn in which a deposit is committed. */
  depositCreated(deposit: Deposit): void;
  state(): WatcherState;
  /** Calls to the nodes since the start, by method. */
  requests(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
};

export type ChainWatcherDeps = {
  config: Config;
  db: Db;
  log: Log;
  now: () => number;
  onApplied: (applied: Applied) => void;
  /** The node is of another chain than the data: nothing is credited until that changes. */
  onWrongChain: (message: string) => void;
};

/**
 * Follows the chain for all watched deposits: one scan at a time, woken by the feed, by new deposits and by the
 * clock. Asks the node for nothing while there is nothing to watch, but for its identity once at the start.
 */
export function startChainWatcher(deps: ChainWatcherDeps): ChainWatcher {
  const { config, db, log, now } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const bell = createWakeable();
  const requests = new Map<string, number>();
  const onRequest = (method: string) => requests.set(method, (requests.get(method) ?? 0) + 1);
  const providers = createProviders(config, signal, onRequest);
  const hints = createHints();
  const recheck = createRecheck(now());
  const deepRescan = createDeepRescan(now());
  const trouble = createChainTrouble(log, deps.onWrongChain);

  const recipients = new Map<string, number>();
  let hotLoadedAt = 0;
  let head: number | null = null;
  let scannedAt = now();

  const feed: Feed | null =
    config.rpcWsUrl === null
      ? null
      : createFeed({
          wsUrl: config.rpcWsUrl,
          usdc: config.network.usdc,
          topics: () => [...recipients.keys()],
          onRequest,
          onHint: (hint) => {
            if (hint) hints.note(hint);
            bell.wake();
          },
          onUp: () => log.info("listening to the chain"),
          onDown: (reason) => {
            log.warn(`the connection to the chain is down, looking regularly instead: ${reason}`);
            bell.wake();
          },
        });

  function loadHot() {
    hotLoadedAt = now();
    recipients.clear();
    for (const deposit of DepositStore.listHot(db, now() - hotMs)) {
      recipients.set(topicOf(deposit.address), deposit.index);
    }
    listen();
  }

  function listen() {
    const heads = config.confirmations !== 1 && TransferStore.anyUnconfirmed(db);
    feed?.listen({ any: recipients.size > 0, heads });
  }

  /** One scan with one node; returns how long to wait for the next one. */
  async function look(provider: Provider): Promise<number> {
    if (!provider.identified) {
      await checkIdentity(provider.rpc, db, config);
      provider.identified = true;
      trouble.identified();
    }
    let checkpoint = CheckpointStore.latest(db);
    if (!checkpoint) {
      checkpoint = await firstCheckpoint(provider.rpc, () => DepositStore.oldestHotCreation(db, 0));
      await checkIdentity(provider.rpc, db, config);
      await mustBeOnChain(provider.rpc, checkpoint);
      CheckpointStore.put(db, checkpoint);
    }
    if (recipients.size === 0) return Number.POSITIVE_INFINITY;

    const from = checkpoint;
    const oldestHot = () => DepositStore.oldestHotCreation(db, now() - hotMs);
    const overlap = Math.max(
      deepRescan.overlap(from.number, provider.reader.range, now()),
      hints.depth(from.number),
    );
    const found = await scan({
      ...provider,
      checkpoint,
      olderCheckpoints: () => CheckpointStore.listBelow(db, from.number),
      recorded: (above, confirmedUpTo) => TransferStore.listBlocks(db, above, confirmedUpTo),
      confirmIdentity: () => checkIdentity(provider.rpc, db, config),
      recipients: () => recipients,
      startAfter: (block: Block) => skippableTo(from.number, block.number, oldestHot, now()),
      confirmations: config.confirmations,
      overlap,
    });
    if (found.kind === "behind") {
      log.debug("the node is behind", { head: found.head.number, checkpoint: from.number });
      providers.behind(found.head.number, from.number);
      return behindDelayMs;
    }
    providers.succeeded();
    apply(found);
    if (!found.caughtUp) return 0;
    scannedAt = now();
    deepRescan.done(found.head.number, now());
    const foundIn = new Set(found.transfers.map((transfer) => transfer.blockNumber));
    const { retryMs, gaveUp } = hints.review(found.head.number, foundIn, now());
    // Another node may know what this one was asked for in vain.
    if (gaveUp) {
      deepRescan.soon();
      if (providers.count > 1) providers.failed(now());
    }
    const rechecking = retryMs === null && (await lookAgain(provider, found));
    return Math.min(retryMs ?? Number.POSITIVE_INFINITY, rechecking ? recheckSliceMs : nextScanMs());
  }

  function nextScanMs(): number {
    if (feed?.isUp) return safetyScanMs;
    if (TransferStore.anyUnconfirmed(db)) return confirmingScanMs;
    return feed ? unheardScanMs : pollingScanMs;
  }

  /** Reads older blocks again, if it is time. Returns whether there may be more. */
  async function lookAgain(provider: Provider, found: Scanned): Promise<boolean> {
    const slice = await rereadSlice(recheck, { provider, db, log, recipients, found, now: now() });
    if (slice.transfers.length > 0) apply({ ...found, undoAbove: null, transfers: slice.transfers });
    return slice.mayHaveMore;
  }

  function apply(found: Scanned) {
    head = found.head.number;
    const applied = applyScan(db, found, now());
    if (found.undoAbove !== null) log.warn("the chain was reorganised", { above: found.undoAbove });
    for (const lost of applied.lost) {
      log.error("a confirmed transfer left the chain", { tx: lost.txHash, deposit: lost.depositIndex });
    }
    for (const change of applied.changes) {
      log.info("payment", { to: change.name, before: change.from, now: change.to });
    }
    if (applied.seen + applied.confirmed + applied.lost.length > 0) listen();
    deps.onApplied(applied);
  }

  async function run() {
    loadHot();
    while (!signal.aborted) {
      if (now() - hotLoadedAt > hotRefreshMs) loadHot();
      let waitMs: number;
      try {
        waitMs = await look(providers.current(now()));
        trouble.succeeded();
      } catch (thrown) {
        if (signal.aborted) return;
        deepRescan.soon();
        const delayMs = trouble.failed(thrown);
        // A wake must not turn a failing node into a busy loop.
        if (!providers.failed(now())) await sleep(delayMs, signal);
        continue;
      }
      if (waitMs > 0) await bell.wait(Math.min(waitMs, hotRefreshMs), signal);
    }
  }

  const running = run();
  running.catch((thrown) => {
    trouble.failed(new Error(`the watcher stopped: ${messageOf(thrown)}`, { cause: thrown }));
  });

  return {
    depositCreated(deposit) {
      if (recipients.size === 0) scannedAt = now();
      recipients.set(topicOf(deposit.address), deposit.index);
      listen();
      // With a feed that is up the new subscription asks for the scan as soon as it stands.
      if (!feed?.isUp) bell.wake();
    },
    requests: () => requests,
    state() {
      const problems: string[] = [];
      const problem = trouble.problem();
      if (problem !== null) problems.push(problem);
      const lagMs = now() - scannedAt;
      if (recipients.size > 0 && lagMs > lagMsMax) {
        problems.push(`the chain was last read ${Math.round(lagMs / 1000)} s ago`);
      }
      return { head, problems };
    },
    async stop() {
      stopping.abort();
      await feed?.stop();
      await running;
    },
  };
}
