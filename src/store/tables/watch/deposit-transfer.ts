import type { Deposit } from "../../../domain/payment/deposit.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import type { Row } from "../../columns.ts";
import { type Db, numberOf, textOf } from "../../database.ts";
import { columns, type RecordedTransfer } from "./transfer.ts";

/** The transfers of one deposit. */

/** Maximum transfers listed per deposit, as anybody can send many small ones. */
const listedMax = 1_000;

/** A deposit's largest transfers, oldest first. */
export function list(db: Db, depositIndex: number): RecordedTransfer[] {
  const { transfers } = listLargest(db, depositIndex, { limit: listedMax });
  return transfers.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}

/** Returns whether any transfer of at least a cent is recorded, confirmed or not. */
export function exists(db: Db, depositIndex: number): boolean {
  const sql = "SELECT 1 FROM transfer WHERE deposit_index = ? AND amount >= ? LIMIT 1";
  return db.query(sql).get(depositIndex, Usdc.microPerCent) !== null;
}

/** The transaction of a deposit's latest transfer; null when there is none. */
export function lastHash(db: Db, depositIndex: number): string | null {
  const sql = `SELECT tx_hash FROM transfer WHERE deposit_index = +?
    ORDER BY block_number DESC, log_index DESC LIMIT 1`;
  return textOf(db, sql, depositIndex);
}

/** A payer's transfers of this amount to a deposit, latest first. */
export function listEqual(
  db: Db,
  { depositIndex, payer, amount }: { depositIndex: number; payer: Address; amount: bigint },
  limit: number,
): RecordedTransfer[] {
  return db
    .query<Row<RecordedTransfer>, [number, string, bigint, number]>(
      `SELECT ${columns.list} FROM transfer WHERE deposit_index = +? AND payer = ? AND amount = ?
       ORDER BY block_number DESC, log_index DESC LIMIT ?`,
    )
    .all(depositIndex, payer, amount, limit)
    .map(columns.fromRow);
}

/**
 * A deposit's largest transfers, in chain order, and how many more there are: anybody can send any number of small
 * ones, and no page or mail may grow with them.
 */
export function listLargest(
  db: Db,
  depositIndex: number,
  { limit, confirmedOnly = false }: { limit: number; confirmedOnly?: boolean },
): { transfers: RecordedTransfer[]; others: number } {
  const which = `deposit_index = +?1${confirmedOnly ? " AND confirmed = 1" : ""}`;
  const rows = db
    .query<Row<RecordedTransfer> & { count: bigint }, [number, number]>(
      // Counts separately, by the index alone if possible: a window function would hold every row.
      `SELECT ${columns.list}, (SELECT count(*) FROM transfer WHERE ${which}) AS count FROM transfer
       WHERE ${which} ORDER BY amount DESC, block_number, log_index LIMIT ?2`,
    )
    .all(depositIndex, limit);
  const transfers = rows
    .map(columns.fromRow)
    .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
  return { transfers, others: Number(rows[0]?.count ?? 0n) - rows.length };
}

/**
 * When an amount was paid, in Unix milliseconds: the time of the transfer with which a deposit's confirmed transfers,
 * or all of them, reached it in chain order; null if they have not.
 */
export function paidAt(
  db: Db,
  { index, expected, tolerance }: Pick<Deposit, "index" | "expected" | "tolerance">,
  { confirmedOnly = true } = {},
): number | null {
  const sql = `SELECT made_at FROM (
      SELECT block_number, log_index, made_at, sum(amount) OVER (ORDER BY block_number, log_index) AS so_far
      FROM transfer WHERE deposit_index = +? AND confirmed >= ?)
    WHERE so_far >= ? ORDER BY block_number, log_index LIMIT 1`;
  return numberOf(db, sql, index, confirmedOnly ? 1 : 0, expected - tolerance);
}

/** When the newest confirmed transfer was made, in Unix milliseconds; null without one. */
export const lastMadeAt = (db: Db, depositIndex: number): number | null =>
  numberOf(db, "SELECT max(made_at) FROM transfer WHERE deposit_index = +? AND confirmed = 1", depositIndex);
