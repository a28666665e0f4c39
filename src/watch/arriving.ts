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

/** A connection listens for the newest addresses, in so many parts. */
const partsMax = 10;

/** Of more in a second a node makes most up. It also bounds what is remembered. */
const logsPerSecondMax = 500;

/** How soon to ask a node again that refused, or whose connection did not last. */
const retryMs = { min: 5_000, max: 3_600_000 };
const lastingMs = 60_000;

/** A transfer that is in no block up to the last one that was read. `until`: on the watcher's clock, in ms. */
type Told = { depositIndex: number; blockNumber: number; amount: Usdc.Usdc; until: number };

export type Arriving = ReturnType<typeof createArriving>;

/**
 * What a node with Flashblocks tells of transfers a second or two before their block: remembered for some seconds, to be
 * shown to people. It is one node's word for what may yet be withdrawn, so nothing of it is stored, counted or reported.
 * It has a connection of its own: nothing that happens there holds up the watching.
 */
export function createArriving(
  options: Pick<Watching, "config" | "log" | "clock" | "deposits" | "onRequest">,
) {
  const { config, log, clock, deposits } = options;
  /** By transaction and place in it; the oldest first, which also end first. */
  const told = new Map<string, Told>();
  let version = 0;
  let change = new AbortController();
  /** The last block that was read. */
  let readTo = -1;
  let second = { startsAt: 0, logs: 0 };
  let upSince: number | null = null;
  let failures = 0;

  function changed(): void {
    version += 1;
    change.abort();
    change = new AbortController();
  }

  function forget(isOver: (transfer: Told) => boolean): void {
    for (const [key, transfer] of told) if (isOver(transfer) && told.delete(key)) changed();
  }

  function take(said: unknown): string | null {
    if (clock() - second.startsAt >= 1_000) second = { startsAt: clock(), logs: 0 };
    second.logs += 1;
    if (second.logs > logsPerSecondMax) return "it tells of more transfers than there can be";
    const read = readLog(said, config.network.usdc, deposits.recipients);
    if (read === null) return null;
    const { key, isWithdrawn, depositIndex, amount } = read;
    // Not every node says which block it is to be in.
    const blockNumber = read.blockNumber ?? readTo + 1;
    if (isWithdrawn && told.delete(key)) changed();
    if (isWithdrawn || told.has(key) || blockNumber <= readTo) return null;
    told.set(key, { depositIndex, amount, blockNumber, until: clock() + shownMs });
    changed();
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
    forget(({ until }) => until <= clock());
    const own = [...told.values()].filter((transfer) => transfer.depositIndex === depositIndex);
    if (own.length === 0 && !feed?.isUp) return null;
    return Usdc.formatExact(Usdc.sum(own.map(({ amount }) => amount)));
  }

  return {
    amountOf,
    /** Another one whenever anything of this is. */
    version(): string {
      forget(({ until }) => until <= clock());
      return `${version} ${feed?.isUp}`;
    },
    /** Waits until what arrives at a deposit is something else than `shown`, or the signal aborts. */
    async change(depositIndex: number, shown: string, signal: AbortSignal): Promise<void> {
      while ((amountOf(depositIndex) ?? "0.00") === shown && !signal.aborted)
        await sleep(lookMs, AbortSignal.any([signal, change.signal]));
    },
    /** Everything up to a block was read: what was to be in it is in the books, or did not come. */
    read(upTo: number): void {
      readTo = upTo;
      forget(({ blockNumber }) => blockNumber <= upTo);
    },
    /** Listens for the deposits that are watched now. */
    listen: (any: boolean) => feed?.listen({ any, heads: false }),
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
    key: `${text(transactionHash)} ${text(logIndex).slice(0, 20)}`,
    isWithdrawn: removed === true,
    depositIndex,
    blockNumber: blockNumber == null ? null : Number(text(blockNumber)),
    amount,
  };
}

const text = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : "");
