import type { Usdc } from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import type { Hex } from "../../../lib/crypto/hex.ts";
import { integer, orNull, type Row, type SqlValue, columns as table, text, usdc } from "../../columns.ts";
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
  /** The transaction that ended it, Till's or anybody's; null while pending, and when none did. */
  txHash: Hex | null;
  /** Why it failed; `replaced`: its nonce was used for another payment. Null when it did not. */
  failure: WithdrawalFailure | null;
  /** The desk form that began it; null for one from the command line. */
  formKey: string | null;
  /** Unix time in milliseconds. */
  createdAt: number;
};

export type WithdrawalFailure = "expired" | "cancelled" | "replaced";

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

export function byId(db: Db, id: number): Withdrawal | null {
  const row = db
    .query<Row<Withdrawal>, [number]>(`SELECT ${columns.list} FROM withdrawal WHERE id = ?`)
    .get(id);
  return row && columns.fromRow(row);
}

/** A wallet's latest withdrawal, whatever its outcome; null when there was none. */
export function latest(db: Db, chainId: number, from: Address): Withdrawal | null {
  const row = db
    .query<Row<Withdrawal>, [number, string]>(
      `SELECT ${columns.list} FROM withdrawal WHERE chain_id = ? AND from_address = ? ORDER BY id DESC LIMIT 1`,
    )
    .get(chainId, from);
  return row && columns.fromRow(row);
}

/** The withdrawal that a desk form began; null when it has not. */
export function byForm(db: Db, formKey: string): Withdrawal | null {
  const row = db
    .query<Row<Withdrawal>, [string]>(`SELECT ${columns.list} FROM withdrawal WHERE form_key = ?`)
    .get(formKey);
  return row && columns.fromRow(row);
}

/** The withdrawals that the desk began and the server has to finish, oldest first. */
export function listPendingOfDesk(db: Db, chainId: number): Withdrawal[] {
  return db
    .query<Row<Withdrawal>, [number]>(
      `SELECT ${columns.list} FROM withdrawal
       WHERE chain_id = ? AND state = 'pending' AND form_key IS NOT NULL ORDER BY id`,
    )
    .all(chainId)
    .map(columns.fromRow);
}

/** When Till's wallets last paid an address, in Unix ms; null when they never did. */
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
