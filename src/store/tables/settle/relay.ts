import type { Inclusion } from "../../../domain/payment/block.ts";
import type { Failure, Relay, Source, State } from "../../../domain/payment/relay.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import type { Hex } from "../../../lib/crypto.ts";
import { integer, orNull, type Row, type SqlValue, columns as table, text, usdc } from "../../columns.ts";
import { type Db, numberOf } from "../../database.ts";
import * as GasTransactionStore from "./gas-transaction.ts";

/** A relay with everything needed to finish it. */
export type StoredRelay = Relay & {
  chainId: number;
  token: Address;
  to: Address;
  validAfterSec: number;
  signature: Hex;
  paymentIdentifier: string | null;
  /** The newest block when it was accepted. */
  begunBlock: number;
  transactionId: number;
  blockNumber: number | null;
  blockHash: string | null;
};

const columns = table("relay", {
  id: integer(),
  depositIndex: integer(),
  source: text<Source>(),
  chainId: integer(),
  token: text<Address>(),
  payer: text<Address>(),
  to: text<Address>("to_address"),
  amount: usdc(),
  validAfterSec: integer(),
  validBeforeSec: integer(),
  nonce: text<Hex>(),
  signature: text<Hex>(),
  paymentIdentifier: orNull(text()),
  begunBlock: integer(),
  transactionId: integer(),
  state: text<State>(),
  failure: orNull(text<Failure>()),
  txHash: orNull(text<Hex>()),
  blockNumber: orNull(integer()),
  blockHash: orNull(text()),
  createdAt: integer(),
  minedAt: orNull(integer()),
});

/** A condition on `relay`: it may still move money, or its money is not in the books yet. */
export const unresolved = "state IN ('accepted', 'sent', 'mined')";

const list = (db: Db, where: string, values: SqlValue[]) =>
  db
    .query<Row<StoredRelay>, SqlValue[]>(`SELECT ${columns.list} FROM relay WHERE ${where}`)
    .all(...values)
    .map(columns.fromRow);

const later = ["id", "state", "failure", "txHash", "blockNumber", "blockHash", "minedAt"] as const;
type NewRelay = Omit<StoredRelay, (typeof later)[number]>;

/** Stores an accepted relay. Call it in the transaction that stores its intent. */
export function insert(db: Db, relay: NewRelay): StoredRelay {
  const isNew = columns.omit(...later);
  const row = db
    .query<Row<StoredRelay>, Record<string, SqlValue>>(
      `${isNew.insert({ state: "'accepted'" })} RETURNING ${columns.list}`,
    )
    .get(isNew.values(relay));
  if (!row) throw new Error("The new relay was not returned");
  return columns.fromRow(row);
}

export function byId(db: Db, id: number): StoredRelay | null {
  return list(db, "id = ?", [id])[0] ?? null;
}

/** The relay with a payer's nonce, unless it failed. */
export function byNonce(
  db: Db,
  { chainId, token, payer, nonce }: Pick<StoredRelay, "chainId" | "token" | "payer" | "nonce">,
): StoredRelay | null {
  const values = [chainId, token, payer, nonce];
  const [found] = list(
    db,
    "chain_id = ? AND token = ? AND payer = ? AND nonce = ? AND state <> 'failed'",
    values,
  );
  return found ?? null;
}

/** The latest relay with a program's own identifier for its payment; only a failed one frees the identifier. */
export function byIdentifier(db: Db, depositIndex: number, identifier: string): StoredRelay | null {
  const where = "deposit_index = ? AND payment_identifier = ? ORDER BY id DESC LIMIT 1";
  return list(db, where, [depositIndex, identifier])[0] ?? null;
}

/** The only relay that may still move money, or whose money is not in the books yet; null if there is none. */
export function onItsWay(db: Db, depositIndex: number): StoredRelay | null {
  return list(db, `deposit_index = ? AND ${unresolved}`, [depositIndex])[0] ?? null;
}

/**
 * Returns whether the latest relay to a deposit failed at or after a time (Unix ms) and no money has arrived since: of one
 * that was replaced, since it was begun, as what replaced it may have paid here.
 */
export function lastFailed(db: Db, depositIndex: number, since: number): boolean {
  const row = db
    .query<{ failed: bigint }, [number, number]>(
      `SELECT state = 'failed' AND ended_at >= ? AND NOT EXISTS (SELECT 1 FROM transfer
         WHERE transfer.deposit_index = relay.deposit_index
           AND seen_at > iif(failure = 'replaced', relay.created_at, ended_at)) AS failed
       FROM relay WHERE deposit_index = ? ORDER BY id DESC LIMIT 1`,
    )
    .get(since, depositIndex);
  return row?.failed === 1n;
}

/**
 * A payer's relay to a deposit, with a different nonce, that reverted but is still valid, so that anybody could use it.
 * Null if there is none. `now` is Unix milliseconds.
 */
export function usableFailed(
  db: Db,
  { depositIndex, from, nonce }: { depositIndex: number; from: Address; nonce: Hex },
  now: number,
): StoredRelay | null {
  const where =
    "deposit_index = ? AND payer = ? AND nonce <> ? AND failure = 'reverted' AND valid_before_sec > ?";
  return list(db, where, [depositIndex, from, nonce, Math.floor(now / 1_000)])[0] ?? null;
}

/**
 * Returns whether anybody could still use the authorisation of a reverted relay to a deposit. `now` is Unix
 * milliseconds.
 */
export function anyUsable(db: Db, depositIndex: number, now: number): boolean {
  const where = "deposit_index = ? AND failure = 'reverted' AND valid_before_sec > ?";
  return list(db, where, [depositIndex, Math.floor(now / 1_000)]).length > 0;
}

/** Relays that may still move money, oldest first. */
export function listUnresolved(db: Db, chainId: number): StoredRelay[] {
  return list(db, `chain_id = ? AND ${unresolved} ORDER BY id`, [chainId]);
}

/** Number of a payer's nonces for a deposit that are used or expired. */
export function attempts(db: Db, depositIndex: number, payer: Address, nowSec: number): number {
  const sql = `SELECT count(DISTINCT nonce) FROM relay WHERE deposit_index = ? AND payer = ?
    AND (state = 'confirmed' OR failure IN ('cancelled', 'replaced')
      OR (state = 'failed' AND valid_before_sec <= ?))`;
  return numberOf(db, sql, depositIndex, payer, nowSec) ?? 0;
}

/** Number of relays that failed at or after a time (Unix ms), by payer and by deposit. */
export function failures(
  db: Db,
  { payer, depositIndex }: Pick<Relay, "payer" | "depositIndex">,
  since: number,
): { ofPayer: number; toDeposit: number } {
  const count = (where: string, value: SqlValue) =>
    Number(
      db
        .query<{ count: bigint }, [SqlValue, number]>(
          `SELECT count(*) AS count FROM relay WHERE ${where} = ? AND state = 'failed' AND ended_at >= ?`,
        )
        .get(value, since)?.count ?? 0n,
    );
  return { ofPayer: count("payer", payer), toDeposit: count("deposit_index", depositIndex) };
}

/** A payer's relays that are in no block yet. */
export function onTheWay(db: Db, payer: Address): { count: number; amount: bigint } {
  const row = db
    .query<{ count: bigint; amount: bigint }, [string]>(
      `SELECT count(*) AS count, coalesce(sum(amount), 0) AS amount FROM relay
       WHERE payer = ? AND state IN ('accepted', 'sent')`,
    )
    .get(payer);
  return { count: Number(row?.count ?? 0n), amount: row?.amount ?? 0n };
}

/** Records that its transaction was handed to a node. */
export function markSent(db: Db, id: number, txHash: Hex): void {
  db.query(
    `UPDATE relay SET state = 'sent', tx_hash = $txHash, block_number = NULL, block_hash = NULL, mined_at = NULL
     WHERE id = $id AND ${unresolved}`,
  ).run({ id, txHash });
}

/** Records that the transfer is in a block. Times are Unix milliseconds. */
export function markMined(db: Db, id: number, place: Inclusion, now: number): void {
  db.query(
    `UPDATE relay SET state = 'mined', tx_hash = $txHash, block_number = $blockNumber, block_hash = $blockHash,
       mined_at = coalesce(mined_at, $now)
     WHERE id = $id AND ${unresolved}`,
  ).run({ id, ...place, now });
}

/** Returns whether the books count the transfer: only then is nothing left to pay. */
export function isCounted(db: Db, depositIndex: number, { txHash, blockHash }: Inclusion): boolean {
  return (
    db
      .query(
        "SELECT 1 FROM transfer WHERE deposit_index = ? AND tx_hash = ? AND block_hash = ? AND confirmed = 1",
      )
      .get(depositIndex, txHash, blockHash) !== null
  );
}

/** Records that the books count the transfer. */
export function markConfirmed(db: Db, id: number, place: Inclusion, now: number): void {
  db.query(
    `UPDATE relay SET state = 'confirmed', tx_hash = $txHash, block_number = $blockNumber, block_hash = $blockHash,
       mined_at = coalesce(mined_at, $now), ended_at = $now
     WHERE id = $id AND ${unresolved}`,
  ).run({ id, ...place, now });
}

/**
 * Reopens a relay whose counted transfer has left the chain and may return: the payer must not be asked meanwhile. Call
 * it in the transaction that takes the transfer from the books.
 */
export function reopen(db: Db, { depositIndex, txHash }: { depositIndex: number; txHash: string }): void {
  const row = db
    .query<{ transaction_id: bigint }, [number, string]>(
      `UPDATE OR IGNORE relay SET state = 'sent', block_number = NULL, block_hash = NULL, mined_at = NULL, ended_at = NULL
       WHERE deposit_index = ? AND tx_hash = ? AND state = 'confirmed' RETURNING transaction_id`,
    )
    .get(depositIndex, txHash);
  const transaction = row && GasTransactionStore.byId(db, Number(row.transaction_id));
  if (transaction?.txHash === txHash) GasTransactionStore.reopen(db, transaction.id);
}

/** Records that it has not paid and will not. */
export function markFailed(
  db: Db,
  id: number,
  { failure, txHash }: { failure: Failure; txHash: Hex | null },
  now: number,
): void {
  db.query(
    `UPDATE relay SET state = 'failed', failure = $failure, tx_hash = coalesce($txHash, tx_hash), block_number = NULL, block_hash = NULL, mined_at = NULL,
       ended_at = $now
     WHERE id = $id AND ${unresolved}`,
  ).run({ id, failure, txHash, now });
}
