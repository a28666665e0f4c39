import type { BlockRef } from "../../../domain/payment/block.ts";
import { integer, type Row, columns as table, text } from "../../columns.ts";
import type { Db } from "../../database.ts";

/** The block of a checkpoint or of a transfer. */
export const { fromRow } = table("checkpoint", { number: integer("block_number"), hash: text("block_hash") });

/** The block up to which everything has been scanned; null before the first scan. */
export function latest(db: Db): BlockRef | null {
  const row = db
    .query<Row<BlockRef>, []>(
      "SELECT block_number, block_hash FROM checkpoint ORDER BY block_number DESC LIMIT 1",
    )
    .get();
  return row && fromRow(row);
}

/** Whether this block is a checkpoint, by its number and its hash. */
export function has(db: Db, { number, hash }: BlockRef): boolean {
  const sql = "SELECT 1 FROM checkpoint WHERE block_number = ? AND block_hash = ?";
  return db.query(sql).get(number, hash) !== null;
}

/**
 * The known blocks below a block, highest first, for finding the last common one after a reorg. They include the blocks
 * of recorded transfers, so that no more than necessary is undone.
 */
export function listBelow(db: Db, blockNumber: number): BlockRef[] {
  return db
    .query<Row<BlockRef>, [number]>(
      `SELECT block_number, block_hash FROM checkpoint WHERE block_number < ?1
       UNION SELECT block_number, block_hash FROM transfer
         WHERE block_number < ?1 AND block_number >= (SELECT min(block_number) FROM checkpoint)
       ORDER BY block_number DESC`,
    )
    .all(blockNumber)
    .map(fromRow);
}

/** Stores a checkpoint, replacing one of the same number. */
export function put(db: Db, block: BlockRef): void {
  db.query("INSERT OR REPLACE INTO checkpoint (block_number, block_hash) VALUES (?, ?)").run(
    block.number,
    block.hash,
  );
}

export function removeAbove(db: Db, blockNumber: number): void {
  db.query("DELETE FROM checkpoint WHERE block_number > ?").run(blockNumber);
}

/** Removes checkpoints below a block except the highest, so that a deep reorg still finds a common one. */
export function prune(db: Db, belowBlockNumber: number): void {
  db.query(
    `DELETE FROM checkpoint WHERE block_number <
       (SELECT max(block_number) FROM checkpoint WHERE block_number < ?)`,
  ).run(belowBlockNumber);
}
