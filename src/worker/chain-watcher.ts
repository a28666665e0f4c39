import type { Block } from "../chain/block.ts";
import { createFeed, type Feed } from "../chain/feed.ts";
import { mustBeOnChain, readTagged, type ScanResult, scan } from "../chain/scan.ts";
import { topicsOf } from "../chain/transfer-log.ts";
import type { Config } from "../config.ts";
import type { Deposit } from "../domain/deposit.ts";
import type { Transfer } from "../domain/transfer.ts";
import { createWakeable, sleep } from "../lib/loop.ts";
import type { Log } from "../log-events.ts";
import { type Applied, applyScan, nameOf } from "../service/payment.ts";
import * as CheckpointStore from "../store/checkpoint.ts";
import { type Db, isStorageFault } from "../store/database.ts";
import * as TransferStore from "../store/transfer.ts";
import { checkIdentity } from "./chain-identity.ts";
import { createChainTrouble } from "./chain-trouble.ts";
import { createCheckpointDoubt } from "./checkpoint-doubt.ts";
import { createChores } from "./chores.ts";
import { createColdCheck } from "./cold-check.ts";
import { createDeepRescan } from "./deep-rescan.ts";
import { createHints } from "./hints.ts";
import { createHotDeposits } from "./hot-deposits.ts";
import { createProviders, type Provider } from "./providers.ts";
import { createReading } from "./reading.ts";
import { createRecheckChore } from "./recheck.ts";
import { createScanLag } from "./scan-lag.ts";
import { firstCheckpoint, skippableTo } from "./scan-start.ts";

/** A scan without any hint, in case one was lost; more often where there is no subscription. */
const safetyScanMs = 60_000;
const pollingScanMs = 12_000;
/** While the subscription is down: what comes after it is back must not wait for its next try to connect. */
const unheardScanMs = 5_000;
/** How often to look while a transfer waits for confirmations and no subscription tells of new blocks. */
const confirmingScanMs = 2_000;

/** A node that is behind what was seen before is asked again this soon. */
const behindDelayMs = 1_000;

/** How often the database is asked whether there is anything to do, such as a rescan. No node notices. */
const turnMsMax = 1_000;

/** What is read of older blocks has to fit to a scan that is at most this old. */
const scanAgeMsMax = safetyScanMs + 5_000;

export type WatcherState = {
  /** The head of the last scan that went through; null before the first. */
  head: number | null;
  /** Why the chain cannot be trusted to be watched just now; empty when all is well. */
  problems: string[];
  /** Whether payments show later than people expect. */
  isDelayed: boolean;
  /** For how long the head of the chain should have been reached, in ms; 0 when nothing is due. */
  lagMs: number;
};

type Scanned = Extract<ScanResult, { kind: "scanned" }>;

export type ChainWatcher = {
  /** To be called in the same turn in which a deposit is committed. */
  depositCreated(deposit: Deposit): void;
  state(): WatcherState;
  /** Calls to the nodes since the start, by method. */
  requests(): ReadonlyMap<string, number>;
  /** Transfers since the start: seen for the first time, confirmed, and lost after they were confirmed. */
  transfers(): Readonly<Record<"seen" | "confirmed" | "lost", number>>;
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
 * clock, and between two scans at most one slice of what is to be read of older blocks. Asks the node for nothing
 * while there is nothing to watch, but for its identity at the start and for the balances of old addresses once a
 * day.
 */
export function startChainWatcher(deps: ChainWatcherDeps): ChainWatcher {
  const { config, db, log, now } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const bell = createWakeable();
  const requests = new Map<string, number>();
  const onRequest = (method: string) => requests.set(method, (requests.get(method) ?? 0) + 1);
  const providers = createProviders(config, signal, onRequest);
  const hot = createHotDeposits(db, now);
  const hints = createHints();
  const deepRescan = createDeepRescan(now());
  const doubt = createCheckpointDoubt(providers.count);
  const trouble = createChainTrouble(log, deps.onWrongChain);
  const lag = createScanLag(now());
  const coldCheck = createColdCheck(db, hot, log);
  const chores = createChores(
    [
      createReading(db, "rescan", log),
      createReading(db, "late", log),
      coldCheck,
      createRecheckChore(db, hot, log, now()),
    ],
    log,
    signal,
  );

  const transfers = { seen: 0, confirmed: 0, lost: 0 };
  let head: number | null = null;
  /** The last scan that reached the head, and when; chores build on it. */
  let last: { found: Scanned; at: number } | null = null;

  const feed: Feed | null =
    config.rpcWsUrl === null
      ? null
      : createFeed({
          wsUrl: config.rpcWsUrl,
          usdc: config.network.usdc,
          topics: () => topicsOf(hot.recipients),
          onRequest,
          onHint: (hint) => {
            if (hint) hints.note(hint);
            bell.wake();
          },
          onUp: () => log.info("chain.connected", "listening to the chain"),
          onDown: (reason) => {
            log.warn("chain.disconnected", "the connection to the chain is down, looking regularly instead", {
              reason,
            });
            bell.wake();
          },
        });

  function listen() {
    const heads = config.confirmations !== 1 && TransferStore.anyUnconfirmed(db);
    feed?.listen({ any: hot.recipients.size > 0, heads });
  }

  /** One scan with one node; returns how long to wait for the next one. */
  async function look(provider: Provider): Promise<number> {
    const { rpc } = provider;
    if (!provider.identified) {
      await checkIdentity(rpc, db, config);
      if (typeof config.confirmations !== "number") await readTagged(rpc, config.confirmations);
      provider.identified = true;
      trouble.identified();
    }
    let checkpoint = CheckpointStore.latest(db);
    if (!checkpoint) {
      checkpoint = await firstCheckpoint(rpc, hot.oldestCreation);
      await checkIdentity(rpc, db, config);
      await mustBeOnChain(rpc, checkpoint);
      CheckpointStore.put(db, checkpoint);
    }
    if (hot.recipients.size === 0 && chores.dueInMs(now()) > 0) {
      lag.nothingToRead(now());
      return Number.POSITIVE_INFINITY;
    }

    const from = checkpoint;
    const overlap = Math.max(
      deepRescan.overlap(from.number, provider.reader.range, now()),
      hints.depth(from.number),
    );
    const found = await scan({
      ...provider,
      checkpoint,
      olderCheckpoints: () => CheckpointStore.listBelow(db, from.number),
      recorded: (above, confirmedUpTo) => TransferStore.listBlocks(db, above, confirmedUpTo),
      confirmIdentity: () => checkIdentity(rpc, db, config),
      recipients: () => hot.recipients,
      startAfter: (block: Block) =>
        hot.recipients.size === 0
          ? block.number
          : skippableTo(from.number, block.number, hot.oldestCreation, now()),
      confirmations: config.confirmations,
      overlap,
      checkpointIsAbove: doubt.isCertain(now()),
    });
    if (found.kind === "behind") {
      log.debug("chain.behind", "the node is behind", {
        block: found.head.number,
        checkpoint: from.number,
      });
      lag.behind(rpc.host, found.head, from.number);
      doubt.behind(rpc.host, found.head, now());
      providers.behind(found.head.number, from.number);
      return behindDelayMs;
    }
    providers.succeeded();
    doubt.cleared();
    apply(found);
    if (!found.caughtUp) return 0;
    lag.caughtUp(now());
    last = { found, at: now() };
    coldCheck.scanned(found.checkpoint, now());
    deepRescan.done(found.head.number, now());
    const foundIn = new Set(found.transfers.map((transfer) => transfer.blockNumber));
    const { retryMs, gaveUp } = hints.review(found.head.number, foundIn, now());
    // Another node may know what this one was asked for in vain.
    if (gaveUp) {
      deepRescan.soon();
      if (providers.count > 1) providers.failed(now());
    }
    return Math.min(retryMs ?? Number.POSITIVE_INFINITY, nextScanMs());
  }

  function nextScanMs(): number {
    if (hot.recipients.size === 0) return Number.POSITIVE_INFINITY;
    if (feed?.isUp) return safetyScanMs;
    if (TransferStore.anyUnconfirmed(db)) return confirmingScanMs;
    return feed ? unheardScanMs : pollingScanMs;
  }

  function apply(found: Scanned) {
    // Before they are credited: a crash in between costs a reading, not a payment.
    const paid = new Set(found.transfers.map((transfer) => transfer.depositIndex));
    const cold = [...paid].filter((index) => !hot.has(index));
    if (cold.length > 0) {
      coldCheck.warm(cold, found.checkpoint.number, now());
      bell.wake();
    }
    head = found.head.number;
    const applied = applyScan(db, found, now(), { receipts: config.mailReceipts });
    transfers.seen += applied.seen;
    transfers.confirmed += applied.confirmed;
    transfers.lost += applied.lost.length;
    if (found.undoAbove !== null)
      log.warn("chain.reorg", "the chain was reorganised", { block: found.undoAbove });
    for (const lost of applied.lost) {
      const name = nameOf(db, lost.depositIndex);
      log.error("payment.lost", "a confirmed transfer left the chain", { ...name, tx: lost.txHash });
    }
    for (const change of applied.changes) {
      const { name, from, to } = change;
      log.info("payment", "a payment was confirmed", { ...name, from, to });
    }
    if (applied.touched.size > 0) listen();
    deps.onApplied(applied);
  }

  /** Does a slice of what is due, with the node that was scanned last. */
  async function doChore({ found }: { found: Scanned }): Promise<void> {
    const provider = providers.current(now());
    const size = hot.recipients.size;
    await chores.slice({
      provider,
      checkpoint: found.checkpoint,
      now: now(),
      credit: (transfers: Transfer[]) => apply({ ...found, undoAbove: null, transfers }),
    });
    if (hot.recipients.size === size) return;
    listen();
    bell.wake();
  }

  /** Chores build on the last scan, so that has to be recent, and of the node that is asked now. */
  function isFresh(): boolean {
    return last !== null && now() - last.at <= scanAgeMsMax && providers.current(now()).identified;
  }

  async function run() {
    let scanAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      const choreInMs = () => (isFresh() ? chores.dueInMs(now()) : Number.POSITIVE_INFINITY);
      let turnMs: number;
      try {
        if (hot.isDue()) {
          hot.load();
          listen();
        }
        if (now() >= scanAt) {
          lag.started(now());
          scanAt = now() + (await look(providers.current(now())));
          trouble.succeeded();
        } else if (choreInMs() <= 0 && last) {
          await doChore(last);
        }
        if (!isFresh() && chores.dueInMs(now()) <= 0) scanAt = Math.min(scanAt, now() + behindDelayMs);
        // Also when the clock was set back: no scan is further away than it was.
        scanAt = Math.min(scanAt, now() + safetyScanMs);
        turnMs = Math.max(0, Math.min(scanAt - now(), choreInMs(), turnMsMax));
      } catch (thrown) {
        if (signal.aborted) return;
        scanAt = Number.NEGATIVE_INFINITY;
        last = null;
        deepRescan.soon();
        const delayMs = trouble.failed(thrown, now());
        // A wake must not turn a failing node into a busy loop.
        // Nor does another node help when the disk is full.
        if (isStorageFault(thrown) || !providers.failed(now())) await sleep(delayMs, signal);
        continue;
      }
      if (await bell.wait(turnMs, signal)) scanAt = Number.NEGATIVE_INFINITY;
    }
  }

  const running = run();
  running.catch(trouble.broken);

  return {
    depositCreated(deposit) {
      hot.add(deposit);
      listen();
      // With a feed that is up the new subscription asks for the scan as soon as it stands.
      if (!feed?.isUp) bell.wake();
    },
    requests: () => requests,
    transfers: () => transfers,
    state() {
      const problem = trouble.problem(now());
      const late = hot.recipients.size > 0 ? lag.problem(now()) : null;
      const problems = [problem, late].filter((text) => text !== null);
      const isDelayed = late !== null || trouble.isLasting();
      return { head, problems, isDelayed, lagMs: lag.ms(now()) };
    },
    async stop() {
      stopping.abort();
      await feed?.stop();
      await Promise.allSettled([running]);
    },
  };
}
