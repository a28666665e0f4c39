/** The gas account's transactions: intents with their nonces, and every signed attempt to execute one. */

import type { Address } from "../../../domain/wallet/address.ts";
import type { Hex } from "../../../lib/crypto.ts";
import {
  bigInteger,
  integer,
  orNull,
  type Row,
  type SqlValue,
  selectAll,
  selectOne,
  columns as table,
  text,
} from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import { withoutWaiting } from "../../log.ts";

type Purpose = "deploy" | "settle" | "withdraw" | "rescue" | "relay";

/** A transaction to send. It never carries ETH. */
export type Intent = {
  purpose: Purpose;
  chainId: number;
  to: Address;
  data: Hex;
  gasLimit: bigint;
  /** Maximum fee per unit of gas, in wei; null for the general limit. */
  feeMax: bigint | null;
  /** Its purpose, in words. */
  reason: string;
};

export type GasTransaction = Intent & {
  id: number;
  nonce: number;
  /** `confirmed` and `reverted` are final: deep enough. Only logs are evidence about money. */
  state: "pending" | "confirmed" | "reverted";
  /** The attempt on the chain, and its block; null while pending. */
  txHash: Hex | null;
  blockNumber: number | null;
  /** The block's time, in Unix milliseconds. */
  minedAt: number | null;
  createdAt: number;
};

const columns = table("gas_transaction", {
  id: integer(),
  purpose: text<Purpose>(),
  chainId: integer(),
  nonce: integer(),
  to: text<Address>("to_address"),
  data: text<Hex>(),
  gasLimit: bigInteger(),
  feeMax: orNull(bigInteger()),
  reason: text(),
  state: text<GasTransaction["state"]>(),
  txHash: orNull(text<Hex>()),
  blockNumber: orNull(integer()),
  minedAt: orNull(integer()),
  createdAt: integer(),
});

/** The lowest unused nonce, at or above those the chain has used. Read and use it in one transaction. */
export function freeNonce(db: Db, chainId: number, chainNonce: number): number {
  const sql = `SELECT min(nonce) FROM
      (SELECT $chainNonce AS nonce
       UNION SELECT nonce + 1 FROM gas_transaction WHERE chain_id = $chainId AND nonce >= $chainNonce)
    WHERE nonce NOT IN (SELECT nonce FROM gas_transaction WHERE chain_id = $chainId)`;
  const nonce = numberOf(db, sql, { chainId, chainNonce });
  if (nonce === null) throw new Error("The free nonce was not returned");
  return nonce;
}

/**
 * Stores an intent with a nonce of its own. `chainNonce` is how many of the account's transactions the chain has. Call
 * it in a transaction, with everything that must be stored together with the intent.
 */
export function insert(db: Db, intent: Intent, chainNonce: number, now: number): GasTransaction {
  const isNew = columns.omit("id", "state", "txHash", "blockNumber", "minedAt");
  const nonce = freeNonce(db, intent.chainId, chainNonce);
  const row = db
    .query<Row<GasTransaction>, Record<string, SqlValue>>(
      `${isNew.insert({ state: "'pending'" })} RETURNING ${columns.list}`,
    )
    .get(isNew.values({ ...intent, nonce, createdAt: now }));
  if (!row) throw new Error("The new transaction was not returned");
  return columns.fromRow(row);
}

export const byId = (db: Db, id: number): GasTransaction | null => selectOne(db, columns, "WHERE id = ?", id);

/** Intents that are not final, in nonce order. */
export const listPending = (db: Db, chainId: number): GasTransaction[] =>
  selectAll(db, columns, "WHERE chain_id = ? AND state = 'pending' ORDER BY nonce", chainId);

/** The latest intent with a purpose, final or not; null when there is none. */
export const latest = (db: Db, chainId: number, purpose: Purpose): GasTransaction | null =>
  selectOne(db, columns, "WHERE chain_id = ? AND purpose = ? ORDER BY id DESC LIMIT 1", chainId, purpose);

/** Final intents with this nonce or a higher one, in nonce order. */
export const listFinalFrom = (db: Db, chainId: number, nonce: number): GasTransaction[] =>
  selectAll(
    db,
    columns,
    "WHERE chain_id = ? AND nonce >= ? AND state <> 'pending' ORDER BY nonce",
    chainId,
    nonce,
  );

/** A transaction that offers enough is in a block within seconds. */
const lateMs = 900_000;

/** Pending intents that had to be sent again a quarter of an hour after they were stored, in nonce order. */
export const listLate = (db: Db, chainId: number): GasTransaction[] =>
  selectAll(
    db,
    columns,
    `WHERE chain_id = ? AND state = 'pending'
         AND (SELECT max(sent_at) FROM gas_attempt WHERE transaction_id = gas_transaction.id) - created_at > ?
       ORDER BY nonce`,
    chainId,
    lateMs,
  );

/** Gives a pending intent another nonce, unless somebody did already. Call it in a transaction. */
export function renumber(db: Db, { id, nonce, chainId }: GasTransaction, chainNonce: number): void {
  db.query("UPDATE gas_transaction SET nonce = ? WHERE id = ? AND nonce = ? AND state = 'pending'").run(
    freeNonce(db, chainId, chainNonce),
    id,
    nonce,
  );
}

/** Empties a pending intent: it will use its nonce for the least gas. Call it in a transaction. */
export function makeIdle(db: Db, id: number, call: Pick<Intent, "to" | "data" | "gasLimit">): void {
  db.query(
    `UPDATE gas_transaction SET to_address = $to, data = $data, gas_limit = $gasLimit, fee_max = NULL
     WHERE id = $id AND state = 'pending'`,
  ).run({ id, ...call });
}

const dayMs = 24 * 3_600_000;

/** The cost of relays since a time (Unix ms), in wei, and the pending ones that may still cost something. */
export function relaysSpent(
  db: Db,
  chainId: number,
  since: number,
): {
  wei: bigint;
  /** `offered`: the maximum cost per unit of gas, in wei; null while nothing is signed. */
  pending: { id: number; nonce: number; gasLimit: bigint; offered: bigint | null }[];
} {
  // A relay is in a block within hours, so the index on when it was begun serves.
  const spent = db
    .query<{ wei: bigint | null }, Record<string, SqlValue>>(
      `SELECT sum(CAST(fee_wei AS INTEGER)) AS wei FROM gas_transaction
       WHERE chain_id = $chainId AND purpose = 'relay' AND created_at >= $since - $dayMs AND mined_at >= $since`,
    )
    .get({ chainId, since, dayMs });
  const pending = db
    .query<{ id: bigint; nonce: bigint; gas_limit: bigint; offered: bigint | null }, [number]>(
      `SELECT id, nonce, gas_limit, (SELECT max(fee_max) FROM gas_attempt WHERE transaction_id = id) AS offered
       FROM gas_transaction WHERE chain_id = ? AND purpose = 'relay' AND state = 'pending' ORDER BY nonce`,
    )
    .all(chainId);
  return {
    wei: spent?.wei ?? 0n,
    pending: pending.map(({ id, nonce, gas_limit, offered }) => ({
      id: Number(id),
      nonce: Number(nonce),
      gasLimit: gas_limit,
      offered,
    })),
  };
}

/** A temporary nonce while two intents exchange theirs. */
const parkedNonce = Number.MAX_SAFE_INTEGER;

/**
 * Makes a pending intent final. If it was renumbered since, it gets back the nonce the chain took it with: otherwise
 * the new one would stay unused and block every later transaction. Returns false when it was final already. Call it in
 * a transaction.
 */
export function finish(
  db: Db,
  id: number,
  {
    fee,
    ...end
  }: {
    state: "confirmed" | "reverted";
    txHash: string;
    blockNumber: number;
    /** The block's time, in Unix milliseconds. */
    minedAt: number;
    /** In wei; null if the node did not report it. */
    fee: bigint | null;
  },
): boolean {
  const changed =
    db
      .query(
        `UPDATE gas_transaction SET state = $state, tx_hash = $txHash, block_number = $blockNumber,
           mined_at = $minedAt, fee_wei = $fee
         WHERE id = $id AND state = 'pending'`,
      )
      .run({ ...end, fee: fee === null ? null : `${fee}`, id }).changes > 0;
  if (changed) restoreNonce(db, id, end.txHash);
  return changed;
}

/** Makes a final intent pending again, as its block has left the chain. Call it in a transaction. */
export function reopen(db: Db, id: number): void {
  db.query(
    `UPDATE gas_transaction SET state = 'pending', tx_hash = NULL, block_number = NULL, mined_at = NULL, fee_wei = NULL
     WHERE id = ?`,
  ).run(id);
}

function restoreNonce(db: Db, id: number, txHash: string): void {
  const row = db
    .query<{ chain_id: bigint; given: bigint; used: bigint }, [number, string]>(
      `SELECT chain_id, gas_transaction.nonce AS given, gas_attempt.nonce AS used
       FROM gas_transaction JOIN gas_attempt ON transaction_id = id
       WHERE id = ? AND hash = ? AND gas_transaction.nonce <> gas_attempt.nonce`,
    )
    .get(id, txHash);
  if (!row) return;
  const { chain_id, given, used } = row;
  const setNonce = db.query("UPDATE gas_transaction SET nonce = ? WHERE id = ?");
  // Some intent must take the other nonce: the one that now has this nonce, otherwise the last of those that would
  // wait. If that was already sent, sending it again does nothing.
  const heir = db
    .query<{ id: bigint }, { chain_id: bigint; given: bigint; used: bigint }>(
      `SELECT id FROM gas_transaction WHERE chain_id = $chain_id
         AND (nonce = $used OR (nonce > $given AND state = 'pending'))
       ORDER BY nonce = $used DESC, nonce DESC LIMIT 1`,
    )
    .get({ chain_id, given, used });
  setNonce.run(parkedNonce, id);
  if (heir) setNonce.run(given, heir.id);
  setNonce.run(used, id);
}

/** A signed form of an intent. Anybody who has `raw` can send it, unchanged. */
export type Attempt = {
  hash: Hex;
  nonce: number;
  raw: Hex;
  /** Wei per unit of gas. */
  feeMax: bigint;
  feeTip: bigint;
  signedAt: number;
  /** When it was last handed to a node, whatever the answer; null if it may never have been. */
  sentAt: number | null;
};

const attempts = table("gas_attempt", {
  hash: text<Hex>(),
  nonce: integer(),
  raw: text<Hex>(),
  feeMax: bigInteger(),
  feeTip: bigInteger(),
  signedAt: integer(),
  sentAt: orNull(integer()),
});

/** An intent's attempts; for one nonce the newest first, each offering more than the one before. */
export const listAttempts = (db: Db, id: number): Attempt[] =>
  selectAll(db, attempts, "WHERE transaction_id = ? ORDER BY fee_max DESC, signed_at DESC", id);

/**
 * Stores a signed attempt before it is sent. Returns false and stores nothing when the intent was renumbered or became
 * final meanwhile: do not send it then.
 */
export function insertAttempt(db: Db, id: number, attempt: Omit<Attempt, "sentAt">): boolean {
  return (
    db
      .query(
        `INSERT INTO gas_attempt (hash, transaction_id, nonce, raw, fee_max, fee_tip, signed_at)
         SELECT $hash, id, nonce, $raw, $feeMax, $feeTip, $signedAt FROM gas_transaction
         WHERE id = $id AND nonce = $nonce AND state = 'pending'
         ON CONFLICT (hash) DO UPDATE SET signed_at = signed_at`,
      )
      .run({ ...attempt, id }).changes > 0
  );
}

/** Does not wait for the disk: what is lost in a power cut is only sent again. Not for use in a transaction. */
export function markSent(db: Db, hash: string, now: number): void {
  withoutWaiting(db, () => db.query("UPDATE gas_attempt SET sent_at = ? WHERE hash = ?").run(now, hash));
}
