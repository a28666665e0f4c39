/** Confirmed money at deposit addresses that is waiting to be moved to payout wallets. */

import type { Deposit } from "../../../domain/payment/deposit.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { type Row, columns as table, text, usdc } from "../../columns.ts";
import { type Db, numberOf, numberOrNull } from "../../database.ts";
import { columns, type DepositRow, fromRow } from "../invoicing/deposit.ts";

/** Deposits to take at one time; the rest follows in the next round. */
const dueMax = 1_000;

export type UnsettledDeposit = Deposit & {
  settled: Usdc.Usdc;
  /** Confirmed, not settled, and not known to be elsewhere. */
  toMove: Usdc.Usdc;
  /** The block of its latest confirmed transfer; 0 without one. */
  lastBlock: number;
  /** When to retry after a failure; null when the last attempt did not fail. */
  retryAt: number | null;
};

type UnsettledRow = DepositRow & {
  settled_amount: bigint;
  to_move: bigint;
  last_block: bigint;
  retry_at: bigint | null;
};

type DueQuery = {
  factory: Address;
  /** Smaller amounts stay put. */
  min: Usdc.Usdc;
  now: number;
  /** Also take failed ones scheduled after this: no schedule reaches so far. */
  latestRetry: number;
  /** Whether to take failed ones before they are due. */
  retry: boolean;
};

/** Money that is not at the address cannot be moved. */
const toMove = `received_amount - settled_amount
    + coalesce((SELECT min(amount, 0) FROM unexplained WHERE unexplained.deposit_index = receivable.deposit_index), 0)`;

const unsettled = `SELECT ${columns.list}, settled_amount, ${toMove} AS to_move,
    (SELECT coalesce(max(block_number), 0) FROM transfer
     WHERE transfer.deposit_index = receivable.deposit_index AND confirmed = 1) AS last_block,
    (SELECT retry_at FROM settlement WHERE settlement.deposit_index = receivable.deposit_index
     ORDER BY id DESC LIMIT 1) AS retry_at,
    (SELECT created_at FROM settlement WHERE settlement.deposit_index = receivable.deposit_index
     ORDER BY id DESC LIMIT 1) AS tried_at
  FROM receivable
  WHERE received_amount > settled_amount AND received_amount - settled_amount >= $min
    AND ${toMove} >= $min AND factory = $factory
    AND NOT EXISTS (SELECT 1 FROM settlement
      WHERE settlement.deposit_index = receivable.deposit_index AND state = 'pending')`;

function fromUnsettledRow(row: UnsettledRow): UnsettledDeposit {
  return {
    ...fromRow(row),
    settled: Usdc.fromMicro(row.settled_amount),
    toMove: Usdc.fromMicro(row.to_move),
    lastBlock: Number(row.last_block),
    retryAt: numberOrNull(row.retry_at),
  };
}

/**
 * Deposits with confirmed money to move now, except those that a pending transaction moves, fullest first. Failures
 * recorded by a clock that was ahead and has been set back do not wait.
 */
export function listDue(db: Db, { factory, min, now, latestRetry, retry }: DueQuery): UnsettledDeposit[] {
  return db
    .query<UnsettledRow, Record<string, string | number | bigint>>(
      `SELECT * FROM (${unsettled}) WHERE $retry = 1 OR retry_at IS NULL OR retry_at <= $now
         OR retry_at > $latestRetry OR tried_at > $now
       ORDER BY received_amount - settled_amount DESC LIMIT ${dueMax}`,
    )
    .all({ factory, min, now, latestRetry, retry: retry ? 1 : 0 })
    .map(fromUnsettledRow);
}

/** Number of deposits `listDue` would take eventually, including failed ones that wait. */
export function countUnsettled(db: Db, { factory, min }: Pick<DueQuery, "factory" | "min">): number {
  return numberOf(db, `SELECT count(*) FROM (${unsettled})`, { factory, min }) ?? 0;
}

// Few of many waiting deposits have failed.
const failed = `SELECT * FROM (${unsettled}
    AND deposit_index IN (SELECT deposit_index FROM settlement WHERE state = 'failed'))
  WHERE retry_at IS NOT NULL`;

/** Deposits whose money could not be moved at the last attempt, oldest first. */
export function listFailed(
  db: Db,
  { factory, min }: Pick<DueQuery, "factory" | "min">,
  limit = dueMax,
): UnsettledDeposit[] {
  return db
    .query<UnsettledRow, Record<string, string | number | bigint>>(
      `${failed} ORDER BY deposit_index LIMIT $limit`,
    )
    .all({ factory, min, limit })
    .map(fromUnsettledRow);
}

/** Their number, and the addresses of the oldest `namedMax`. */
export function summarizeFailed(
  db: Db,
  { factory, min }: Pick<DueQuery, "factory" | "min">,
  namedMax: number,
): { count: number; addresses: Address[] } {
  const rows = db
    .query<{ address: string; count: bigint }, Record<string, string | number | bigint>>(
      `SELECT address, count(*) OVER () AS count FROM (${failed}) ORDER BY deposit_index LIMIT $namedMax`,
    )
    .all({ factory, min, namedMax });
  return { count: Number(rows[0]?.count ?? 0n), addresses: rows.map(({ address }) => address as Address) };
}

/** A funded deposit address that no invoice or link here has. */
type Recovered = { address: Address; payoutWallet: Address; amount: Usdc.Usdc };

const recovered = table("recovered", {
  address: text<Address>(),
  payoutWallet: text<Address>(),
  amount: usdc(),
});

export function listRecovered(db: Db): Recovered[] {
  const rows = db.query<Row<Recovered>, []>(`SELECT ${recovered.list} FROM recovered ORDER BY amount DESC`);
  return rows.all().map(recovered.fromRow);
}

/** Replaces earlier findings. Call it in a transaction. */
export function replaceRecovered(db: Db, found: readonly Recovered[]): void {
  db.run("DELETE FROM recovered");
  for (const each of found) noteRecovered(db, each);
}

/** Replaces what was recorded for an address by its current state. */
export function noteRecovered(db: Db, found: Recovered): void {
  db.query(recovered.insert().replace("INSERT", "INSERT OR REPLACE")).run(recovered.values(found));
}
