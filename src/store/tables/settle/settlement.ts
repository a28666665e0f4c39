/** Settlements: moves from deposit addresses to payout wallets, completed and under way. */

import type { BlockRef, Inclusion } from "../../../domain/payment/block.ts";
import type { Deposit } from "../../../domain/payment/deposit.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { type Db, numberOf, numberOrNull, textOf } from "../../database.ts";
import * as DepositStore from "../invoicing/deposit.ts";
import * as WatchedStore from "../watch/watched.ts";
import * as GasTransactionStore from "./gas-transaction.ts";

/** `empty`: nothing was left to move. `elsewhere`: somebody else's transaction moved it. */
export const states = ["pending", "settled", "empty", "failed", "elsewhere"] as const;
export type State = (typeof states)[number];

export type RecordedResult = {
  address: Address;
  payoutWallet: Address;
  state: Exclude<State, "elsewhere">;
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

/** The recorded results of a transaction for each of its deposits. */
export function listResults(db: Db, transactionId: number): RecordedResult[] {
  return db
    .query<ResultRow, [number]>(
      `SELECT address, payout_wallet, state, amount, retry_at FROM settlement JOIN receivable USING (deposit_index)
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

/** Assigns deposits to a transaction. Call it in the database transaction that creates the latter. */
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

/** Final transactions whose settlements are not recorded yet. */
export function listUnrecorded(db: Db, chainId: number): GasTransactionStore.GasTransaction[] {
  return db
    .query<{ transaction_id: bigint }, [number]>(
      `SELECT DISTINCT transaction_id FROM settlement INDEXED BY settlement_pending
         CROSS JOIN gas_transaction ON gas_transaction.id = transaction_id
       WHERE settlement.state = 'pending' AND gas_transaction.state <> 'pending' AND chain_id = ?
       ORDER BY transaction_id`,
    )
    .all(chainId)
    .flatMap((row) => GasTransactionStore.byId(db, Number(row.transaction_id)) ?? []);
}

/** A transaction's deposits whose results are not recorded. */
export function listPending(db: Db, transactionId: number): Deposit[] {
  return db
    .query<DepositStore.DepositRow, [number]>(
      `SELECT ${DepositStore.columns.list} FROM settlement JOIN receivable USING (deposit_index)
       WHERE transaction_id = ? AND state = 'pending' ORDER BY deposit_index`,
    )
    .all(transactionId)
    .map(DepositStore.fromRow);
}

/** The result of one transaction for one deposit. */
export type SettlementResult =
  | { state: "settled"; amount: Usdc.Usdc }
  | { state: "empty" }
  | { state: "failed"; retryAt: number };

/** Records a result once; returns false if there is one. Call it in a transaction. */
export function record(
  db: Db,
  { transactionId, depositIndex }: { transactionId: number; depositIndex: number },
  result: SettlementResult,
  inclusion: Inclusion | null,
  now: number,
): boolean {
  const isSettled = result.state === "settled";
  const changes = db
    .query(
      `UPDATE settlement SET state = $state, amount = $amount, retry_at = $retryAt,
         tx_hash = $txHash, block_number = $blockNumber, block_hash = $blockHash
       WHERE transaction_id = $transactionId AND deposit_index = $depositIndex AND state = 'pending'`,
    )
    .run({
      transactionId,
      depositIndex,
      state: result.state,
      amount: isSettled ? result.amount : 0n,
      retryAt: result.state === "failed" ? result.retryAt : null,
      txHash: isSettled ? (inclusion?.txHash ?? null) : null,
      blockNumber: isSettled ? (inclusion?.blockNumber ?? null) : null,
      blockHash: isSettled ? (inclusion?.blockHash ?? null) : null,
    }).changes;
  sumUp(db, depositIndex, now);
  return changes > 0;
}

/**
 * Records once what somebody else's transaction moved from a deposit; returns false if it is recorded, or is Till's
 * own. Call it in a transaction.
 */
export function recordElsewhere(
  db: Db,
  depositIndex: number,
  { amount, txHash, blockNumber, blockHash }: Inclusion & { amount: Usdc.Usdc },
  now: number,
): boolean {
  const changes = db
    .query(
      `INSERT INTO settlement (deposit_index, state, amount, created_at, tx_hash, block_number, block_hash)
       VALUES ($depositIndex, 'elsewhere', $amount, $now, $txHash, $blockNumber, $blockHash)
       ON CONFLICT (deposit_index, tx_hash) WHERE tx_hash IS NOT NULL DO UPDATE SET
         amount = $amount, block_number = $blockNumber, block_hash = $blockHash
       WHERE state = 'elsewhere' AND block_hash <> $blockHash`,
    )
    .run({ depositIndex, amount, now, txHash, blockNumber, blockHash }).changes;
  sumUp(db, depositIndex, now);
  return changes > 0;
}

/** When a deposit's settlements are in doubt, look at this many of the latest. */
const blocksMax = 16;

/** The blocks a deposit was settled in, latest first. */
export function listBlocks(db: Db, depositIndex: number): BlockRef[] {
  return db
    .query<{ block_number: bigint; block_hash: string }, [number]>(
      `SELECT DISTINCT block_number, block_hash FROM settlement WHERE deposit_index = ? AND block_hash IS NOT NULL
       ORDER BY block_number DESC LIMIT ${blocksMax}`,
    )
    .all(depositIndex)
    .map((row) => ({ number: Number(row.block_number), hash: row.block_hash }));
}

/** The block in which a transaction settled deposits, as recorded; null if it settled none. */
export function blockHashOf(db: Db, transactionId: number): string | null {
  return textOf(db, "SELECT max(block_hash) FROM settlement WHERE transaction_id = ?", transactionId);
}

/** The latest settled deposits whose block is recorded. */
export function listLatest(db: Db, limit: number): WatchedStore.WatchedDeposit[] {
  const indices = db
    .query<{ deposit_index: bigint }, [number]>(
      `SELECT deposit_index FROM settlement WHERE block_hash IS NOT NULL ORDER BY id DESC LIMIT ?`,
    )
    .all(limit)
    .map((row) => Number(row.deposit_index));
  return WatchedStore.list(db, [...new Set(indices)]);
}

/**
 * Reverts the settlements in a block that left the chain. Till's own transaction is pending again: resent unchanged, or
 * found in another block. Somebody else's is forgotten. Returns what each deposit lost. Call it in a transaction.
 */
export function retract(
  db: Db,
  blockHash: string,
  now: number,
): { index: number; address: Address; amount: Usdc.Usdc }[] {
  const rows = db
    .query<
      { id: bigint; deposit_index: bigint; transaction_id: bigint | null; address: string; amount: bigint },
      [string]
    >(
      `SELECT id, deposit_index, transaction_id, address, amount FROM settlement JOIN receivable USING (deposit_index)
       WHERE block_hash = ?`,
    )
    .all(blockHash);
  for (const { transaction_id } of rows)
    if (transaction_id !== null) GasTransactionStore.reopen(db, Number(transaction_id));
  db.query("DELETE FROM settlement WHERE block_hash = ? AND state = 'elsewhere'").run(blockHash);
  // Only one transaction at a time moves a deposit's money, and it moves all of it.
  db.query(
    `UPDATE settlement SET amount = 0, tx_hash = NULL, block_number = NULL, block_hash = NULL,
       state = CASE WHEN EXISTS (SELECT 1 FROM settlement AS other
         WHERE other.deposit_index = settlement.deposit_index AND other.state = 'pending') THEN 'empty' ELSE 'pending' END
     WHERE block_hash = ?`,
  ).run(blockHash);
  return rows.map((row) => {
    const index = Number(row.deposit_index);
    sumUp(db, index, now);
    return { index, address: row.address as Address, amount: Usdc.fromMicro(row.amount) };
  });
}

function sumUp(db: Db, depositIndex: number, now: number): void {
  db.query(
    `UPDATE receivable SET compare_at = min(compare_at, ?2), settled_amount =
       (SELECT coalesce(sum(amount), 0) FROM settlement WHERE deposit_index = ?1) WHERE deposit_index = ?1`,
  ).run(depositIndex, now + DepositStore.compareAfterMs);
}

/** Number of consecutive failures to move a deposit's money, up to now. */
export function countFailures(db: Db, depositIndex: number): number {
  const sql = `SELECT count(*) FROM settlement WHERE deposit_index = ?1 AND state = 'failed'
    AND id > (SELECT coalesce(max(id), 0) FROM settlement WHERE deposit_index = ?1
              AND state IN ('settled', 'elsewhere'))`;
  return numberOf(db, sql, depositIndex) ?? 0;
}
