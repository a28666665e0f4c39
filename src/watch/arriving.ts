import { createFeed } from "../chain/node/feed.ts";
import { addressesPerTopicMax, transferTopic } from "../chain/transfer/transfer-log.ts";
import type { Transfer } from "../domain/payment/transfer.ts";
import * as Usdc from "../domain/usdc.ts";
import { isWord } from "../lib/crypto.ts";
import { backoffMs, sleep } from "../lib/loop.ts";
import type { Watching } from "./deposits.ts";

/** How long a transfer shows that no block brings: four blocks of Base. */
const shownMs = 8_000;

/** The newest addresses, of which one connection listens for so many parts. */
const partsMax = 10;

/** Of more in a second a node makes most up; and what is remembered then. */
const logsPerSecondMax = 500;
const rememberedMax = 1_000;

/** How soon to ask again a node that refused, or that hung up on what did not last. */
const retryMs = { min: 5_000, max: 3_600_000 };
const lastingMs = 60_000;

/** A transfer that no block has yet, as far as Till has read them. `until` is on the watcher's clock, in ms. */
type Told = { depositIndex: number; txHash: string; blockNumber: number; amount: Usdc.Usdc; until: number };

export type Arriving = ReturnType<typeof createArriving>;

/**
 * What a node with Flashblocks tells of transfers one or two seconds before their block: remembered for some seconds, to
 * be shown to people. It is one node's word for what may yet be withdrawn, so it is nowhere stored, counted or reported.
 * It has a connection of its own, so that nothing that happens there holds up the watching.
 */
export function createArriving(
  options: Pick<Watching, "config" | "log" | "clock" | "deposits" | "onRequest">,
) {
  const { config, log, clock, deposits } = options;
  /** By transaction and place in it; the oldest first, which also end first. */
  const told = new Map<string, Told>();
  const waiting = new Set<{ depositIndex: number; wake: () => void }>();
  let changes = 0;
  /** The last block that was read. */
  let readTo = -1;
  let second = { startsAt: 0, logs: 0 };
  let upSince: number | null = null;
  let failures = 0;

  function changed(depositIndex: number): void {
    changes += 1;
    for (const { wake } of [...waiting].filter((waiter) => waiter.depositIndex === depositIndex)) wake();
  }

  function forget(key: string): void {
    const transfer = told.get(key);
    if (told.delete(key) && transfer) changed(transfer.depositIndex);
  }

  function forgetIf(isOver: (transfer: Told) => boolean): void {
    for (const [key, transfer] of told) if (isOver(transfer)) forget(key);
  }

  const forgetOld = () => forgetIf(({ until }) => until <= clock());

  function take(said: unknown): boolean {
    const now = clock();
    if (now - second.startsAt >= 1_000) second = { startsAt: now, logs: 0 };
    second.logs += 1;
    if (second.logs > logsPerSecondMax) return false;
    const read = readLog(said, config.network.usdc, deposits.recipients);
    if (read === null || read.blockNumber <= readTo) return true;
    forgetOld();
    const { key, isWithdrawn, ...transfer } = read;
    if (isWithdrawn) forget(key);
    if (isWithdrawn || told.has(key)) return true;
    const [oldest = ""] = told.keys();
    if (told.size >= rememberedMax) forget(oldest);
    told.set(key, { ...transfer, until: now + shownMs });
    changed(transfer.depositIndex);
    return true;
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
            const isLasting = upSince !== null && clock() - upSince >= lastingMs;
            failures = isLasting ? 1 : failures + 1;
            // A node without Flashblocks refuses, which is nothing to tell anybody.
            if (upSince !== null)
              log.info("flashblocks.ended", "payments show with their block again", { reason });
            upSince = null;
          },
          retryMs: () => backoffMs(failures, retryMs),
        });

  /** What arrives at a deposit; null when nothing does. */
  function amountOf(depositIndex: number): string | null {
    forgetOld();
    const amounts = [...told.values()].filter((transfer) => transfer.depositIndex === depositIndex);
    return amounts.length === 0 ? null : Usdc.formatExact(Usdc.sum(amounts.map(({ amount }) => amount)));
  }

  return {
    amountOf,
    /** Whether a node tells of it just now. */
    isHeard: () => feed?.isUp ?? false,
    /** Another one whenever anything of this is. */
    version(): string {
      forgetOld();
      return `${changes} ${feed?.isUp ?? false}`;
    },
    /** Waits until what arrives at a deposit is something else than `shown`, or the signal aborts. */
    async change(depositIndex: number, shown: string | null, signal: AbortSignal): Promise<void> {
      while (amountOf(depositIndex) === shown && !signal.aborted) {
        const woken = new AbortController();
        const waiter = { depositIndex, wake: () => woken.abort() };
        waiting.add(waiter);
        const ends = [...told.values()].filter((transfer) => transfer.depositIndex === depositIndex);
        const endsAt = Math.min(clock() + shownMs, ...ends.map(({ until }) => until));
        await sleep(Math.max(1, endsAt - clock()), AbortSignal.any([signal, woken.signal]));
        waiting.delete(waiter);
      }
    },
    /** Everything up to a block was read: what was to be in it is in the books, or did not come. */
    read(blockNumber: number, transfers: readonly Pick<Transfer, "txHash">[]): void {
      readTo = blockNumber;
      const hashes = new Set(transfers.map(({ txHash }) => txHash.toLowerCase()));
      forgetIf((transfer) => transfer.blockNumber <= blockNumber || hashes.has(transfer.txHash));
    },
    /** Listens for the deposits that are watched now. */
    listen: (any: boolean) => feed?.listen({ any, heads: false }),
    stop: async () => await feed?.stop(),
  };
}

/** A log as a transfer to a deposit; null for everything else, which a node can send as well. */
function readLog(
  said: unknown,
  usdc: string,
  recipients: Watching["deposits"]["recipients"],
): (Omit<Told, "until"> & { key: string; isWithdrawn: boolean }) | null {
  if (typeof said !== "object" || said === null) return null;
  const { address, topics, data, blockNumber, transactionHash, logIndex, removed } = said as Record<
    string,
    unknown
  >;
  const [event, , to]: unknown[] = Array.isArray(topics) ? topics : [];
  const depositIndex = typeof to === "string" ? recipients.get(to.toLowerCase()) : undefined;
  if (typeof address !== "string" || address.toLowerCase() !== usdc.toLowerCase() || event !== transferTopic)
    return null;
  if (depositIndex === undefined || !isWord(data) || !isWord(transactionHash)) return null;
  const amount = Usdc.fromMicro(BigInt(data));
  if (amount === 0n || amount > Usdc.max) return null;
  const txHash = transactionHash.toLowerCase();
  return {
    key: `${txHash} ${quantityOf(logIndex)}`,
    isWithdrawn: removed === true,
    depositIndex,
    txHash,
    // Not every node says which block it is to be in.
    blockNumber: quantityOf(blockNumber) ?? Number.POSITIVE_INFINITY,
    amount,
  };
}

const quantityOf = (value: unknown): number | null =>
  typeof value === "string" && /^0x[0-9a-f]{1,12}$/i.test(value) ? Number(value) : null;
