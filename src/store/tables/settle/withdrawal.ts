import type { Usdc } from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import type { Hex } from "../../../lib/crypto.ts";
import {
  integer,
  orNull,
  type Row,
  type SqlValue,
  selectOne,
  columns as table,
  text,
  usdc,
} from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";

/** One transfer of USDC out of a merchant's managed wallet (EIP-3009). It keeps one nonce for life. */
export type Withdrawal = {
  id: number;
  chainId: number;
  token: Address;
  accountIndex: number;
  from: Address;
  to: Address;
  amount: Usdc;
  /** 32 random bytes as hex. */
  nonce: Hex;
  /** The chain rejects it from this time on, in Unix seconds. */
  validBeforeSec: number;
  /** The newest block before the nonce was created. */
  begunBlock: number;
  state: "pending" | "done" | "failed";
  /** The transaction that executes it; null before there is one. */
  transactionId: number | null;
  /** The transaction that ended it, Till's or not; null while pending, and if none did. */
  txHash: Hex | null;
  /** Why it failed; `replaced`: its nonce was used for another payment. Null if it did not. */
  failure: WithdrawalFailure | null;
  /** The desk form or the refund that began it; null for one from the command line. */
  formKey: string | null;
  /** Unix time in milliseconds. */
  createdAt: number;
};

export type WithdrawalFailure = "expired" | "cancelled" | "replaced";

/** Only somebody with the wallet's key can end it this way, so somebody else has the 12 words. */
export const isExposure = (failure: WithdrawalFailure | null): boolean =>
  failure === "cancelled" || failure === "replaced";

/** Takes the place of a desk form's key when an approved refund began it. */
export const keyOfRefund = (refund: string, approvedAt: number): string => `${refund} ${approvedAt}`;

/** The refund that began a withdrawal; null if a person did. A form's key contains no space. */
export const refundOf = ({ formKey }: Pick<Withdrawal, "formKey">): string | null =>
  formKey?.includes(" ") ? (formKey.split(" ")[0] ?? null) : null;

/** The advice if somebody else has the words. */
export const exposureAdvice =
  "withdraw all that is left, now, to a wallet that has other words; then set up a new Till with a new wallet on another " +
  "machine, and void what is open here, as what customers still pay into this Till's wallet can be taken from there";

const columns = table("withdrawal", {
  id: integer(),
  chainId: integer(),
  token: text<Address>(),
  accountIndex: integer(),
  from: text<Address>("from_address"),
  to: text<Address>("to_address"),
  amount: usdc(),
  nonce: text<Hex>(),
  validBeforeSec: integer(),
  begunBlock: integer(),
  state: text<Withdrawal["state"]>(),
  transactionId: orNull(integer()),
  txHash: orNull(text<Hex>()),
  failure: orNull(text<WithdrawalFailure>()),
  formKey: orNull(text()),
  createdAt: integer(),
});

export type NewWithdrawal = Omit<
  Withdrawal,
  "id" | "state" | "transactionId" | "txHash" | "failure" | "formKey" | "createdAt"
>;

/** Stores a pending withdrawal; a wallet has at most one. Call it before anything is signed. */
export function insert(
  db: Db,
  withdrawal: NewWithdrawal,
  { now, formKey }: { now: number; formKey: string | null },
): Withdrawal {
  const isNew = columns.omit("id", "state", "transactionId", "txHash", "failure");
  const row = db
    .query<Row<Withdrawal>, Record<string, SqlValue>>(
      `${isNew.insert({ state: "'pending'" })} RETURNING ${columns.list}`,
    )
    .get(isNew.values({ ...withdrawal, formKey, createdAt: now }));
  if (!row) throw new Error("The new withdrawal was not returned");
  return columns.fromRow(row);
}

export const byId = (db: Db, id: number): Withdrawal | null => selectOne(db, columns, "WHERE id = ?", id);

/** A wallet's latest withdrawal, whatever its outcome; null when there was none. */
export const latest = (db: Db, chainId: number, from: Address): Withdrawal | null =>
  selectOne(db, columns, "WHERE chain_id = ? AND from_address = ? ORDER BY id DESC LIMIT 1", chainId, from);

/** The withdrawal that a desk form began; null when it has not. */
export const byForm = (db: Db, formKey: string): Withdrawal | null =>
  selectOne(db, columns, "WHERE form_key = ?", formKey);

/** A wallet's pending withdrawal; null when there is none. */
export function pendingOf(db: Db, chainId: number, from: Address): Withdrawal | null {
  return list(db, "chain_id = ? AND from_address = ? AND state = 'pending'", chainId, from)[0] ?? null;
}

/** All pending ones, oldest first. */
export const listPending = (db: Db, chainId: number): Withdrawal[] =>
  list(db, "chain_id = ? AND state = 'pending' ORDER BY id", chainId);

/** Withdrawals begun since a time (Unix ms) that have ended, oldest first. */
export const listEnded = (db: Db, chainId: number, since: number): Withdrawal[] =>
  list(db, "chain_id = ? AND state <> 'pending' AND created_at >= ? ORDER BY id", chainId, since);

/** Withdrawals showing that somebody else has the wallet's words, newest first. */
export const listExposures = (db: Db, chainId: number): Withdrawal[] =>
  list(db, "chain_id = ? AND failure IN ('cancelled', 'replaced') ORDER BY id DESC", chainId);

function list(db: Db, where: string, ...values: (number | string)[]): Withdrawal[] {
  return db
    .query<Row<Withdrawal>, (number | string)[]>(`SELECT ${columns.list} FROM withdrawal WHERE ${where}`)
    .all(...values)
    .map(columns.fromRow);
}

/** When Till's wallets last paid an address, in Unix ms; null if never. */
export function lastUse(db: Db, to: Address): number | null {
  return numberOf(db, "SELECT max(created_at) FROM withdrawal WHERE to_address = ?", to);
}

export function setTransaction(db: Db, id: number, transactionId: number): void {
  db.query("UPDATE withdrawal SET transaction_id = ? WHERE id = ? AND state = 'pending'").run(
    transactionId,
    id,
  );
}

export type WithdrawalEnd =
  | { state: "done"; txHash: Hex }
  | { state: "failed"; failure: WithdrawalFailure; txHash: Hex | null };

export function finish(db: Db, id: number, end: WithdrawalEnd): void {
  const failure = end.state === "failed" ? end.failure : null;
  db.query(
    "UPDATE withdrawal SET state = $state, tx_hash = $txHash, failure = $failure WHERE id = $id AND state = 'pending'",
  ).run({ id, state: end.state, txHash: end.txHash, failure });
}

/**
 * Makes an ended withdrawal pending again, as the chain no longer has its end. Returns false and changes nothing while
 * another one of its wallet is pending.
 */
export function reopen(db: Db, id: number): boolean {
  const sql = `UPDATE withdrawal SET state = 'pending', tx_hash = NULL, failure = NULL WHERE id = ? AND NOT EXISTS
    (SELECT 1 FROM withdrawal AS other WHERE other.state = 'pending' AND other.chain_id = withdrawal.chain_id
     AND other.from_address = withdrawal.from_address)`;
  return db.query(sql).run(id).changes > 0;
}
