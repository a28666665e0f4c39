import { type Recipients, topicOf } from "../chain/transfer-log.ts";
import type { Db } from "../store/database.ts";
import * as DepositStore from "../store/deposit.ts";

/** Addresses without a change for this long are no longer watched block by block. */
export const hotMs = 30 * 86_400_000;
const refreshMs = 3_600_000;

export type HotDeposits = {
  readonly recipients: Recipients;
  has(index: number): boolean;
  add(deposit: DepositStore.WatchedDeposit): void;
  /** Reads them from the database again. */
  load(): void;
  /** Whether it is time to do that, because some may have become cold. */
  isDue(): boolean;
  /** When the oldest of them was made, in Unix milliseconds; null without any. */
  oldestCreation(): number | null;
};

/** The deposits that are watched block by block. */
export function createHotDeposits(db: Db, now: () => number): HotDeposits {
  let recipients = new Map<string, number>();
  let indices = new Set<number>();
  let loadedAt = Number.NEGATIVE_INFINITY;
  const add = ({ index, address }: DepositStore.WatchedDeposit) => {
    recipients.set(topicOf(address), index);
    indices.add(index);
  };
  return {
    get recipients() {
      return recipients;
    },
    has: (index) => indices.has(index),
    add,
    load() {
      const found = DepositStore.listChangedSince(db, now() - hotMs);
      recipients = new Map();
      indices = new Set();
      found.forEach(add);
      loadedAt = now();
    },
    isDue: () => Math.abs(now() - loadedAt) > refreshMs,
    oldestCreation: () => DepositStore.oldestChangedSince(db, now() - hotMs),
  };
}
