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
  state: "pending" | "done" | "failed";
  /** What brings it to the chain; null before there is one. */
  transactionId: number | null;
};

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
  state: string;
  transaction_id: bigint | null;
};

const columns = `id, chain_id, token, account_index, from_address, to_address, amount, nonce, valid_before_sec,
  state, transaction_id`;

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
    state: row.state as Withdrawal["state"],
    transactionId: numberOrNull(row.transaction_id),
  };
}

/** Stores a pending withdrawal; there is at most one of a wallet. Called before anything is signed. */
export function insert(
  db: Db,
  withdrawal: Omit<Withdrawal, "id" | "state" | "transactionId">,
  now: number,
): Withdrawal {
  const row = db
    .query<Row, Record<string, string | number | bigint>>(
      `INSERT INTO withdrawal (chain_id, token, account_index, from_address, to_address, amount, nonce,
         valid_before_sec, state, created_at)
       VALUES ($chainId, $token, $accountIndex, $from, $to, $amount, $nonce, $validBeforeSec, 'pending', $now)
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

export function finish(db: Db, id: number, state: "done" | "failed"): void {
  db.query("UPDATE withdrawal SET state = ? WHERE id = ? AND state = 'pending'").run(state, id);
}
