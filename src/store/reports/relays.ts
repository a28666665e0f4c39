import { type Db, numberOrNull } from "../database.ts";
import * as GasTransactionStore from "../tables/settle/gas-transaction.ts";
import * as RelayStore from "../tables/settle/relay.ts";

/** Signed payments since a time, and those on their way. */
export type RelaySums = {
  /** Begun since then: how many paid, and how many failed after being sent. */
  paid: number;
  failed: number;
  /** In wei, for transactions begun since then that are final. */
  fees: bigint;
  /** Regardless of when they were begun. */
  onTheWay: number;
  /** When the oldest of those in no block was begun, in Unix milliseconds; null without any. */
  oldestAt: number | null;
};

/** `since` in Unix milliseconds. */
export function sums(db: Db, chainId: number, since: number): RelaySums {
  const ended = db
    .query<{ paid: bigint | null; failed: bigint | null }, [number, number]>(
      `SELECT sum(state = 'confirmed') AS paid, sum(state = 'failed') AS failed FROM relay
       WHERE chain_id = ? AND created_at >= ?`,
    )
    .get(chainId, since);
  const open = db
    .query<{ count: bigint; oldest: bigint | null }, [number]>(
      `SELECT count(*) AS count, min(CASE WHEN state <> 'mined' THEN created_at END) AS oldest FROM relay
       WHERE chain_id = ? AND ${RelayStore.unresolved}`,
    )
    .get(chainId);
  return {
    paid: Number(ended?.paid ?? 0n),
    failed: Number(ended?.failed ?? 0n),
    fees: GasTransactionStore.relaysSpent(db, chainId, since).wei,
    onTheWay: Number(open?.count ?? 0n),
    oldestAt: numberOrNull(open?.oldest),
  };
}
