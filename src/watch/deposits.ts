import type { Holding } from "../chain/contract/balance.ts";
import type { Nodes } from "../chain/node/nodes.ts";
import { createRecipients, type WatchedRecipients } from "../chain/transfer/recipients.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import { turn } from "../lib/loop.ts";
import type { Db } from "../store/database.ts";
import * as BalanceStore from "../store/tables/watch/balance.ts";
import * as WatchedStore from "../store/tables/watch/watched.ts";

/** Addresses without a change for this long are dormant: they are no longer watched block by block. */
export const watchedMs = 30 * 86_400_000;
const refreshMs = 3_600_000;

export type WatchedDeposits = ReturnType<typeof createWatchedDeposits>;

/** What the parts of the watcher share. */
export type Watching = {
  config: Config;
  db: Db;
  log: Log;
  now: () => number;
  /** Milliseconds that only grow. */
  clock: () => number;
  signal: AbortSignal;
  nodes: Nodes;
  deposits: WatchedDeposits;
  onRequest: (method: string) => void;
};

/** The deposits that are watched block by block. `clock` only grows, in ms. */
export function createWatchedDeposits(db: Db, now: () => number, clock: () => number) {
  let watched = createSet();
  /** The set that is being read. */
  let next: typeof watched | null = null;
  let loadedAt = Number.NEGATIVE_INFINITY;
  /** For a new one, to which nothing can have come. */
  function addNew(deposit: WatchedStore.WatchedDeposit): void {
    watched.add(deposit);
    next?.add(deposit);
  }
  return {
    get recipients(): WatchedRecipients {
      return watched.recipients;
    },
    /** Whether it is watched. While the list is read again, only what is in the new one counts: the rest may drop out. */
    has: (index: number): boolean => watched.has(index) && (next?.has(index) ?? true),
    addNew,
    add(deposit: WatchedStore.WatchedDeposit): void {
      addNew(deposit);
      for (const set of [watched, next]) set?.expect(db, [deposit.index]);
    },
    /** Whether its address holds what the books say, as far as they were looked at. */
    isAsExpected: (index: number, holding: Holding): boolean => watched.isAsExpected(index, holding),
    /** Whether there was code at its address before. */
    isEmptied: (index: number): boolean => watched.isEmptied(index),
    /** It holds what the books say, as they were just compared. */
    explained(index: number, { balance, hasCode }: Holding): void {
      for (const set of [watched, next]) set?.explained(index, balance, hasCode);
    },
    /** The books of these have changed. */
    changed(indices: Iterable<number>): void {
      for (const index of indices) for (const set of [watched, next]) set?.expect(db, [index]);
    },
    /** Reads them from the database again. What is added meanwhile stays. */
    async load(): Promise<void> {
      const loading = createSet();
      next = loading;
      for (const page of WatchedStore.changedSince(db, now() - watchedMs)) {
        for (const deposit of page) loading.add(deposit);
        loading.expect(
          db,
          page.map(({ index }) => index),
        );
        await turn();
      }
      watched = loading;
      next = null;
      loadedAt = clock();
    },
    /** Whether it is time to do that, because some may have become dormant. */
    isDue: () => clock() - loadedAt > refreshMs,
  };
}

function createSet() {
  const recipients = createRecipients();
  const indices = createIndexSet();
  const emptied = createIndexSet();
  /** What is at the addresses by the books, in micro-USDC; nothing at all others, which are most. */
  const expected = new Map<number, bigint>();
  return {
    recipients,
    has: indices.has,
    add({ index, address }: WatchedStore.WatchedDeposit) {
      recipients.add(address, index);
      indices.add(index);
    },
    /** Reads from the books what the addresses of these are to hold, which are in order and may be an epoch apart. */
    expect(db: Db, indices: readonly number[]) {
      const range = { first: indices[0] ?? 0, last: indices.at(-1) ?? 0 };
      for (const index of indices) expected.delete(index);
      for (const [index, amount] of BalanceStore.expectedAt(db, range)) expected.set(index, amount);
      for (const index of BalanceStore.listWithCode(db, range)) emptied.add(index);
    },
    isEmptied: emptied.has,
    isAsExpected: (index: number, { balance, hasCode }: Holding) =>
      balance === (expected.get(index) ?? 0n) && (!hasCode || emptied.has(index)),
    explained(index: number, balance: bigint, hasCode: boolean) {
      if (balance === 0n) expected.delete(index);
      else expected.set(index, balance);
      if (hasCode) emptied.add(index);
    },
  };
}

const pageBits = 32_768;

/** A set of numbers of which many follow each other: a bit for each, in pages. A Set of them takes 60 bytes for each. */
function createIndexSet(): { add(index: number): void; has(index: number): boolean } {
  const pages = new Map<number, Uint8Array>();
  const bitOf = (index: number) => 1 << (index % 8);
  const byteOf = (index: number) => Math.floor((index % pageBits) / 8);
  return {
    add(index) {
      const at = Math.floor(index / pageBits);
      const page = pages.get(at) ?? new Uint8Array(pageBits / 8);
      page[byteOf(index)] = (page[byteOf(index)] ?? 0) | bitOf(index);
      pages.set(at, page);
    },
    has: (index) => ((pages.get(Math.floor(index / pageBits))?.[byteOf(index)] ?? 0) & bitOf(index)) !== 0,
  };
}
