import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { columns, integer, orNull, type SqlValue, selectAll, selectOne, text, usdc } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";

/** What an owner asked for at the desk: another address to withdraw to, or another daily limit. Times in Unix ms. */
export type WalletChange = {
  id: string;
  kind: "address" | "limit";
  /** Of an address, and what people call it. */
  address: Address | null;
  name: string | null;
  /** The limit; null for none. */
  amount: Usdc.Usdc | null;
  createdAt: number;
  createdBy: string;
  /** From when on it holds; 0 for what holds at once. */
  readyAt: number;
  stoppedAt: number | null;
  stoppedBy: string | null;
  /** The sealed secret of the link that stops it. */
  token: string;
};

const change = columns("wallet_change", {
  id: text(),
  kind: text<WalletChange["kind"]>(),
  address: orNull(text<Address>()),
  name: orNull(text()),
  amount: orNull(usdc()),
  createdAt: integer(),
  createdBy: text(),
  readyAt: integer(),
  stoppedAt: orNull(integer()),
  stoppedBy: orNull(text()),
  token: text(),
});

export type NewChange = Omit<WalletChange, "stoppedAt" | "stoppedBy">;

export function insert(db: Db, made: NewChange & { tokenHash: string }): void {
  const isNew = change.omit("stoppedAt", "stoppedBy");
  const values: Record<string, SqlValue> = { ...isNew.values(made), tokenHash: made.tokenHash };
  db.query(isNew.insert({ token_hash: "$tokenHash" })).run(values);
}

export const byId = (db: Db, id: string): WalletChange | null => selectOne(db, change, "WHERE id = ?", id);

export const byToken = (db: Db, tokenHash: string): WalletChange | null =>
  selectOne(db, change, "WHERE token_hash = ?", tokenHash);

/** Those of a kind, newest first. */
export const list = (db: Db, kind: WalletChange["kind"], limit: number): WalletChange[] =>
  selectAll(db, change, "WHERE kind = ? ORDER BY rowid DESC LIMIT ?", kind, limit);

/** What waits, the oldest first. */
export const listWaiting = (db: Db, at: number): WalletChange[] =>
  selectAll(db, change, "WHERE stopped_at IS NULL AND ready_at > ? ORDER BY ready_at", at);

/** The change that allows an address, or will; null when none does. */
export const ofAddress = (db: Db, address: string): WalletChange | null =>
  selectOne(db, change, "WHERE address = ? AND stopped_at IS NULL ORDER BY ready_at", address);

/**
 * Stops what waits, or takes an address back. Nothing else: whatever limit held before a lower one is higher. Returns
 * whether it changed anything.
 */
export function stop(db: Db, id: string, by: string, now: number): boolean {
  const sql =
    "UPDATE wallet_change SET stopped_at = ?, stopped_by = ? WHERE id = ? AND stopped_at IS NULL AND ready_at > 0";
  return db.query(sql).run(now, by, id).changes > 0;
}

/** What still waits, waits until then at least. */
export const putOff = (db: Db, now: number, until: number): void =>
  void db
    .query(
      "UPDATE wallet_change SET ready_at = max(ready_at, $until) WHERE stopped_at IS NULL AND ready_at > $now",
    )
    .run({ now, until });

/** Stops the higher limits that wait. */
export function stopWaitingLimits(db: Db, by: string, now: number, at: number): void {
  db.query(
    `UPDATE wallet_change SET stopped_at = ?, stopped_by = ?
     WHERE kind = 'limit' AND stopped_at IS NULL AND ready_at > ?`,
  ).run(now, by, at);
}

/** After a restore: nobody knows whether what waited when the backup was made was stopped since. Its mails are not sent. */
export function stopRestored(db: Db, madeAt: number, now: number): void {
  db.run("UPDATE owner_mail SET next_attempt_at = NULL");
  db.query(
    "UPDATE wallet_change SET stopped_at = ?, stopped_by = 'till restore' WHERE stopped_at IS NULL AND ready_at > ?",
  ).run(now, madeAt);
}

/** The daily limit in force; null for none. */
export function limitAt(db: Db, at: number): Usdc.Usdc | null {
  const sql = `WHERE kind = 'limit' AND stopped_at IS NULL AND ready_at <= ? ORDER BY rowid DESC LIMIT 1`;
  return selectOne(db, change, sql, at)?.amount ?? null;
}

/** What left Till's wallets since a time, or may still; not what certainly did not. */
export function sumSince(db: Db, chainId: number, since: number): Usdc.Usdc {
  const sql = `SELECT sum(amount) FROM withdrawal INDEXED BY withdrawal_by_age
    WHERE created_at > ? AND chain_id = ? AND failure IS NOT 'expired'`;
  return Usdc.fromMicro(BigInt(numberOf(db, sql, since, chainId) ?? 0));
}
