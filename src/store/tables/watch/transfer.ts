import type { BlockRef } from "../../../domain/payment/block.ts";
import type { Transfer } from "../../../domain/payment/transfer.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import {
  boolean,
  computed,
  integer,
  join,
  orNull,
  type Row,
  columns as table,
  text,
  usdc,
} from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
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

const removed = join(
  columns,
  table("transfer", {
    countedAt: computed("coalesce(confirmed_at, iif(confirmed = 1, seen_at, NULL))", orNull(integer())),
  }),
);

/** `countedAt`: when it counted, in this block or in one that left the chain before; null if it never did. */
export type RemovedTransfer = ReturnType<typeof removed.fromRow>;

/** The key of a transfer. */
export type Key = Pick<Transfer, "blockHash" | "logIndex">;

/** Which node reported a transfer, and whether another one must know it too before it counts. */
export type Witness = { node: string | null; needsOpinion: boolean };

/** Records a transfer as seen, or as confirmed. Returns false if it is already recorded; it stays unchanged then. */
export function insert(
  db: Db,
  transfer: Transfer,
  confirmed: boolean,
  times: Times,
  { node, needsOpinion }: Witness = { node: null, needsOpinion: false },
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

/** The condition of transfers that wait for confirmations only. */
const counts = "opinion NOT IN ('open', 'contradicted')";

/** Lists the blocks of transfers due to count, at or below a block, and of unconfirmed ones above it, newest first. */
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

/** Blocks of transfers above a block that were seen in this time range (ms), newest first, at most `limit`. */
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

/**
 * The block of the first transfer above a block that still has to count; null if there is none. Transfers that nodes
 * dispute are left out.
 */
export const firstWaiting = (db: Db, above = -1): number | null =>
  numberOf(
    db,
    `SELECT min(block_number) FROM transfer
       WHERE confirmed = 0 AND opinion <> 'contradicted' AND block_number > ?`,
    above,
  );

/** Transactions of transfers still unconfirmed although the chain went on for this long since, oldest first. */
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

/** The deposits paid in these blocks. */
export function listPaidIn(db: Db, blocks: readonly BlockRef[]): number[] {
  return db
    .query<{ deposit_index: bigint }, [string]>(
      "SELECT DISTINCT deposit_index FROM transfer WHERE block_hash IN (SELECT value FROM json_each(?))",
    )
    .all(hashesOf(blocks))
    .map((row) => Number(row.deposit_index));
}

const hashesOf = (blocks: readonly BlockRef[]) => JSON.stringify(blocks.map(({ hash }) => hash));

/** Removes the same transaction's transfers in other blocks, as it can be in only one. Returns the removed ones. */
export function removeElsewhere(
  db: Db,
  { txHash, depositIndex, blockHash }: Pick<Transfer, "txHash" | "depositIndex" | "blockHash">,
): RemovedTransfer[] {
  const elsewhere = db
    .query<Row<RemovedTransfer>, [number, string, string]>(
      `DELETE FROM transfer WHERE deposit_index = ? AND tx_hash = ? AND block_hash <> ?
       RETURNING ${removed.list}`,
    )
    .all(depositIndex, txHash, blockHash)
    .map(removed.fromRow);
  keepCounted(db, elsewhere);
  return elsewhere;
}

/** Removes and returns every transfer in these blocks. */
export function removeIn(db: Db, blocks: readonly BlockRef[]): RemovedTransfer[] {
  return db
    .query<Row<RemovedTransfer>, [string]>(
      `DELETE FROM transfer WHERE block_hash IN (SELECT value FROM json_each(?)) RETURNING ${removed.list}`,
    )
    .all(hashesOf(blocks))
    .map(removed.fromRow);
}

/**
 * Records when removed transfers had counted, on what came back in another block. It does not count again yet, but is
 * lost if it leaves that block, too.
 */
export function keepCounted(db: Db, gone: readonly RemovedTransfer[]): void {
  for (const { depositIndex, txHash, countedAt } of gone)
    if (countedAt !== null)
      db.query(
        "UPDATE transfer SET confirmed_at = ? WHERE deposit_index = ? AND tx_hash = ? AND confirmed = 0",
      ).run(countedAt, depositIndex, txHash);
}

/**
 * Removes and returns at most `limit` transfers in these blocks that never counted, except those of the transactions in
 * `back`; removes none unless there are more than `limit`.
 */
export function removeUncounted(
  db: Db,
  { blocks, back, limit }: { blocks: readonly BlockRef[]; back: readonly Transfer[]; limit: number },
): RecordedTransfer[] {
  const hashes = JSON.stringify([...new Set(back.map(({ txHash }) => txHash))]);
  const which = `SELECT block_hash, log_index FROM transfer WHERE confirmed = 0 AND confirmed_at IS NULL
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

export function countUnconfirmed(db: Db): number {
  return numberOf(db, "SELECT count(*) FROM transfer WHERE confirmed = 0") ?? 0;
}

/** Removes and returns one transfer; null if it is not recorded. */
export function remove(db: Db, { blockHash, logIndex }: Key): RemovedTransfer | null {
  const row = db
    .query<Row<RemovedTransfer>, [string, number]>(
      `DELETE FROM transfer WHERE block_hash = ? AND log_index = ? RETURNING ${removed.list}`,
    )
    .get(blockHash, logIndex);
  return row && removed.fromRow(row);
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
