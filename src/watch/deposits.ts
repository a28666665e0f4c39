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

/** Shared by the parts of the watcher. */
export type Watching = {
  config: Config;
  db: Db;
  log: Log;
  now: () => number;
  /** Monotonic milliseconds. */
  clock: () => number;
  signal: AbortSignal;
  nodes: Nodes;
  deposits: WatchedDeposits;
  onRequest: (method: string) => void;
};

/** Keeps the deposits that are watched block by block. `clock` is monotonic, in ms. */
export function createWatchedDeposits(db: Db, now: () => number, clock: () => number) {
  let watched = createSet();
  /** The set being loaded. */
  let next: typeof watched | null = null;
  /** What addresses held at the last look that hold less than the books say. */
  let short: ReadonlyMap<number, bigint> = new Map();
  let loadedAt = Number.NEGATIVE_INFINITY;
  /** Adds a new deposit, which cannot have received anything yet. */
  function addNew(deposit: WatchedStore.WatchedDeposit): void {
    watched.add(deposit);
    next?.add(deposit);
  }
  return {
    get recipients(): WatchedRecipients {
      return watched.recipients;
    },
    /** Returns whether it is watched. During a reload only the new list counts, as the rest may be dropped. */
    has: (index: number): boolean => watched.has(index) && (next?.has(index) ?? true),
    addNew,
    add(deposit: WatchedStore.WatchedDeposit): void {
      addNew(deposit);
      for (const set of [watched, next]) set?.expect(db, [deposit.index]);
    },
    /** Returns whether its address holds what the books say, as far as they were read. */
    isAsExpected: (index: number, holding: Holding): boolean => watched.isAsExpected(index, holding),
    /** Returns whether its address had code before. */
    isEmptied: (index: number): boolean => watched.isEmptied(index),
    /** Records that its holding matches the books, which were just compared. */
    explained(index: number, { balance, hasCode }: Holding): void {
      for (const set of [watched, next]) set?.explained(index, balance, hasCode);
    },
    /** Returns whether an address that holds less than the books say held as much at the last look. */
    isShortAsBefore: (index: number, balance: bigint): boolean => short.get(index) === balance,
    /** Records what such addresses held at a look. Call it once its result is stored. */
    sawShort(held: ReadonlyMap<number, bigint>): void {
      short = held;
    },
    /** Call it when the books of these deposits have changed. */
    changed(indices: Iterable<number>): void {
      for (const index of indices) for (const set of [watched, next]) set?.expect(db, [index]);
    },
    /** Reloads them from the database. Deposits added meanwhile are kept. */
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
    /** Returns whether a reload is due, because some may have become dormant. */
    isDue: () => clock() - loadedAt > refreshMs,
  };
}

function createSet() {
  const recipients = createRecipients();
  const indices = createIndexSet();
  const emptied = createIndexSet();
  /**
   * Expected balances according to the books, in micro-USDC; addresses that should be empty, which most are, are left
   * out.
   */
  const expected = new Map<number, bigint>();
  return {
    recipients,
    has: indices.has,
    add({ index, address }: WatchedStore.WatchedDeposit) {
      recipients.add(address, index);
      indices.add(index);
    },
    /** Reads the expected balances of these deposits from the books; they are in order, and may be an epoch apart. */
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

/** A set of mostly consecutive numbers: one bit each, in pages. A Set takes 60 bytes each. */
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
