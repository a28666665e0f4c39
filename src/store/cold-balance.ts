import * as Usdc from "../domain/usdc.ts";
import type { Db } from "./database.ts";
import * as DepositStore from "./deposit.ts";

/** The regular check of the balances of cold deposits. */
export type ColdCheck = {
  /** When the next one begins, in Unix milliseconds. */
  dueAt: number;
  /** What came up to this block is known. */
  block: number;
  /** The check under way; null when there is none. */
  underWay: { startedAt: number; startedBlock: number; nextDeposit: number } | null;
};

type CheckRow = {
  due_at: bigint;
  block_number: bigint;
  started_at: bigint | null;
  started_block: bigint | null;
  next_deposit: bigint;
};

export function check(db: Db): ColdCheck | null {
  const row = db
    .query<CheckRow, []>(
      "SELECT due_at, block_number, started_at, started_block, next_deposit FROM cold_check",
    )
    .get();
  if (!row) return null;
  return {
    dueAt: Number(row.due_at),
    block: Number(row.block_number),
    underWay:
      row.started_at === null || row.started_block === null
        ? null
        : {
            startedAt: Number(row.started_at),
            startedBlock: Number(row.started_block),
            nextDeposit: Number(row.next_deposit),
          },
  };
}

export function saveCheck(db: Db, { dueAt, block, underWay }: ColdCheck): void {
  db.query(
    `INSERT OR REPLACE INTO cold_check (id, due_at, block_number, started_at, started_block, next_deposit)
     VALUES (1, $dueAt, $block, $startedAt, $startedBlock, $nextDeposit)`,
  ).run({
    dueAt,
    block,
    startedAt: underWay?.startedAt ?? null,
    startedBlock: underWay?.startedBlock ?? null,
    nextDeposit: underWay?.nextDeposit ?? 0,
  });
}

export type ColdDeposit = DepositStore.WatchedDeposit & {
  /** What the last check saw; null when there was none. */
  balance: Usdc.Usdc | null;
  /** What should be there by the transfers and settlements that are known; below zero when more was settled. */
  booked: bigint;
};

/** At most `limit` deposits that have not changed since a time, from an index on. */
export function listUnchangedSince(db: Db, sinceMs: number, fromIndex: number, limit: number): ColdDeposit[] {
  return db
    .query<DepositStore.WatchedRow & { balance: bigint | null; booked: bigint }, [number, number, number]>(
      `SELECT deposit_index, address, balance, received_amount + pending_amount - settled_amount AS booked
       FROM deposit LEFT JOIN cold_balance USING (deposit_index)
       WHERE changed_at < ? AND deposit_index >= ? ORDER BY deposit_index LIMIT ?`,
    )
    .all(sinceMs, fromIndex, limit)
    .map((row) => ({
      ...DepositStore.watchedFromRow(row),
      balance: row.balance === null ? null : Usdc.fromMicro(row.balance),
      booked: row.booked,
    }));
}

/** What should be at a deposit's address by the transfers and settlements that are known, in micro-USDC. */
export function booked(db: Db, index: number): bigint {
  const row = db
    .query<{ booked: bigint }, [number]>(
      "SELECT received_amount + pending_amount - settled_amount AS booked FROM deposit WHERE deposit_index = ?",
    )
    .get(index);
  return row?.booked ?? 0n;
}

export function anyUnchangedSince(db: Db, sinceMs: number): boolean {
  return db.query("SELECT 1 FROM deposit WHERE changed_at < ? LIMIT 1").get(sinceMs) !== null;
}

export function save(db: Db, index: number, balance: Usdc.Usdc, now: number): void {
  db.query("INSERT OR REPLACE INTO cold_balance (deposit_index, balance, checked_at) VALUES (?, ?, ?)").run(
    index,
    balance,
    now,
  );
}

/** Forgets the balances that no check has seen since: those deposits are hot again, and theirs change. */
export function forgetBefore(db: Db, checkedAt: number): void {
  db.query("DELETE FROM cold_balance WHERE checked_at < ?").run(checkedAt);
}
