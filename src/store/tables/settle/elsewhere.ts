/** USDC that came to a deposit address on another chain. */

import { fromMicro, shows, type Usdc } from "../../../domain/usdc.ts";
import type { Hex } from "../../../lib/crypto.ts";
import { integer, orNull, selectAll, selectOne, columns as table, text, usdc } from "../../columns.ts";
import type { Db } from "../../database.ts";

export type Found = {
  id: number;
  depositIndex: number;
  chainId: number;
  amount: Usdc;
  /** Unix milliseconds, as all times here. */
  foundAt: number;
  seenAt: number;
  /** When an owner asked for it to be moved; null while nobody has, and once that did not move it. */
  wantedAt: number | null;
  transactionId: number | null;
  movedAt: number | null;
  /** The transaction that moved it. */
  txHash: Hex | null;
};

const columns = table("elsewhere", {
  id: integer(),
  depositIndex: integer(),
  chainId: integer(),
  amount: usdc(),
  foundAt: integer(),
  seenAt: integer(),
  wantedAt: orNull(integer()),
  transactionId: orNull(integer()),
  movedAt: orNull(integer()),
  txHash: orNull(text<Hex>()),
});

const occasionStart = "elsewhere.";

/** The occasion of the mail about it: one for each deposit and chain, however often it comes and goes. */
export const occasionOf = ({ chainId }: Pick<Found, "chainId">): string => `${occasionStart}${chainId}`;
export const isOccasion = (occasion: string): boolean => occasion.startsWith(occasionStart);

type Place = { index: number; chainId: number };

const isThere = "deposit_index = $index AND chain_id = $chainId AND moved_at IS NULL";

export const byId = (db: Db, id: number): Found | null => selectOne(db, columns, "WHERE id = ?", id);

/** What came for one deposit, moved or not, oldest first. */
export const listOf = (db: Db, index: number): Found[] =>
  selectAll(db, columns, "WHERE deposit_index = ? ORDER BY id", index);

/** What an owner wants moved, and what `till rescue` began to move and may have left behind, oldest first. */
export const listWanted = (db: Db): Found[] =>
  selectAll(
    db,
    columns,
    "WHERE moved_at IS NULL AND (wanted_at IS NOT NULL OR transaction_id IS NOT NULL) ORDER BY id",
  );

/** What is still there, oldest first. */
export const listThere = (db: Db, limit: number): Found[] =>
  selectAll(db, columns, "WHERE moved_at IS NULL ORDER BY id LIMIT ?", limit);

/** What waits for an owner. */
export function sumWaiting(db: Db): { count: number; amount: Usdc } {
  const row = db
    .query<{ count: bigint; amount: bigint }, []>(
      `SELECT count(*) AS count, coalesce(sum(amount), 0) AS amount FROM elsewhere
       WHERE moved_at IS NULL AND wanted_at IS NULL`,
    )
    .get();
  return { count: Number(row?.count ?? 0n), amount: fromMicro(row?.amount ?? 0n) };
}

/** Whether a transaction is to move it, which the desk or the command began. */
const isMoving = ({ transactionId }: Found): boolean => transactionId !== null;

/**
 * Stores what the addresses of these deposits hold on a chain now. What is gone is forgotten, unless Till is moving it.
 * Call it in a transaction. Returns what is new.
 */
export function note(
  db: Db,
  chainId: number,
  held: readonly { index: number; balance: Usdc }[],
  now: number,
): { index: number; balance: Usdc }[] {
  const indices = JSON.stringify(held.map(({ index }) => index));
  const known = new Map(
    selectAll(
      db,
      columns,
      `WHERE chain_id = ? AND moved_at IS NULL AND deposit_index IN (SELECT value FROM json_each(?))`,
      chainId,
      indices,
    ).map((found) => [found.depositIndex, found]),
  );
  const isNew = columns.omit("id", "wantedAt", "transactionId", "movedAt", "txHash");
  return held.filter(({ index, balance }) => {
    const before = known.get(index);
    if (before && balance > 0n) {
      // What is left once a transaction has moved it is not what was moved.
      const amount = isMoving(before) && before.amount > balance ? before.amount : balance;
      db.query("UPDATE elsewhere SET amount = ?, seen_at = ? WHERE id = ?").run(amount, now, before.id);
    } else if (before && before.wantedAt === null && !isMoving(before))
      db.query("DELETE FROM elsewhere WHERE id = ?").run(before.id);
    // Less than a cent is dust, which anybody can send to disturb.
    if (before || !shows(balance)) return false;
    const found = { depositIndex: index, chainId, amount: balance, foundAt: now, seenAt: now };
    db.query(isNew.insert()).run(isNew.values(found));
    return true;
  });
}

/** Has it moved, unless that is already so. Returns whether it was there to be moved. */
export const want = (db: Db, id: number, now: number): boolean =>
  db
    .query("UPDATE elsewhere SET wanted_at = coalesce(wanted_at, ?1) WHERE id = ?2 AND moved_at IS NULL")
    .run(now, id).changes > 0;

/** Notes the transaction that is to move it. */
export function setTransaction(db: Db, place: Place, transactionId: number): void {
  db.query(`UPDATE elsewhere SET transaction_id = $transactionId WHERE ${isThere}`).run({
    ...place,
    transactionId,
  });
}

/** Notes that it is in the payout wallet. */
export function setMoved(db: Db, place: Place, txHash: Hex, now: number): void {
  db.query(`UPDATE elsewhere SET moved_at = $now, tx_hash = $txHash WHERE ${isThere}`).run({
    ...place,
    txHash,
    now,
  });
}

/** Notes that nothing moves it any more although it is still there: an owner may ask again. */
export function setUnmoved(db: Db, place: Place): void {
  db.query(`UPDATE elsewhere SET wanted_at = NULL, transaction_id = NULL WHERE ${isThere}`).run(place);
}

/** Forgets what is not there any more, whoever moved it. */
export function remove(db: Db, id: number): void {
  db.query("DELETE FROM elsewhere WHERE id = ? AND moved_at IS NULL").run(id);
}
