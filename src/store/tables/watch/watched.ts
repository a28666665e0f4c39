import type { Address } from "../../../domain/wallet/address.ts";
import { boolean, columns, integer, type Row, text } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";

/** The deposits whose addresses are watched on the chain. */

export type WatchedDeposit = { index: number; address: Address };

const watched = columns("receivable", { index: integer("deposit_index"), address: text<Address>() });

export type WatchedRow = Row<WatchedDeposit>;

export const watchedFromRow = (row: WatchedRow): WatchedDeposit => watched.fromRow(row);

/** Reading this many takes about a millisecond. */
const pageSize = 500;

/** Deposits changed since a time (Unix ms; 0 for all), by index; other work runs between pages. */
export function* changedSince(db: Db, sinceMs: number): Generator<WatchedDeposit[]> {
  const row = db
    .query<{ indices: string }, [number]>(
      "SELECT json_group_array(deposit_index) AS indices FROM receivable WHERE changed_at >= ?",
    )
    .get(sinceMs);
  const indices = Float64Array.from(JSON.parse(row?.indices ?? "[]") as number[]).sort();
  for (let at = 0; at < indices.length; at += pageSize)
    yield list(db, [...indices.subarray(at, at + pageSize)]);
}

const asked = columns("receivable", {
  index: integer("deposit_index"),
  address: text<Address>(),
  isAsked: boolean(),
});

/**
 * The same, with those that were closed since, that are still open, and where money came on another chain. Each page is
 * read as it is wanted, and some are empty: a list of all that is open would hold everybody up.
 */
export function* openOrChangedSince(db: Db, sinceMs: number): Generator<WatchedDeposit[]> {
  const page = db.query<Row<ReturnType<typeof asked.fromRow>>, [number, number]>(
    `SELECT ${asked.list} FROM (
       SELECT deposit_index, address,
         max(changed_at, coalesce(voided_at, 0), coalesce(marked_paid_at, 0)) >= ?1
         OR EXISTS (SELECT 1 FROM invoice
           WHERE invoice.deposit_index = receivable.deposit_index AND status IN ('draft', 'sent', 'partial'))
         OR EXISTS (SELECT 1 FROM link
           WHERE link.deposit_index = receivable.deposit_index AND status IN ('pending', 'partial', 'error')
             AND (expires_at IS NULL OR expires_at >= ?1))
         OR EXISTS (SELECT 1 FROM elsewhere
           WHERE elsewhere.deposit_index = receivable.deposit_index AND moved_at IS NULL) AS is_asked
       FROM receivable WHERE deposit_index > ?2 ORDER BY deposit_index LIMIT ${pageSize}) AS receivable`,
  );
  let rows = page.all(sinceMs, -1).map(asked.fromRow);
  for (let last = rows.at(-1); last; last = rows.at(-1)) {
    yield rows.filter(({ isAsked }) => isAsked).map(({ index, address }) => ({ index, address }));
    rows = page.all(sinceMs, last.index).map(asked.fromRow);
  }
}

/** Returns those of these deposits that exist, in index order. */
export function list(db: Db, indices: readonly number[]): WatchedDeposit[] {
  return db
    .query<WatchedRow, [string]>(
      `SELECT deposit_index, address FROM receivable WHERE deposit_index IN (SELECT value FROM json_each(?))
       ORDER BY deposit_index`,
    )
    .all(JSON.stringify(indices))
    .map(watchedFromRow);
}

/** The deposits with indices from `first` to `last`, both included. */
export function listBetween(db: Db, { first, last }: { first: number; last: number }): WatchedDeposit[] {
  return db
    .query<WatchedRow, [number, number]>(
      "SELECT deposit_index, address FROM receivable WHERE deposit_index BETWEEN ? AND ? ORDER BY deposit_index",
    )
    .all(first, last)
    .map(watchedFromRow);
}

/** Returns those of these deposits that were neither created nor changed since a time (Unix ms). */
export function listUnchanged(db: Db, indices: readonly number[], sinceMs: number): number[] {
  return db
    .query<{ deposit_index: bigint }, [string, number]>(
      `SELECT deposit_index FROM receivable
       WHERE deposit_index IN (SELECT value FROM json_each(?)) AND changed_at < ?`,
    )
    .all(JSON.stringify(indices), sinceMs)
    .map((row) => Number(row.deposit_index));
}

/** Marks deposits as changed, so that they are watched block by block, and compared at once. Returns them. */
export function touch(db: Db, indices: readonly number[], now: number): WatchedDeposit[] {
  return db
    .query<WatchedRow, [number, string]>(
      `UPDATE receivable SET changed_at = ?1, compare_at = ?1 WHERE deposit_index IN (SELECT value FROM json_each(?2))
       RETURNING deposit_index, address`,
    )
    .all(now, JSON.stringify(indices))
    .map(watchedFromRow);
}

/** When the oldest deposit of `changedSince` was created, in Unix ms; null when there is none. */
export function oldestChangedSince(db: Db, sinceMs: number): number | null {
  return numberOf(db, "SELECT min(created_at) FROM receivable WHERE changed_at >= ?", sinceMs);
}

/**
 * A block that was settled when the deposit was created: no payment to it can be in that block or below. A block number
 * instead of a time, so that no wrong clock can refuse a payment; 0 when no block had been read.
 */
export function createdBlock(db: Db, index: number): number {
  const row = db
    .query<{ created_block: bigint }, [number]>(
      "SELECT created_block FROM receivable WHERE deposit_index = ?",
    )
    .get(index);
  return Number(row?.created_block ?? 0n);
}

/**
 * Blocks above this one were replaced, so a payment made meanwhile may now be in any of the new ones. Later deposits
 * never have a lower block, so only the latest need a look.
 */
export function lowerCreatedBlocks(db: Db, undoAbove: number): void {
  db.query(
    `UPDATE receivable SET created_block = ?1 WHERE deposit_index > coalesce(
       (SELECT deposit_index FROM receivable WHERE created_block <= ?1 ORDER BY deposit_index DESC LIMIT 1), -1)`,
  ).run(undoAbove);
}
