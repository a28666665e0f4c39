import type { Block } from "../chain/block.ts";
import { createFeed, type Feed } from "../chain/feed.ts";
import { createRpc, type Rpc } from "../chain/rpc.ts";
import { overlapBlocks, type ScanResult, scan } from "../chain/scan.ts";
import { createTransferReader, type TransferReader, topicOf } from "../chain/transfer-log.ts";
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
import { checkIdentity, WrongChain } from "./chain-identity.ts";
import { firstCheckpoint, skippableTo } from "./scan-start.ts";

/** A scan without any hint, in case one was lost; more often where there is no subscription. */
const safetyScanMs = 60_000;
const pollingScanMs = 12_000;
/** How often to look while a transfer waits for confirmations and no subscription tells of new blocks. */
const confirmingScanMs = 2_000;

/** Now and then more blocks are read again than with every scan. */
const deepRescanIntervalMs = 180_000;
const deepRescanBlocks = 64;

const failureDelayMsMin = 500;
const failureDelayMsMax = 15_000;

/** A node that is behind the hint that it gave itself is asked again this soon. */
const behindDelayMs = 250;

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

export type ChainWatcher = {
  /** To be called in the same turn in which a deposit is committed. */
  depositCreated(deposit: Deposit): void;
  state(): WatcherState;
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

type Provider = { rpc: Rpc; reader: TransferReader; identified: boolean };

/**
 * Follows the chain for all watched deposits: one scan at a time, woken by the feed, by new deposits and by the
 * clock. Asks the node for nothing while there is nothing to watch, but for its identity once at the start.
 */
export function startChainWatcher(deps: ChainWatcherDeps): ChainWatcher {
  const { config, db, log, now } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const bell = createWakeable();
  const providers: Provider[] = config.rpcUrls.map((url) => {
    const rpc = createRpc({ url, signal });
    return {
      rpc,
      reader: createTransferReader(rpc, config.network.usdc, config.logRange),
      identified: false,
    };
  });

  const recipients = new Map<string, number>();
  let hotLoadedAt = 0;
  let hinted = 0;
  let head: number | null = null;
  let scannedAt = now();
  let deepRescanAt = now();
  let failures = 0;
  let failure: string | null = null;
  let wrongChain: string | null = null;

  const feed: Feed | null =
    config.rpcWsUrl === null
      ? null
      : createFeed({
          wsUrl: config.rpcWsUrl,
          usdc: config.network.usdc,
          topics: () => [...recipients.keys()],
          onHint: (blockNumber) => {
            hinted = Math.max(hinted, blockNumber ?? 0);
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
      wrongChain = null;
    }
    let checkpoint = CheckpointStore.latest(db);
    if (!checkpoint) {
      checkpoint = await firstCheckpoint(provider.rpc, () => DepositStore.oldestHotCreation(db, 0));
      CheckpointStore.put(db, checkpoint);
    }
    if (recipients.size === 0) return Number.POSITIVE_INFINITY;

    const from = checkpoint;
    const deep = now() - deepRescanAt >= deepRescanIntervalMs;
    const found = await scan({
      rpc: provider.rpc,
      reader: provider.reader,
      checkpoint,
      olderCheckpoints: () => CheckpointStore.listBelow(db, from.number),
      recipients: () => recipients,
      startAfter: (block: Block) =>
        skippableTo(from.number, block.number, DepositStore.oldestHotCreation(db, now() - hotMs), now()),
      confirmations: config.confirmations,
      overlap: deep ? deepRescanBlocks : overlapBlocks,
    });
    if (found.kind === "behind") {
      log.debug("the node is behind", { head: found.head.number, checkpoint: from.number });
      return behindDelayMs * 4;
    }
    apply(found);
    if (deep && found.caughtUp) deepRescanAt = now();
    if (!found.caughtUp) return 0;
    scannedAt = now();
    if (hinted > found.head.number) return behindDelayMs;
    if (feed?.isUp) return safetyScanMs;
    return TransferStore.anyUnconfirmed(db) ? confirmingScanMs : pollingScanMs;
  }

  function apply(found: Extract<ScanResult, { kind: "scanned" }>) {
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
    let preferred = 0;
    while (!signal.aborted) {
      if (now() - hotLoadedAt > hotRefreshMs) loadHot();
      const provider = providers[preferred % providers.length];
      if (!provider) throw new Error("No node is configured");
      let waitMs: number;
      try {
        waitMs = await look(provider);
        failures = 0;
        failure = null;
        if (preferred !== 0 && waitMs > 0) preferred = 0;
      } catch (thrown) {
        if (signal.aborted) return;
        provider.identified = false;
        preferred = (preferred + 1) % providers.length;
        waitMs = onFailure(thrown);
        // A wake must not turn a failing node into a busy loop.
        await sleep(waitMs, signal);
        continue;
      }
      if (waitMs > 0) await bell.wait(Math.min(waitMs, hotRefreshMs), signal);
    }
  }

  function onFailure(thrown: unknown): number {
    const message = messageOf(thrown);
    if (thrown instanceof WrongChain && wrongChain === null) {
      wrongChain = message;
      log.error(message);
      deps.onWrongChain(message);
    } else if (failure !== message) {
      log.warn(`the chain could not be read: ${message}`);
    }
    failure = message;
    failures += 1;
    return Math.min(failureDelayMsMax, failureDelayMsMin * 2 ** Math.min(failures - 1, 10));
  }

  const running = run();
  running.catch((thrown) => {
    failure = `the watcher stopped: ${messageOf(thrown)}`;
    log.error(failure);
  });

  return {
    depositCreated(deposit) {
      if (recipients.size === 0) scannedAt = now();
      recipients.set(topicOf(deposit.address), deposit.index);
      listen();
      // With a feed that is up the new subscription asks for the scan as soon as it stands.
      if (!feed?.isUp) bell.wake();
    },
    state() {
      const problems: string[] = [];
      if (wrongChain !== null) problems.push(wrongChain);
      else if (failure !== null) problems.push(failure);
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
