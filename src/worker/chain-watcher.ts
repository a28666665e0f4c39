import type { Config } from "../config.ts";
import type { Deposit } from "../domain/deposit.ts";
import type { Transfer } from "../domain/transfer.ts";
import { createWakeable, sleep } from "../lib/loop.ts";
import type { Log } from "../log-events.ts";
import type { Applied } from "../service/payment.ts";
import { type Db, isStorageFault } from "../store/database.ts";
import { createChainTrouble } from "./chain-trouble.ts";
import { createChores } from "./chores.ts";
import { createColdCheck } from "./cold-check.ts";
import { createCrediting, type Scanned } from "./crediting.ts";
import { createCrowding } from "./crowding.ts";
import { createHints } from "./hints.ts";
import { createHotDeposits } from "./hot-deposits.ts";
import { startOpinions } from "./opinions.ts";
import { createProviders } from "./providers.ts";
import { createReadings } from "./reading.ts";
import { createRecheckChore } from "./recheck.ts";
import { createScanLag } from "./scan-lag.ts";
import { behindDelayMs, createScanner } from "./scanner.ts";
import { createShortfallChore } from "./shortfalls.ts";
import { createSubscription, safetyScanMs } from "./subscription.ts";

/** How often the database is asked whether there is anything to do, such as a rescan. No node notices. */
const turnMsMax = 1_000;

export type WatcherState = {
  /** The head of the last scan that went through; null before the first. */
  head: number | null;
  /** Why the chain cannot be trusted to be watched just now; empty when all is well. */
  problems: string[];
  /** What is out of the ordinary while it is watched all the same. */
  warnings: string[];
  /** Whether payments show later than people expect. */
  isDelayed: boolean;
  /** For how long the head of the chain should have been reached, in ms; 0 when nothing is due. */
  lagMs: number;
};

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
  const crowding = createCrowding(log, now);
  const providers = createProviders(config, signal, onRequest, crowding.crowded);
  const hot = createHotDeposits(db, now);
  const hints = createHints();
  const trouble = createChainTrouble(log, deps.onWrongChain);
  const lag = createScanLag(now());
  const coldCheck = createColdCheck(db, hot, log);
  const rescans = createReadings(db, "rescan", log);
  const late = createReadings(db, "late", log);
  const recheck = createRecheckChore(db, hot, log, now());
  const shortfalls = createShortfallChore(config, db, log, now);
  const chores = createChores(
    () => [...rescans(), ...late(), shortfalls, coldCheck, recheck],
    providers,
    log,
    signal,
  );
  const shared = { config, db, log, now, hot };
  const { wake } = bell;
  const subscription = createSubscription({ ...shared, hints, onRequest, wake });
  const { listen } = subscription;
  const crediting = createCrediting({
    ...shared,
    coldCheck,
    onApplied: deps.onApplied,
    onOpinionDue: () => opinions.wake(),
    listen,
    wake,
  });
  const opinions = startOpinions({ ...shared, onRequest, applyVerdicts: crediting.applyVerdicts });
  const scanner = createScanner({
    ...shared,
    providers,
    hints,
    trouble,
    lag,
    coldCheck,
    chores,
    crediting,
    subscription,
  });

  /** Does a slice of what is due, with the node that was scanned last. */
  async function doChore(found: Scanned): Promise<void> {
    const size = hot.recipients.size;
    const provider = providers.current(now());
    await chores.slice({
      provider,
      checkpoint: found.checkpoint,
      now: now(),
      credit: (transfers: Transfer[]) => crediting.apply({ ...found, undoAbove: null, transfers }, provider),
    });
    if (hot.recipients.size === size) return;
    listen();
    wake();
  }

  async function run() {
    let scanAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      const choreInMs = () => (scanner.recent() ? chores.dueInMs(now()) : Number.POSITIVE_INFINITY);
      let turnMs: number;
      try {
        if (hot.isDue()) {
          hot.load();
          listen();
        }
        const recent = scanner.recent();
        if (now() >= scanAt) {
          scanAt = now() + (await scanner.scan());
          trouble.succeeded();
        } else if (recent && chores.dueInMs(now()) <= 0) {
          await doChore(recent);
        }
        if (!scanner.recent() && chores.dueInMs(now()) <= 0) scanAt = Math.min(scanAt, now() + behindDelayMs);
        // Also when the clock was set back: no scan is further away than it was.
        scanAt = Math.min(scanAt, now() + safetyScanMs);
        turnMs = Math.max(0, Math.min(scanAt - now(), choreInMs(), turnMsMax));
      } catch (thrown) {
        if (signal.aborted) return;
        scanAt = Number.NEGATIVE_INFINITY;
        scanner.failed();
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
      if (!subscription.isUp) wake();
    },
    requests: () => requests,
    transfers: crediting.transfers,
    state() {
      const problem = trouble.problem(now());
      const late = hot.recipients.size > 0 ? lag.problem(now()) : null;
      const problems = [problem, late].filter((text) => text !== null);
      const isDelayed = late !== null || trouble.isLasting();
      const warnings = [crowding.warning()].filter((text) => text !== null);
      return { head: crediting.head(), problems, warnings, isDelayed, lagMs: lag.ms(now()) };
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled([subscription.stop(), opinions.stop(), running]);
    },
  };
}
