/** Comparison of addresses' balances with the books: when it is due, and what the books do not explain. */

import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import {
  bigInteger,
  boolean,
  integer,
  join,
  orNull,
  type Row,
  columns as table,
  text,
  usdc,
} from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import * as WatchedStore from "./watched.ts";

/**
 * At most `limit` due deposits, longest due first; includes those scheduled after `latest`, when the clock was ahead.
 */
export function listDue(db: Db, now: number, latest: number, limit: number): WatchedStore.WatchedDeposit[] {
  return db
    .query<WatchedStore.WatchedRow, [number, number, number]>(
      `SELECT deposit_index, address, compare_at FROM receivable WHERE compare_at <= ?
       UNION ALL SELECT deposit_index, address, compare_at FROM receivable WHERE compare_at > ?
       ORDER BY compare_at LIMIT ?`,
    )
    .all(now, latest, limit)
    .map(WatchedStore.watchedFromRow);
}

/** When the next deposit is due, in Unix milliseconds; null without any. */
export function nextAt(db: Db): number | null {
  return numberOf(db, "SELECT min(compare_at) FROM receivable");
}

export function compareAt(db: Db, index: number, at: number): void {
  db.query("UPDATE receivable SET compare_at = ? WHERE deposit_index = ?").run(Math.ceil(at), index);
}

/** Makes these deposits due if their balance is unexplained, as it may be explained now. */
export function compareUnexplained(
  db: Db,
  { first, last }: { first: number; last: number },
  now: number,
): void {
  db.query(
    `UPDATE receivable SET compare_at = $now
     WHERE deposit_index IN (SELECT deposit_index FROM unexplained WHERE deposit_index BETWEEN $first AND $last)`,
  ).run({ first, last, now });
}

/** Makes deposits settled above a block due after a reorganisation, as their money may be back. */
export function compareSettledAbove(db: Db, block: number, now: number): void {
  db.query(
    `UPDATE receivable SET compare_at = ?2
     WHERE deposit_index IN (SELECT deposit_index FROM settlement WHERE block_number > ?1)`,
  ).run(block, now);
}

const compared = join(
  table("receivable", {
    payoutWallet: text<Address>(),
    received: usdc("received_amount"),
    settled: usdc("settled_amount"),
    createdAt: integer(),
    changedAt: integer(),
    /** When its balance is next compared with the books. */
    compareAt: integer(),
    /** The books explain its balance up to this block; 0 when no block had been read at its creation. */
    explainedBlock: integer(),
  }),
  table("told", { told: usdc(), isMoving: boolean(), lastBlock: integer() }),
);
type ComparedBooks = ReturnType<typeof compared.fromRow>;

/** The books of a deposit. Throws if it does not exist. */
export function books(db: Db, index: number): ComparedBooks {
  const row = db
    .query<Row<ComparedBooks>, [number]>(
      `SELECT ${compared.list} FROM receivable,
         (SELECT coalesce(sum(amount), 0) AS told,
            EXISTS (SELECT 1 FROM settlement WHERE deposit_index = ?1 AND state = 'pending') AS is_moving,
            max(coalesce(max(block_number) FILTER (WHERE confirmed = 1), 0),
              (SELECT coalesce(max(block_number), 0) FROM settlement WHERE deposit_index = ?1)) AS last_block
          FROM transfer WHERE deposit_index = ?1) AS told
       WHERE deposit_index = ?1`,
    )
    .get(index);
  if (!row) throw new Error(`There is no deposit ${index}`);
  return compared.fromRow(row);
}

/** The expected balances right after a block according to the books, by deposit; empty addresses are left out. */
export function expectedAt(
  db: Db,
  { first, last }: { first: number; last: number },
  block: number = Number.MAX_SAFE_INTEGER,
): Map<number, bigint> {
  const rows = db
    .query<{ deposit_index: bigint; amount: bigint }, Record<string, number>>(
      `SELECT deposit_index, sum(amount) AS amount FROM (
         SELECT deposit_index, amount FROM transfer
           WHERE deposit_index BETWEEN $first AND $last AND block_number <= $block
         UNION ALL SELECT deposit_index, -amount FROM settlement
           WHERE deposit_index BETWEEN $first AND $last AND block_number <= $block)
       GROUP BY deposit_index HAVING sum(amount) <> 0`,
    )
    .all({ first, last, block });
  return new Map(rows.map(({ deposit_index, amount }) => [Number(deposit_index), amount]));
}

/** Deposits among these whose address is known to have code. */
export function listWithCode(db: Db, { first, last }: { first: number; last: number }): number[] {
  return db
    .query<{ deposit_index: bigint }, [number, number]>(
      "SELECT deposit_index FROM receivable WHERE has_code = 1 AND deposit_index BETWEEN ? AND ?",
    )
    .all(first, last)
    .map((row) => Number(row.deposit_index));
}

export function setCode(db: Db, index: number): void {
  db.query("UPDATE receivable SET has_code = 1 WHERE deposit_index = ?").run(index);
}

/** Why a balance differs from the books. */
export type Cause = "left" | "untold" | "missing";

const difference = table("unexplained", {
  /** In micro-USDC: positive when there is more than in the books, negative when less. */
  amount: bigInteger(),
  /** Null until known. */
  cause: orNull(text<Cause>()),
  /** Outgoing transfers up to this block are in the books. */
  tracedTo: integer(),
  noticedAt: integer(),
});
type UnexplainedBalance = ReturnType<typeof difference.fromRow>;

export function unexplained(db: Db, index: number): UnexplainedBalance | null {
  const sql = `SELECT ${difference.list} FROM unexplained WHERE deposit_index = ?`;
  const row = db.query<Row<UnexplainedBalance>, [number]>(sql).get(index);
  return row && difference.fromRow(row);
}

/** Returns whether the books explain its balance as compared since they changed or it was watched again. */
export function isExplained(db: Db, index: number): boolean {
  const { changedAt, compareAt } = books(db, index);
  return compareAt > changedAt && unexplained(db, index) === null;
}

const firstPaid = `(SELECT min(block_number) FROM transfer
  WHERE transfer.deposit_index = receivable.deposit_index AND confirmed = 1)`;

const isSame = "(amount > 0) = ($amount > 0)";

/**
 * Records a difference that the books do not explain. Tracing starts where they last explained the balance, but not
 * before the first payment. When the difference changes sign it has another cause and counts as newly noticed.
 */
export function note(db: Db, index: number, amount: bigint, now: number): void {
  db.query(
    `INSERT INTO unexplained (deposit_index, amount, traced_to, noticed_at)
     SELECT $index, $amount, max(explained_block, coalesce(${firstPaid}, 1) - 1), $now FROM receivable
       WHERE deposit_index = $index
     ON CONFLICT DO UPDATE SET amount = $amount,
       cause = iif(${isSame}, cause, NULL),
       traced_to = iif(${isSame}, traced_to, excluded.traced_to),
       noticed_at = iif(${isSame}, noticed_at, excluded.noticed_at)`,
  ).run({ index, amount, now });
}

export function setCause(db: Db, index: number, cause: Cause): void {
  db.query("UPDATE unexplained SET cause = ? WHERE deposit_index = ?").run(cause, index);
}

export function setTracedTo(db: Db, index: number, block: number): void {
  db.query("UPDATE unexplained SET traced_to = ? WHERE deposit_index = ?").run(block, index);
}

/**
 * Starts tracing again at the deposit's first payment, unless it started there: payments in blocks from before the last
 * comparison may have been found since. Returns whether it starts again.
 */
export function traceAgain(db: Db, index: number): boolean {
  const from = numberOf(
    db,
    `UPDATE receivable SET explained_block = ${firstPaid} - 1
     WHERE deposit_index = ? AND explained_block >= ${firstPaid} RETURNING explained_block`,
    index,
  );
  if (from !== null) setTracedTo(db, index, from);
  return from !== null;
}

/** Records that the books explain the deposit's balance right after a block. */
export function markExplained(db: Db, index: number, block: number): void {
  db.query("DELETE FROM unexplained WHERE deposit_index = ?").run(index);
  db.query("UPDATE receivable SET explained_block = ? WHERE deposit_index = ?").run(block, index);
}

/** Records that the books no longer explain the balance from a block on, as records of it were removed. */
export function unexplain(db: Db, index: number, block: number, now: number): void {
  db.query(
    `UPDATE receivable SET explained_block = min(explained_block, $block - 1), compare_at = min(compare_at, $now)
     WHERE deposit_index = $index`,
  ).run({ index, block, now });
}

/** For one cause: how many deposits, the total, and the largest `limit` of them. */
export function listUnexplained(
  db: Db,
  cause: Cause,
  limit: number,
): { count: number; total: Usdc.Usdc; deposits: { address: Address; amount: Usdc.Usdc }[] } {
  const rows = db
    .query<{ address: string; amount: bigint; count: bigint; total: bigint }, [string, number]>(
      `SELECT address, abs(amount) AS amount, count(*) OVER () AS count, sum(abs(amount)) OVER () AS total
       FROM unexplained JOIN receivable USING (deposit_index) WHERE cause = ? ORDER BY abs(amount) DESC LIMIT ?`,
    )
    .all(cause, limit);
  return {
    count: Number(rows[0]?.count ?? 0n),
    total: Usdc.fromMicro(rows[0]?.total ?? 0n),
    deposits: rows.map((row) => ({ address: row.address as Address, amount: Usdc.fromMicro(row.amount) })),
  };
}
