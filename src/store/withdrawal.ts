import type { Address } from "../domain/address.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Hex } from "../lib/hex.ts";
import { type Db, numberOrNull } from "./database.ts";

/** One movement of USDC out of a merchant's managed wallet (EIP-3009). Its nonce is the only one it ever has. */
export type Withdrawal = {
  id: number;
  chainId: number;
  token: Address;
  accountIndex: number;
  from: Address;
  to: Address;
  amount: Usdc.Usdc;
  /** 32 random bytes as hex. */
  nonce: Hex;
  /** The chain does not take it from this time on, in Unix seconds. */
  validBeforeSec: number;
  /** The chain's newest block before the nonce was made. */
  begunBlock: number;
  state: "pending" | "done" | "failed";
  /** What brings it to the chain; null before there is one. */
  transactionId: number | null;
  /** The transaction that ended it, Till's or anybody's; null while it is pending, and when none did. */
  txHash: Hex | null;
  /** Why it failed; `replaced`: its nonce was used for another payment. Null when it did not. */
  failure: Failure | null;
};

export type Failure = "expired" | "cancelled" | "replaced";

type Row = {
  id: bigint;
  chain_id: bigint;
  token: string;
  account_index: bigint;
  from_address: string;
  to_address: string;
  amount: bigint;
  nonce: string;
  valid_before_sec: bigint;
  begun_block: bigint;
  state: string;
  transaction_id: bigint | null;
  tx_hash: string | null;
  failure: string | null;
};

const columns = `id, chain_id, token, account_index, from_address, to_address, amount, nonce, valid_before_sec,
  begun_block, state, transaction_id, tx_hash, failure`;

function fromRow(row: Row): Withdrawal {
  return {
    id: Number(row.id),
    chainId: Number(row.chain_id),
    token: row.token as Address,
    accountIndex: Number(row.account_index),
    from: row.from_address as Address,
    to: row.to_address as Address,
    amount: Usdc.fromMicro(row.amount),
    nonce: row.nonce as Hex,
    validBeforeSec: Number(row.valid_before_sec),
    begunBlock: Number(row.begun_block),
    state: row.state as Withdrawal["state"],
    transactionId: numberOrNull(row.transaction_id),
    txHash: row.tx_hash as Hex | null,
    failure: row.failure as Failure | null,
  };
}

export type NewWithdrawal = Omit<Withdrawal, "id" | "state" | "transactionId" | "txHash" | "failure">;

/** Stores a pending withdrawal; there is at most one of a wallet. Called before anything is signed. */
export function insert(db: Db, withdrawal: NewWithdrawal, now: number): Withdrawal {
  const row = db
    .query<Row, Record<string, string | number | bigint>>(
      `INSERT INTO withdrawal (chain_id, token, account_index, from_address, to_address, amount, nonce,
         valid_before_sec, begun_block, state, created_at)
       VALUES ($chainId, $token, $accountIndex, $from, $to, $amount, $nonce, $validBeforeSec, $begunBlock,
         'pending', $now)
       RETURNING ${columns}`,
    )
    .get({ ...withdrawal, now });
  if (!row) throw new Error("The new withdrawal was not returned");
  return fromRow(row);
}

export function byId(db: Db, id: number): Withdrawal | null {
  const row = db.query<Row, [number]>(`SELECT ${columns} FROM withdrawal WHERE id = ?`).get(id);
  return row && fromRow(row);
}

/** The latest withdrawal from a wallet, whatever became of it; null when there was none. */
export function latest(db: Db, chainId: number, from: Address): Withdrawal | null {
  const row = db
    .query<Row, [number, string]>(
      `SELECT ${columns} FROM withdrawal WHERE chain_id = ? AND from_address = ? ORDER BY id DESC LIMIT 1`,
    )
    .get(chainId, from);
  return row && fromRow(row);
}

export function setTransaction(db: Db, id: number, transactionId: number): void {
  db.query("UPDATE withdrawal SET transaction_id = ? WHERE id = ? AND state = 'pending'").run(
    transactionId,
    id,
  );
}

export type End = { state: "done"; txHash: Hex } | { state: "failed"; failure: Failure; txHash: Hex | null };

export function finish(db: Db, id: number, end: End): void {
  const failure = end.state === "failed" ? end.failure : null;
  db.query(
    "UPDATE withdrawal SET state = $state, tx_hash = $txHash, failure = $failure WHERE id = $id AND state = 'pending'",
  ).run({ id, state: end.state, txHash: end.txHash, failure });
}
