import type { BlockRef } from "../../../domain/payment/block.ts";
import type { Deposit } from "../../../domain/payment/deposit.ts";
import type { Transfer } from "../../../domain/payment/transfer.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { boolean, integer, type Row, columns as table, text, usdc } from "../../columns.ts";
import { type Db, numberOf, textOf } from "../../database.ts";
import * as CheckpointStore from "./checkpoint.ts";

export const columns = table("transfer", {
  blockHash: text(),
  logIndex: integer(),
  blockNumber: integer(),
  txHash: text(),
  depositIndex: integer(),
  payer: text<Address>(),
  amount: usdc(),
  confirmed: boolean(),
  seenAt: integer(),
  madeAt: integer(),
});

const own = columns.omit("confirmed", "seenAt", "madeAt");

/** Unix milliseconds. `madeAt` is its block's time as far as known, and never later than `seenAt`. */
type Times = { seenAt: number; madeAt: number };

export type RecordedTransfer = Transfer & Times & { confirmed: boolean };

/** What identifies a transfer. */
export type Key = Pick<Transfer, "blockHash" | "logIndex">;

/** Which node reported a transfer, and whether another one must know it too before it counts. */
export type Teller = { node: string | null; needsOpinion: boolean };

/** Records a transfer as seen, or as confirmed. Returns false when it is known; it stays unchanged then. */
export function insert(
  db: Db,
  transfer: Transfer,
  confirmed: boolean,
  times: Times,
  { node, needsOpinion }: Teller = { node: null, needsOpinion: false },
): boolean {
  return (
    db.query(insertOnce).run({
      ...columns.values({ ...transfer, confirmed, ...times }),
      confirmedAt: confirmed ? times.seenAt : null,
      node,
      opinion: needsOpinion ? "open" : "none",
      askAt: needsOpinion ? times.seenAt : null,
    }).changes > 0
  );
}

const others = { confirmed_at: "$confirmedAt", told_by: "$node", opinion: "$opinion", ask_at: "$askAt" };
const insertOnce = `${columns.insert(others)} ON CONFLICT DO NOTHING`;

export function isRecorded(db: Db, { blockHash, logIndex }: Key): boolean {
  const sql = "SELECT 1 FROM transfer WHERE block_hash = ? AND log_index = ?";
  return db.query(sql).get(blockHash, logIndex) !== null;
}

/** Waits for confirmations only. */
const counts = "opinion NOT IN ('open', 'contradicted')";

/** The blocks of transfers that are to count, at or below a block, and of others that do not count yet, the newest first. */
export function listWaiting(db: Db, confirmedUpTo: number, othersMax: number): BlockRef[] {
  return db
    .query<Row<BlockRef>, [number, number, number]>(
      `SELECT block_number, block_hash FROM transfer WHERE confirmed = 0 AND block_number <= ?1 AND ${counts}
       UNION SELECT * FROM (SELECT DISTINCT block_number, block_hash FROM transfer
         WHERE confirmed = 0 AND block_number > ?2 ORDER BY block_number DESC LIMIT ?3)`,
    )
    .all(confirmedUpTo, confirmedUpTo, othersMax)
    .map(CheckpointStore.fromRow);
}

/** The blocks of transfers above a block that were seen in these ms, the newest first, at most `limit`. */
export function listBlocksAbove(
  db: Db,
  blockNumber: number,
  limit: number,
  seen = { from: 0, to: Number.MAX_SAFE_INTEGER },
): BlockRef[] {
  return db
    .query<Row<BlockRef>, [number, number, number, number]>(
      `SELECT DISTINCT block_number, block_hash FROM transfer WHERE block_number > ? AND seen_at BETWEEN ? AND ?
       ORDER BY block_number DESC LIMIT ?`,
    )
    .all(blockNumber, seen.from, seen.to, limit)
    .map(CheckpointStore.fromRow);
}

/** The blocks of a deposit's newest transfers, at most `limit`. */
export function listBlocksOf(db: Db, depositIndex: number, limit: number): BlockRef[] {
  return db
    .query<Row<BlockRef>, [number, number]>(
      `SELECT DISTINCT block_number, block_hash FROM transfer WHERE deposit_index = +?
       ORDER BY block_number DESC LIMIT ?`,
    )
    .all(depositIndex, limit)
    .map(CheckpointStore.fromRow);
}

/** Of the first transfer above a block that is yet to count, its block; null without any. One that nodes dispute does not. */
export const firstWaiting = (db: Db, above = -1): number | null =>
  numberOf(
    db,
    `SELECT min(block_number) FROM transfer
       WHERE confirmed = 0 AND opinion <> 'contradicted' AND block_number > ?`,
    above,
  );

/** The transactions of transfers that still wait for their block though the chain went on for so long since, oldest first. */
export function listStuck(db: Db, forMs: number): string[] {
  return db
    .query<{ tx_hash: string }, [number]>(
      `SELECT DISTINCT tx_hash FROM transfer, checkpoint WHERE confirmed = 0 AND ${counts}
         AND (checkpoint.block_number - transfer.block_number) * checkpoint.block_us > ? * 1000
       ORDER BY transfer.block_number`,
    )
    .all(forMs)
    .map((row) => row.tx_hash);
}

/** The deposits that these blocks paid. */
export function listPaidIn(db: Db, blocks: readonly BlockRef[]): number[] {
  return db
    .query<{ deposit_index: bigint }, [string]>(
      "SELECT DISTINCT deposit_index FROM transfer WHERE block_hash IN (SELECT value FROM json_each(?))",
    )
    .all(hashesOf(blocks))
    .map((row) => Number(row.deposit_index));
}

const hashesOf = (blocks: readonly BlockRef[]) => JSON.stringify(blocks.map(({ hash }) => hash));

/** Removes the same transaction's transfers in other blocks: it can be in one only. Returns what was removed. */
export function removeElsewhere(
  db: Db,
  { txHash, depositIndex, blockHash }: Pick<Transfer, "txHash" | "depositIndex" | "blockHash">,
): RecordedTransfer[] {
  return db
    .query<Row<RecordedTransfer>, [number, string, string]>(
      `DELETE FROM transfer WHERE deposit_index = ? AND tx_hash = ? AND block_hash <> ?
       RETURNING ${columns.list}`,
    )
    .all(depositIndex, txHash, blockHash)
    .map(columns.fromRow);
}

/** Removes and returns every transfer in these blocks. */
export function removeIn(db: Db, blocks: readonly BlockRef[]): RecordedTransfer[] {
  return db
    .query<Row<RecordedTransfer>, [string]>(
      `DELETE FROM transfer WHERE block_hash IN (SELECT value FROM json_each(?)) RETURNING ${columns.list}`,
    )
    .all(hashesOf(blocks))
    .map(columns.fromRow);
}

/**
 * Removes and returns at most `limit` transfers in these blocks that do not count, of other transactions than `back`;
 * none when there are no more than that.
 */
export function removeUncounted(
  db: Db,
  { blocks, back, limit }: { blocks: readonly BlockRef[]; back: readonly Transfer[]; limit: number },
): RecordedTransfer[] {
  const hashes = JSON.stringify([...new Set(back.map(({ txHash }) => txHash))]);
  const which = `SELECT block_hash, log_index FROM transfer WHERE confirmed = 0
    AND block_hash IN (SELECT value FROM json_each(?)) AND tx_hash NOT IN (SELECT value FROM json_each(?))`;
  if (db.query(`${which} LIMIT 1 OFFSET ?`).get(hashesOf(blocks), hashes, limit) === null) return [];
  return db
    .query<Row<RecordedTransfer>, [string, string, number]>(
      `DELETE FROM transfer WHERE (block_hash, log_index) IN (${which} LIMIT ?) RETURNING ${columns.list}`,
    )
    .all(hashesOf(blocks), hashes, limit)
    .map(columns.fromRow);
}

/** Confirms transfers at or below a block, but not in these blocks. Returns the newly confirmed ones. */
export function confirmUpTo(
  db: Db,
  blockNumber: number,
  now: number,
  unknown: readonly BlockRef[] = [],
): Transfer[] {
  return db
    .query<Row<Transfer>, [number, number, string]>(
      `UPDATE transfer SET confirmed = 1, confirmed_at = ?
       WHERE confirmed = 0 AND block_number <= ? AND ${counts}
         AND block_hash NOT IN (SELECT value FROM json_each(?)) RETURNING ${own.list}`,
    )
    .all(now, blockNumber, hashesOf(unknown))
    .map(own.fromRow);
}

/** Whether any transfer waits for confirmations. One that nodes dispute does not: new blocks do not help it. */
export function anyUnconfirmed(db: Db): boolean {
  const sql = "SELECT 1 FROM transfer WHERE confirmed = 0 AND opinion <> 'contradicted' LIMIT 1";
  return db.query(sql).get() !== null;
}

export function countUnconfirmed(db: Db): number {
  return numberOf(db, "SELECT count(*) FROM transfer WHERE confirmed = 0") ?? 0;
}

/** The most transfers of a deposit that are listed: anybody can send very many small ones. */
const listedMax = 1_000;

/** A deposit's largest transfers, the oldest first. */
export function listByDeposit(db: Db, depositIndex: number): RecordedTransfer[] {
  const { transfers } = listLargest(db, depositIndex, { limit: listedMax });
  return transfers.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}

/** Whether any transfer that shows as something is recorded, confirmed or not. */
export function existsFor(db: Db, depositIndex: number): boolean {
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
 * When an amount was paid, in Unix milliseconds: the time of the transfer with which a deposit's confirmed ones, or all, in
 * chain order, reached it; null when they do not.
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

/** Removes and returns one transfer; null when it is not recorded. */
export function remove(db: Db, { blockHash, logIndex }: Key): RecordedTransfer | null {
  const row = db
    .query<Row<RecordedTransfer>, [string, number]>(
      `DELETE FROM transfer WHERE block_hash = ? AND log_index = ? RETURNING ${columns.list}`,
    )
    .get(blockHash, logIndex);
  return row && columns.fromRow(row);
}

/** The transfers in blocks `from` to `to`, both included. */
export function listBetween(db: Db, from: number, to: number): Transfer[] {
  return db
    .query<Row<Transfer>, [number, number]>(
      `SELECT ${own.list} FROM transfer WHERE block_number BETWEEN ? AND ? ORDER BY block_number, log_index`,
    )
    .all(from, to)
    .map(own.fromRow);
}

/** Notes a confirmed transfer that has left the chain, until it is confirmed again. */
export function insertLost(db: Db, lost: { txHash: string; depositIndex: number }, now: number): void {
  db.query(
    `INSERT INTO lost_transfer (tx_hash, deposit_index, lost_at) VALUES ($txHash, $depositIndex, $now)
     ON CONFLICT DO NOTHING`,
  ).run({ txHash: lost.txHash, depositIndex: lost.depositIndex, now });
}

/** The transaction was confirmed in another block. */
export function removeLost(db: Db, { txHash, depositIndex }: { txHash: string; depositIndex: number }): void {
  db.query("DELETE FROM lost_transfer WHERE deposit_index = ? AND tx_hash = ?").run(depositIndex, txHash);
}

/** Whether a deposit has one, lost since then. */
export function anyLost(db: Db, depositIndex: number, sinceMs = 0): boolean {
  const sql = "SELECT 1 FROM lost_transfer WHERE deposit_index = ? AND lost_at >= ? LIMIT 1";
  return db.query(sql).get(depositIndex, sinceMs) !== null;
}

/** The hashes of transactions lost since `sinceMs` that nothing has made up for, latest first, at most `limit`. */
export function listUncoveredLost(db: Db, sinceMs: number, limit: number): string[] {
  return db
    .query<{ tx_hash: string }, [number, number]>(
      `SELECT tx_hash FROM lost_transfer JOIN receivable USING (deposit_index)
       WHERE lost_at >= ? AND received_amount < due_amount - due_tolerance
       ORDER BY lost_at DESC LIMIT ?`,
    )
    .all(sinceMs, limit)
    .map((row) => row.tx_hash);
}
