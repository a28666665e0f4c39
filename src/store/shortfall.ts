import type { Address } from "../domain/address.ts";
import * as Usdc from "../domain/usdc.ts";
import { type Db, numberOrNull } from "./database.ts";

/** Deposits that hold less than the books say. */
export type Shortfall = {
  index: number;
  address: Address;
  payoutWallet: Address;
  /** Its outgoing transfers up to this block come to `moved`. */
  tracedTo: number;
  moved: Usdc.Usdc;
  /** What they do not explain; zero as long as blocks are left to read. */
  missing: Usdc.Usdc;
  noticedAt: number;
};

type Row = {
  deposit_index: bigint;
  address: string;
  payout_wallet: string;
  traced_to: bigint;
  moved: bigint;
  missing: bigint;
  noticed_at: bigint;
};

const select = `SELECT deposit_index, address, payout_wallet, traced_to, moved, missing, noticed_at
  FROM shortfall JOIN deposit USING (deposit_index)`;

function fromRow(row: Row): Shortfall {
  return {
    index: Number(row.deposit_index),
    address: row.address as Address,
    payoutWallet: row.payout_wallet as Address,
    tracedTo: Number(row.traced_to),
    moved: Usdc.fromMicro(row.moved),
    missing: Usdc.fromMicro(row.missing),
    noticedAt: Number(row.noticed_at),
  };
}

/** Notes that a deposit holds too little, once. What moved it is looked for from its first payment on. */
export function note(db: Db, index: number, now: number): void {
  db.query(
    `INSERT INTO shortfall (deposit_index, traced_to, noticed_at, next_at)
     SELECT ?1, coalesce(min(block_number), 1) - 1, ?2, ?2 FROM transfer WHERE deposit_index = ?1 AND confirmed = 1
     ON CONFLICT DO NOTHING`,
  ).run(index, now);
}

export function byIndex(db: Db, index: number): Shortfall | null {
  const row = db.query<Row, [number]>(`${select} WHERE deposit_index = ?`).get(index);
  return row && fromRow(row);
}

/** The one whose turn it is, or whose turn is later than `latest`, as the clock was ahead; null when none is due. */
export function due(db: Db, now: number, latest: number): Shortfall | null {
  const row = db
    .query<Row, [number, number]>(`${select} WHERE next_at <= ? OR next_at > ? ORDER BY next_at LIMIT 1`)
    .get(now, latest);
  return row && fromRow(row);
}

/** When the next one is due, in Unix milliseconds; null without any. */
export function nextAt(db: Db): number | null {
  return numberOrNull(
    db.query<{ at: bigint | null }, []>("SELECT min(next_at) AS at FROM shortfall").get()?.at,
  );
}

export function save(
  db: Db,
  { index, tracedTo, moved, missing }: Pick<Shortfall, "index" | "tracedTo" | "moved" | "missing">,
  nextAt: number,
): void {
  db.query(
    `UPDATE shortfall SET traced_to = $tracedTo, moved = $moved, missing = $missing, next_at = $nextAt
     WHERE deposit_index = $index`,
  ).run({ index, tracedTo, moved, missing, nextAt });
}

/** The books and the chain agree again. */
export function remove(db: Db, index: number): void {
  db.query("DELETE FROM shortfall WHERE deposit_index = ?").run(index);
}

/** What nothing explains: how many deposits, how much in all, and the largest `limit` of them. */
export function listMissing(
  db: Db,
  limit: number,
): { count: number; total: Usdc.Usdc; deposits: { address: Address; missing: Usdc.Usdc }[] } {
  const rows = db
    .query<{ address: string; missing: bigint; count: bigint; total: bigint }, [number]>(
      `SELECT address, missing, count(*) OVER () AS count, sum(missing) OVER () AS total
       FROM shortfall JOIN deposit USING (deposit_index) WHERE missing > 0 ORDER BY missing DESC LIMIT ?`,
    )
    .all(limit);
  return {
    count: Number(rows[0]?.count ?? 0n),
    total: Usdc.fromMicro(rows[0]?.total ?? 0n),
    deposits: rows.map((row) => ({ address: row.address as Address, missing: Usdc.fromMicro(row.missing) })),
  };
}

export type ToCompare = { index: number; address: Address };

/** Deposits whose money is to be compared with the books now; those that money is being moved from wait. */
export function listToCompare(db: Db, now: number, latest: number, limit: number): ToCompare[] {
  return db
    .query<{ deposit_index: bigint; address: string }, [number, number, number]>(
      `SELECT deposit_index, address FROM deposit
       WHERE compare_at IS NOT NULL AND (compare_at <= ? OR compare_at > ?) ORDER BY compare_at LIMIT ?`,
    )
    .all(now, latest, limit)
    .map((row) => ({ index: Number(row.deposit_index), address: row.address as Address }));
}

/** When the next deposit is to be compared, in Unix milliseconds; null when none is. */
export function nextCompareAt(db: Db): number | null {
  const row = db
    .query<{ at: bigint | null }, []>(
      "SELECT min(compare_at) AS at FROM deposit WHERE compare_at IS NOT NULL",
    )
    .get();
  return numberOrNull(row?.at);
}

export function compareAgain(db: Db, index: number, at: number | null): void {
  db.query("UPDATE deposit SET compare_at = ? WHERE deposit_index = ?").run(at, index);
}

export type Books = {
  received: Usdc.Usdc;
  settled: Usdc.Usdc;
  changedAt: number;
  /** Whether a transaction is on its way that moves the money. */
  isMoving: boolean;
  /** The block of the latest confirmed transfer; 0 without any. */
  lastBlock: number;
};

/** What the books say of a deposit. Throws when there is none. */
export function books(db: Db, index: number): Books {
  const row = db
    .query<
      {
        received_amount: bigint;
        settled_amount: bigint;
        changed_at: bigint;
        is_moving: bigint;
        last_block: bigint;
      },
      [number]
    >(
      `SELECT received_amount, settled_amount, changed_at,
         EXISTS (SELECT 1 FROM settlement WHERE deposit_index = ?1 AND state = 'pending') AS is_moving,
         (SELECT coalesce(max(block_number), 0) FROM transfer WHERE deposit_index = ?1 AND confirmed = 1) AS last_block
       FROM deposit WHERE deposit_index = ?1`,
    )
    .get(index);
  if (!row) throw new Error(`There is no deposit ${index}`);
  return {
    received: Usdc.fromMicro(row.received_amount),
    settled: Usdc.fromMicro(row.settled_amount),
    changedAt: Number(row.changed_at),
    isMoving: row.is_moving === 1n,
    lastBlock: Number(row.last_block),
  };
}
