import type { Address } from "../domain/address.ts";
import type { Deposit } from "../domain/deposit.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Hex } from "../lib/hex.ts";
import { type Db, numberOrNull } from "./database.ts";

export type DepositRow = {
  deposit_index: bigint;
  address: string;
  payout_wallet: string;
  salt: string;
  factory: string;
  expected_amount: bigint;
  tolerance_amount: bigint;
  received_amount: bigint;
  pending_amount: bigint;
};

/** The columns that `fromRow` reads, for a join under the name `deposit`. */
export const columns = `deposit.deposit_index, deposit.address, deposit.payout_wallet, deposit.salt,
  deposit.factory, deposit.expected_amount, deposit.tolerance_amount, deposit.received_amount, deposit.pending_amount`;

export function fromRow(row: DepositRow): Deposit {
  return {
    index: Number(row.deposit_index),
    address: row.address as Address,
    payoutWallet: row.payout_wallet as Address,
    salt: row.salt as Hex,
    factory: row.factory as Address,
    expected: Usdc.fromMicro(row.expected_amount),
    tolerance: Usdc.fromMicro(row.tolerance_amount),
    received: Usdc.fromMicro(row.received_amount),
    pending: Usdc.fromMicro(row.pending_amount),
  };
}

/** The index that the next deposit takes, above what a recovery has found. Read and used in one transaction. */
export function nextIndex(db: Db): number {
  const row = db
    .query<{ next: bigint }, []>(
      `SELECT max(coalesce((SELECT max(deposit_index) + 1 FROM deposit), 0), deposit_index) AS next FROM floor`,
    )
    .get();
  return Number(row?.next ?? 0n);
}

/** Stores a new deposit. The blocks that have been read by now were made before anybody could know its address. */
export function insert(db: Db, deposit: Deposit, now: number): void {
  db.query(
    `INSERT INTO deposit (deposit_index, address, payout_wallet, salt, factory, expected_amount, tolerance_amount,
       created_at, changed_at, created_block)
     VALUES ($index, $address, $payoutWallet, $salt, $factory, $expected, $tolerance, $now, $now,
       (SELECT coalesce(max(block_number), 0) FROM checkpoint))`,
  ).run({
    index: deposit.index,
    address: deposit.address,
    payoutWallet: deposit.payoutWallet,
    salt: deposit.salt,
    factory: deposit.factory,
    expected: deposit.expected,
    tolerance: deposit.tolerance,
    now,
  });
}

/** Whether there is any deposit at all. */
export function any(db: Db): boolean {
  return db.query("SELECT 1 FROM deposit LIMIT 1").get() !== null;
}

export function byAddress(db: Db, address: Address): Deposit | null {
  const row = db.query<DepositRow, [string]>(`SELECT ${columns} FROM deposit WHERE address = ?`).get(address);
  return row && fromRow(row);
}

/** The salt of a deposit's address. Throws when there is no such deposit. */
export function salt(db: Db, index: number): Deposit["salt"] {
  const row = db
    .query<{ salt: string }, [number]>("SELECT salt FROM deposit WHERE deposit_index = ?")
    .get(index);
  if (!row) throw new Error(`There is no deposit ${index}`);
  return row.salt as Deposit["salt"];
}

/** What a deposit is for: the invoice of this sequence, or the link with this slug. */
export type Owner = { sequence: number } | { slug: string };

/** Null when there is no such deposit, or nothing that it belongs to. */
export function ownerOf(db: Db, depositIndex: number): Owner | null {
  const row = db
    .query<{ sequence: bigint | null; slug: string | null }, [number]>(
      `SELECT invoice.sequence, link.slug FROM deposit LEFT JOIN invoice USING (deposit_index)
         LEFT JOIN link USING (deposit_index) WHERE deposit.deposit_index = ?`,
    )
    .get(depositIndex);
  if (!row) return null;
  if (row.sequence !== null) return { sequence: Number(row.sequence) };
  return row.slug === null ? null : { slug: row.slug };
}

/** What waits at deposit addresses, by payout wallet: in micro-USDC, without what was moved on already. */
export type UnsettledSum = { payoutWallet: Address; amount: Usdc.Usdc; deposits: number };

export function listUnsettled(db: Db): UnsettledSum[] {
  return db
    .query<{ payout_wallet: string; amount: bigint; deposits: bigint }, []>(
      `SELECT payout_wallet, sum(received_amount - settled_amount) AS amount, count(*) AS deposits FROM deposit
       WHERE received_amount > settled_amount GROUP BY payout_wallet ORDER BY payout_wallet`,
    )
    .all()
    .map((row) => ({
      payoutWallet: row.payout_wallet as Address,
      amount: Usdc.fromMicro(row.amount),
      deposits: Number(row.deposits),
    }));
}

export type WatchedDeposit = { index: number; address: Address };

export type WatchedRow = { deposit_index: bigint; address: string };

export function watchedFromRow(row: WatchedRow): WatchedDeposit {
  return { index: Number(row.deposit_index), address: row.address as Address };
}

/** Deposits that were made or changed at or after a time (Unix ms; 0 for all), in the order of their index. */
export function listChangedSince(db: Db, sinceMs: number): WatchedDeposit[] {
  return db
    .query<WatchedRow, [number]>(
      "SELECT deposit_index, address FROM deposit WHERE changed_at >= ? ORDER BY deposit_index",
    )
    .all(sinceMs)
    .map(watchedFromRow);
}

/** At most `limit` deposits of all that there are, from an index on. */
export function listFrom(db: Db, index: number, limit: number): WatchedDeposit[] {
  return db
    .query<WatchedRow, [number, number]>(
      "SELECT deposit_index, address FROM deposit WHERE deposit_index >= ? ORDER BY deposit_index LIMIT ?",
    )
    .all(index, limit)
    .map(watchedFromRow);
}

/** Makes a deposit one that is worth watching block by block. */
export function touch(db: Db, index: number, now: number): void {
  db.query("UPDATE deposit SET changed_at = ? WHERE deposit_index = ?").run(now, index);
}

/** When the oldest of the deposits that `listChangedSince` lists was made, in Unix ms; null when there is none. */
export function oldestChangedSince(db: Db, sinceMs: number): number | null {
  const row = db
    .query<{ oldest: bigint | null }, [number]>(
      "SELECT min(created_at) AS oldest FROM deposit WHERE changed_at >= ?",
    )
    .get(sinceMs);
  return numberOrNull(row?.oldest);
}

/**
 * The number of a block that was on the chain when the deposit was made: no payment of it can be in that block or
 * below. It comes from the chain, so no wrong clock can refuse a payment; 0 when no block had been read.
 */
export function createdBlock(db: Db, index: number): number {
  const row = db
    .query<{ created_block: bigint }, [number]>("SELECT created_block FROM deposit WHERE deposit_index = ?")
    .get(index);
  return Number(row?.created_block ?? 0n);
}

/** Blocks above this one were replaced: what was paid meanwhile may now be in any of the new ones. */
export function lowerCreatedBlocks(db: Db, undoAbove: number): void {
  db.query("UPDATE deposit SET created_block = ?1 WHERE created_block > ?1").run(undoAbove);
}

/** Soon after the totals changed the nodes have the money, wherever they stand. */
const compareAfterMs = 60_000;

/**
 * Sets a deposit's totals to the sums of its transfers; what nodes disagree about is in neither. Returns what was
 * received.
 */
export function recompute(db: Db, index: number, now: number): Usdc.Usdc {
  const sums = db
    .query<{ received: bigint; pending: bigint }, [number]>(
      `SELECT coalesce(sum(amount) FILTER (WHERE confirmed = 1), 0) AS received,
         coalesce(sum(amount) FILTER (WHERE confirmed = 0 AND opinion <> 'contradicted'), 0) AS pending
       FROM transfer WHERE deposit_index = ?`,
    )
    .get(index);
  const { received, pending } = sums ?? { received: 0n, pending: 0n };
  db.query(
    `UPDATE deposit SET received_amount = $received, pending_amount = $pending, changed_at = $now,
       compare_at = CASE WHEN received_amount = $received THEN compare_at ELSE $compareAt END
     WHERE deposit_index = $index AND (received_amount <> $received OR pending_amount <> $pending)`,
  ).run({ index, received, pending, now, compareAt: now + compareAfterMs });
  return Usdc.fromMicro(received);
}
