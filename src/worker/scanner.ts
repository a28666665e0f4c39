import type { Block } from "../chain/block.ts";
import { readTagged } from "../chain/confirmations.ts";
import { mustBeOnChain, scan } from "../chain/scan.ts";
import type { Config } from "../config.ts";
import type { BlockRef } from "../domain/block.ts";
import type { Log } from "../log-events.ts";
import * as CheckpointStore from "../store/checkpoint.ts";
import type { Db } from "../store/database.ts";
import * as TransferStore from "../store/transfer.ts";
import { checkIdentity } from "./chain-identity.ts";
import type { ChainTrouble } from "./chain-trouble.ts";
import { createCheckpointDoubt } from "./checkpoint-doubt.ts";
import type { Chores } from "./chores.ts";
import type { ColdCheck } from "./cold-check.ts";
import type { Crediting, Scanned } from "./crediting.ts";
import { createDeepRescan } from "./deep-rescan.ts";
import type { Hints } from "./hints.ts";
import type { HotDeposits } from "./hot-deposits.ts";
import type { Provider, Providers } from "./providers.ts";
import type { ScanLag } from "./scan-lag.ts";
import { firstCheckpoint, skippableTo } from "./scan-start.ts";
import { type Subscription, safetyScanMs } from "./subscription.ts";

/** A node that is behind what was seen before is asked again this soon. */
export const behindDelayMs = 1_000;

/** What is read of older blocks has to fit to a scan that is at most this old. */
const scanAgeMsMax = safetyScanMs + 5_000;

export type Scanner = {
  /**
   * One scan with the node whose turn it is, applied. Returns how long to wait for the next one, in ms. Throws what
   * the node's answers make it throw, and when nothing can be stored.
   */
  scan(): Promise<number>;
  /**
   * The last scan that reached the head; null when there is none, or none that is recent and of the node that is
   * asked now, as what builds on it has to be.
   */
  recent(): Scanned | null;
  /** Something went wrong since the last scan: nothing builds on it, and the next one reads deeper. */
  failed(): void;
};

export type ScannerDeps = {
  config: Config;
  db: Db;
  log: Log;
  now: () => number;
  providers: Providers;
  hot: HotDeposits;
  hints: Hints;
  trouble: ChainTrouble;
  lag: ScanLag;
  coldCheck: ColdCheck;
  chores: Chores;
  crediting: Crediting;
  subscription: Subscription;
};

/** Scans the chain from the checkpoint to its head for the hot deposits, as far as one go takes it. */
export function createScanner({
  config,
  db,
  log,
  now,
  providers,
  hot,
  hints,
  trouble,
  lag,
  coldCheck,
  chores,
  crediting,
  subscription,
}: ScannerDeps): Scanner {
  const deepRescan = createDeepRescan(now());
  const doubt = createCheckpointDoubt(providers.count);
  let last: { found: Scanned; at: number } | null = null;

  async function identify(provider: Provider): Promise<void> {
    if (provider.identified) return;
    await checkIdentity(provider.rpc, db, config);
    if (typeof config.confirmations !== "number") await readTagged(provider.rpc, config.confirmations);
    provider.identified = true;
    trouble.identified();
  }

  async function startOf({ rpc }: Provider): Promise<BlockRef> {
    const known = CheckpointStore.latest(db);
    if (known) return known;
    const checkpoint = await firstCheckpoint(rpc, hot.oldestCreation);
    await checkIdentity(rpc, db, config);
    await mustBeOnChain(rpc, checkpoint);
    CheckpointStore.put(db, checkpoint);
    return checkpoint;
  }

  function scanFrom(checkpoint: BlockRef, provider: Provider) {
    const from = checkpoint.number;
    return scan({
      ...provider,
      checkpoint,
      olderCheckpoints: () => CheckpointStore.listBelow(db, from),
      recorded: (above, confirmedUpTo) => TransferStore.listBlocks(db, above, confirmedUpTo),
      isKnown: (transfer) => TransferStore.isRecorded(db, transfer),
      confirmIdentity: () => checkIdentity(provider.rpc, db, config),
      recipients: () => hot.recipients,
      startAfter: (block: Block) =>
        hot.recipients.size === 0 ? block.number : skippableTo(from, block.number, hot.oldestCreation, now()),
      confirmations: config.confirmations,
      overlap: Math.max(deepRescan.overlap(from, provider.reader.range, now()), hints.depth(from)),
      checkpointIsAbove: doubt.isCertain(now()),
    });
  }

  /** The head was reached. Returns how long to wait for the next scan, in ms. */
  function complete(found: Scanned): number {
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
    return Math.min(retryMs ?? Number.POSITIVE_INFINITY, subscription.scanInMs());
  }

  return {
    async scan() {
      lag.started(now());
      const provider = providers.current(now());
      await identify(provider);
      const checkpoint = await startOf(provider);
      if (hot.recipients.size === 0 && chores.dueInMs(now()) > 0) {
        lag.nothingToRead(now());
        return Number.POSITIVE_INFINITY;
      }
      const found = await scanFrom(checkpoint, provider);
      if (found.kind === "behind") {
        const { host } = provider.rpc;
        const facts = { block: found.head.number, checkpoint: checkpoint.number };
        log.debug("chain.behind", "the node is behind", facts);
        lag.behind(host, found.head, checkpoint.number);
        doubt.behind(host, found.head, now());
        providers.behind(found.head.number, checkpoint.number);
        return behindDelayMs;
      }
      providers.succeeded();
      doubt.cleared();
      await crediting.applyInParts(found, provider);
      return found.caughtUp ? complete(found) : 0;
    },
    recent() {
      const isRecent =
        last !== null && now() - last.at <= scanAgeMsMax && providers.current(now()).identified;
      return isRecent ? (last?.found ?? null) : null;
    },
    failed() {
      last = null;
      deepRescan.soon();
    },
  };
}
