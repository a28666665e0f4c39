import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { columns, integer, orNull, type SqlValue, selectAll, selectOne, text, usdc } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";

/**
 * A change that an owner requested at the desk: another address to withdraw to, or another daily limit. Times are Unix
 * ms.
 */
export type WalletChange = {
  id: string;
  kind: "address" | "limit";
  /** The address and its name; null for a limit. */
  address: Address | null;
  name: string | null;
  /** The limit; null for no limit, and for an address. */
  amount: Usdc.Usdc | null;
  createdAt: number;
  createdBy: string;
  /** When it takes effect; 0 for immediately. */
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

/** Changes of a kind, newest first. */
export const list = (db: Db, kind: WalletChange["kind"], limit: number): WalletChange[] =>
  selectAll(db, change, "WHERE kind = ? ORDER BY rowid DESC LIMIT ?", kind, limit);

/** Waiting changes, the earliest to take effect first. */
export const listWaiting = (db: Db, at: number): WalletChange[] =>
  selectAll(db, change, "WHERE stopped_at IS NULL AND ready_at > ? ORDER BY ready_at", at);

/** The change that allows an address now or later; null if there is none. */
export const ofAddress = (db: Db, address: string): WalletChange | null =>
  selectOne(db, change, "WHERE address = ? AND stopped_at IS NULL ORDER BY ready_at", address);

/**
 * Stops a waiting change, or revokes an address. Changes that took effect at once cannot be stopped: the limit before a
 * lower one is higher. Returns whether anything changed.
 */
export function stop(db: Db, id: string, by: string, now: number): boolean {
  const sql =
    "UPDATE wallet_change SET stopped_at = ?, stopped_by = ? WHERE id = ? AND stopped_at IS NULL AND ready_at > 0";
  return db.query(sql).run(now, by, id).changes > 0;
}

/** Postpones waiting changes until at least `until`. */
export const putOff = (db: Db, now: number, until: number): void =>
  void db
    .query(
      "UPDATE wallet_change SET ready_at = max(ready_at, $until) WHERE stopped_at IS NULL AND ready_at > $now",
    )
    .run({ now, until });

/** Stops waiting raises of the limit. */
export function stopWaitingLimits(db: Db, by: string, now: number, at: number): void {
  db.query(
    `UPDATE wallet_change SET stopped_at = ?, stopped_by = ?
     WHERE kind = 'limit' AND stopped_at IS NULL AND ready_at > ?`,
  ).run(now, by, at);
}

/**
 * Call it after a restore: changes that waited when the backup was made may have been stopped since. Their mails are
 * not sent.
 */
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

/** The amount that left Till's wallets since a time, or may still leave; without what certainly did not. */
export function sumSince(db: Db, chainId: number, since: number): Usdc.Usdc {
  const sql = `SELECT sum(amount) FROM withdrawal INDEXED BY withdrawal_by_age
    WHERE created_at > ? AND chain_id = ? AND failure IS NOT 'expired'`;
  return Usdc.fromMicro(BigInt(numberOf(db, sql, since, chainId) ?? 0));
}
