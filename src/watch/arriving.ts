import { createFeed } from "../chain/node/feed.ts";
import { addressesPerTopicMax, transferTopic } from "../chain/transfer/transfer-log.ts";
import * as Usdc from "../domain/usdc.ts";
import { isWord } from "../lib/crypto.ts";
import { backoffMs, sleep } from "../lib/loop.ts";
import type { Watching } from "./deposits.ts";

/** How long a transfer shows that no block brings: four blocks of Base. */
const shownMs = 8_000;
/** How late it may be taken away. */
const lookMs = 1_000;
/** Longer than any payment takes to its block. What is told again within that time has arrived without a pause. */
const longMs = 15_000;
/** Those who wait are woken once for all that is told within that time. */
const ringMs = 100;

/** A connection listens for the newest addresses, in so many parts. */
const partsMax = 10;

/** Of more in a second a node makes most up. It also bounds what is remembered. */
const logsPerSecondMax = 500;

/** How soon to ask a node again that refused, or whose connection did not last. */
const retryMs = { min: 5_000, max: 3_600_000 };
const lastingMs = 60_000;

/** A transaction that is in no block up to the last one that was read, and what it brings to one deposit, by place. */
type Told = { blockNumber: number; amounts: Map<string, Usdc.Usdc>; until: number };

/** What arrives at one deposit, by transaction and in all, `since` when, and until when it goes on without a pause. */
type Own = { told: Map<string, Told>; amount: string; since: number; until: number; bell: AbortController };

export type Arriving = ReturnType<typeof createArriving>;

/**
 * What a node with Flashblocks tells of transfers a second or two before their block: remembered for some seconds, to be
 * shown to people. It is one node's word for what may yet be withdrawn, so nothing of it is stored, counted or reported.
 * It has a connection of its own: nothing that happens there holds up the watching.
 */
export function createArriving(
  options: Pick<Watching, "config" | "log" | "clock" | "deposits" | "onRequest" | "signal">,
) {
  const { config, log, clock, deposits } = options;
  /** By deposit. */
  const owns = new Map<number, Own>();
  const changed = new Set<Own>();
  let version = 0;
  /** The last block that was read. */
  let readTo = -1;
  let second = { startsAt: 0, logs: 0 };
  let upSince: number | null = null;
  let failures = 0;

  function open(depositIndex: number): Own {
    const nothing = { told: new Map(), amount: "0.00", since: clock(), until: 0 };
    const own = owns.get(depositIndex) ?? { ...nothing, bell: new AbortController() };
    owns.set(depositIndex, own);
    return own;
  }

  function change(own: Own): void {
    if (changed.size === 0) setTimeout(ring, ringMs).unref();
    changed.add(own);
  }

  function ring(): void {
    version += 1;
    for (const own of changed) {
      const amounts = [...own.told.values()].flatMap((told) => [...told.amounts.values()]);
      own.amount = Usdc.formatExact(Usdc.sum(amounts));
      own.bell.abort();
      own.bell = new AbortController();
    }
    changed.clear();
  }

  function forget(isOver: (told: Told) => boolean): void {
    for (const [depositIndex, own] of owns) {
      for (const [key, told] of own.told) if (isOver(told) && own.told.delete(key)) change(own);
      // Who waits goes on with another one.
      if (own.told.size === 0 && own.until < clock() && owns.delete(depositIndex)) own.bell.abort();
    }
  }
  const looking = setInterval(() => forget(({ until }) => until <= clock()), lookMs);
  options.signal.addEventListener("abort", () => clearInterval(looking));

  function take(said: unknown): string | null {
    if (clock() - second.startsAt >= 1_000) second = { startsAt: clock(), logs: 0 };
    second.logs += 1;
    if (second.logs > logsPerSecondMax) return "it tells of more transfers than there can be";
    const read = readLog(said, config.network.usdc, deposits.recipients);
    if (read === null || read.blockNumber <= readTo) return null;
    const { isWithdrawn, depositIndex, transaction, place, blockNumber, amount } = read;
    const own = open(depositIndex);
    // What was told of it in another block holds no longer.
    const before = own.told.get(transaction);
    const begun = { blockNumber, amounts: new Map(), until: clock() + shownMs };
    const told = before?.blockNumber === blockNumber ? before : begun;
    if (isWithdrawn ? !told.amounts.delete(place) : told.amounts.has(place)) return null;
    if (!isWithdrawn) told.amounts.set(place, amount);
    if (own.until < clock()) own.since = clock();
    own.until = clock() + longMs;
    own.told.set(transaction, told);
    change(own);
    return null;
  }

  const feed =
    config.rpcWsUrl === null
      ? null
      : createFeed({
          wsUrl: config.rpcWsUrl,
          usdc: config.network.usdc,
          parts: () => deposits.recipients.parts(addressesPerTopicMax).slice(-partsMax),
          onRequest: options.onRequest,
          onHint: () => {},
          onPending: take,
          onUp() {
            upSince = clock();
            log.info("flashblocks.heard", "a node tells of payments before their block");
          },
          onDown(reason) {
            // A node without Flashblocks refuses, which is nothing to tell anybody.
            if (upSince !== null) log.info("flashblocks.ended", "payments show with their block", { reason });
            failures = upSince !== null && clock() - upSince >= lastingMs ? 1 : failures + 1;
            upSince = null;
          },
          retryMs: () => backoffMs(failures, retryMs),
        });

  /** What arrives at a deposit, in USDC: null while no node tells of it. */
  function amountOf(depositIndex: number): string | null {
    const amount = owns.get(depositIndex)?.amount ?? "0.00";
    return amount === "0.00" && !feed?.isUp ? null : amount;
  }

  return {
    amountOf,
    /** Whether something has arrived for so long that it may never come. */
    isLong: (depositIndex: number) => clock() - (owns.get(depositIndex)?.since ?? clock()) >= longMs,
    /** Another one whenever anything of this is. */
    version: () => `${version} ${feed?.isUp}`,
    /** Waits until what arrives at a deposit is something else than `shown`, or the signal aborts. */
    async change(depositIndex: number, shown: string, signal: AbortSignal): Promise<void> {
      while ((amountOf(depositIndex) ?? "0.00") === shown && !signal.aborted)
        await sleep(longMs, AbortSignal.any([signal, open(depositIndex).bell.signal]));
    },
    /** Everything up to a block was read: what was to be in it is in the books, or did not come. */
    read(upTo: number): void {
      readTo = upTo;
      forget(({ blockNumber }) => blockNumber <= upTo);
    },
    /** Listens for the deposits that are watched now; when the node is there again, at once. */
    listen(any: boolean, isBack = false): void {
      if (isBack) failures = 0;
      if (isBack && !feed?.isUp) feed?.listen({ any: false, heads: false });
      feed?.listen({ any, heads: false });
    },
    stop: async () => await feed?.stop(),
  };
}

/** A log as a transfer to a deposit; null for everything else, which a node can send as well. */
function readLog(said: unknown, usdc: string, recipients: Watching["deposits"]["recipients"]) {
  if (typeof said !== "object" || said === null) return null;
  const log = said as Record<string, unknown>;
  const [event, , to]: unknown[] = Array.isArray(log["topics"]) ? log["topics"] : [];
  const depositIndex = recipients.get(text(to));
  const { address, data, transactionHash, logIndex, blockNumber, removed } = log;
  if (text(address) !== usdc.toLowerCase() || event !== transferTopic || depositIndex === undefined)
    return null;
  if (!isWord(data) || !isWord(transactionHash)) return null;
  const amount = Usdc.fromMicro(BigInt(data));
  if (amount === 0n || amount > Usdc.max) return null;
  return {
    transaction: text(transactionHash),
    place: text(logIndex).slice(0, 20),
    isWithdrawn: removed === true,
    depositIndex,
    // Not every node says it: then it ends by time alone.
    blockNumber: blockNumber == null ? Number.POSITIVE_INFINITY : Number(text(blockNumber)),
    amount,
  };
}

const text = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : "");
