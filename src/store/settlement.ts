/** What has been moved from deposit addresses to payout wallets, and what is on its way. */

import type { Address } from "../domain/address.ts";
import type { Deposit } from "../domain/deposit.ts";
import * as Usdc from "../domain/usdc.ts";
import { type Db, numberOrNull } from "./database.ts";
import { columns, type DepositRow, fromRow } from "./deposit.ts";
import * as GasTransactionStore from "./gas-transaction.ts";

/** The most deposits that are looked at in one go; the rest comes with the next. */
export const dueMax = 1_000;

export type Unsettled = Deposit & {
  settled: Usdc.Usdc;
  /** The block of its latest confirmed transfer; 0 when there is none. */
  lastBlock: number;
  /** When it is tried again after a failure; null when the last attempt did not fail. */
  retryAt: number | null;
};

type UnsettledRow = DepositRow & { settled_amount: bigint; last_block: bigint; retry_at: bigint | null };

export type Due = {
  factory: Address;
  /** Less than this stays where it is. */
  min: Usdc.Usdc;
  now: number;
  /** What failed before and waits for later than this is taken: no schedule reaches so far. */
  latestRetry: number;
  /** Whether to take what failed before and is not due again. */
  retry: boolean;
};

/** What is missing at the address is not there to be moved. */
const toMove = `received_amount - settled_amount
    - coalesce((SELECT missing FROM shortfall WHERE shortfall.deposit_index = deposit.deposit_index), 0)`;

const unsettled = `SELECT ${columns}, settled_amount,
    (SELECT coalesce(max(block_number), 0) FROM transfer
     WHERE transfer.deposit_index = deposit.deposit_index AND confirmed = 1) AS last_block,
    (SELECT retry_at FROM settlement WHERE settlement.deposit_index = deposit.deposit_index
     ORDER BY id DESC LIMIT 1) AS retry_at
  FROM deposit
  WHERE received_amount > settled_amount AND received_amount - settled_amount >= $min
    AND ${toMove} >= $min AND factory = $factory
    AND NOT EXISTS (SELECT 1 FROM settlement
      WHERE settlement.deposit_index = deposit.deposit_index AND state = 'pending')`;

function fromUnsettledRow(row: UnsettledRow): Unsettled {
  return {
    ...fromRow(row),
    settled: Usdc.fromMicro(row.settled_amount),
    lastBlock: Number(row.last_block),
    retryAt: numberOrNull(row.retry_at),
  };
}

/** Deposits with confirmed money that is to be moved now and that no pending transaction moves, the fullest first. */
export function listDue(db: Db, { factory, min, now, latestRetry, retry }: Due): Unsettled[] {
  return db
    .query<UnsettledRow, Record<string, string | number | bigint>>(
      `SELECT * FROM (${unsettled}) WHERE $retry = 1 OR retry_at IS NULL OR retry_at <= $now OR retry_at > $latestRetry
       ORDER BY received_amount - settled_amount DESC LIMIT ${dueMax}`,
    )
    .all({ factory, min, now, latestRetry, retry: retry ? 1 : 0 })
    .map(fromUnsettledRow);
}

/** How many deposits `listDue` and its successors take, with those that failed and wait. */
export function countUnsettled(db: Db, { factory, min }: Pick<Due, "factory" | "min">): number {
  const row = db
    .query<{ count: bigint }, Record<string, string | bigint>>(`SELECT count(*) AS count FROM (${unsettled})`)
    .get({ factory, min });
  return Number(row?.count ?? 0n);
}

// Of many deposits that wait, few have failed.
const failed = `SELECT * FROM (${unsettled}
    AND deposit_index IN (SELECT deposit_index FROM settlement WHERE state = 'failed'))
  WHERE retry_at IS NOT NULL`;

/** Deposits whose money could not be moved at the last attempt, the oldest first. */
export function listFailed(db: Db, { factory, min }: Pick<Due, "factory" | "min">): Unsettled[] {
  return db
    .query<UnsettledRow, Record<string, string | bigint>>(`${failed} ORDER BY deposit_index LIMIT ${dueMax}`)
    .all({ factory, min })
    .map(fromUnsettledRow);
}

/** How many deposits that are, and the addresses of the oldest `namedMax`. */
export function summarizeFailed(
  db: Db,
  { factory, min }: Pick<Due, "factory" | "min">,
  namedMax: number,
): { count: number; addresses: Address[] } {
  const rows = db
    .query<{ address: string; count: bigint }, Record<string, string | number | bigint>>(
      `SELECT address, count(*) OVER () AS count FROM (${failed}) ORDER BY deposit_index LIMIT $namedMax`,
    )
    .all({ factory, min, namedMax });
  return { count: Number(rows[0]?.count ?? 0n), addresses: rows.map(({ address }) => address as Address) };
}

export type RecordedResult = {
  address: Address;
  payoutWallet: Address;
  state: "pending" | "settled" | "empty" | "failed";
  amount: Usdc.Usdc;
  retryAt: number | null;
};

type ResultRow = {
  address: string;
  payout_wallet: string;
  state: string;
  amount: bigint;
  retry_at: bigint | null;
};

/** What a transaction did to each of its deposits, as far as it is recorded. */
export function listResults(db: Db, transactionId: number): RecordedResult[] {
  return db
    .query<ResultRow, [number]>(
      `SELECT address, payout_wallet, state, amount, retry_at FROM settlement JOIN deposit USING (deposit_index)
       WHERE transaction_id = ? ORDER BY deposit_index`,
    )
    .all(transactionId)
    .map((row) => ({
      address: row.address as Address,
      payoutWallet: row.payout_wallet as Address,
      state: row.state as RecordedResult["state"],
      amount: Usdc.fromMicro(row.amount),
      retryAt: numberOrNull(row.retry_at),
    }));
}

/** Puts deposits on their way with a transaction. To be called in the database transaction that makes it. */
export function insertBatch(
  db: Db,
  transactionId: number,
  deposits: readonly { index: number }[],
  now: number,
): void {
  const insert = db.query(
    `INSERT INTO settlement (deposit_index, transaction_id, state, created_at) VALUES (?, ?, 'pending', ?)`,
  );
  for (const { index } of deposits) insert.run(index, transactionId, now);
}

/** Settlements whose transaction is final while their results are not recorded. */
export function listUnrecorded(db: Db, chainId: number): GasTransactionStore.GasTransaction[] {
  return db
    .query<{ transaction_id: bigint }, [number]>(
      `SELECT DISTINCT transaction_id FROM settlement JOIN gas_transaction ON gas_transaction.id = transaction_id
       WHERE settlement.state = 'pending' AND gas_transaction.state <> 'pending' AND chain_id = ?
       ORDER BY transaction_id`,
    )
    .all(chainId)
    .flatMap((row) => GasTransactionStore.byId(db, Number(row.transaction_id)) ?? []);
}

/** The deposits of a transaction whose results are not recorded. */
export function listPending(db: Db, transactionId: number): Deposit[] {
  return db
    .query<DepositRow, [number]>(
      `SELECT ${columns} FROM settlement JOIN deposit USING (deposit_index)
       WHERE transaction_id = ? AND state = 'pending' ORDER BY deposit_index`,
    )
    .all(transactionId)
    .map(fromRow);
}

/** What one transaction did to one deposit. `empty`: there was nothing to move, somebody else had flushed it. */
export type Result =
  | { state: "settled"; amount: Usdc.Usdc }
  | { state: "empty" }
  | { state: "failed"; retryAt: number };

/** Records a result, once: false when it is recorded already. To be called inside a transaction. */
export function record(db: Db, transactionId: number, depositIndex: number, result: Result): boolean {
  const changes = db
    .query(
      `UPDATE settlement SET state = $state, amount = $amount, retry_at = $retryAt
       WHERE transaction_id = $transactionId AND deposit_index = $depositIndex AND state = 'pending'`,
    )
    .run({
      transactionId,
      depositIndex,
      state: result.state,
      amount: result.state === "settled" ? result.amount : 0n,
      retryAt: result.state === "failed" ? result.retryAt : null,
    }).changes;
  sumUp(db, depositIndex);
  return changes > 0;
}

/** Records that somebody else's transactions moved so much of a deposit. To be called inside a transaction. */
export function recordElsewhere(
  db: Db,
  { index, amount }: { index: number; amount: Usdc.Usdc },
  now: number,
): void {
  db.query(
    `INSERT INTO settlement (deposit_index, state, amount, created_at) VALUES (?, 'elsewhere', ?, ?)`,
  ).run(index, amount, now);
  sumUp(db, index);
}

function sumUp(db: Db, depositIndex: number): void {
  db.query(
    `UPDATE deposit SET settled_amount =
       (SELECT coalesce(sum(amount), 0) FROM settlement WHERE deposit_index = ?1) WHERE deposit_index = ?1`,
  ).run(depositIndex);
}

/** How often in a row the money of a deposit could not be moved, up to now. */
export function countFailures(db: Db, depositIndex: number): number {
  const row = db
    .query<{ count: bigint }, [number]>(
      `SELECT count(*) AS count FROM settlement WHERE deposit_index = ?1 AND state = 'failed'
         AND id > (SELECT coalesce(max(id), 0) FROM settlement WHERE deposit_index = ?1
                   AND state IN ('settled', 'elsewhere'))`,
    )
    .get(depositIndex);
  return Number(row?.count ?? 0n);
}
