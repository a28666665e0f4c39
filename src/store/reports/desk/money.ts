import type { Usdc } from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import { columns, integer, orNull, type Row, text, usdc } from "../../columns.ts";
import type { Db } from "../../database.ts";
import type { WithdrawalFailure } from "../../tables/settle/withdrawal.ts";

/** What came in for a payout wallet, and where it is now. */
export type Payout = {
  id: number;
  wallet: Address;
  received: Usdc;
  settled: Usdc;
  /** Confirmed but still at `waitingDeposits` deposit addresses. */
  waiting: Usdc;
  waitingDeposits: number;
  /** Withdrawn by Till from a wallet it manages, in `withdrawals` withdrawals. */
  withdrawn: Usdc;
  withdrawals: number;
};

const payout = columns("payout", {
  id: integer(),
  wallet: text<Address>(),
  received: usdc("received_amount"),
  settled: usdc("settled_amount"),
  waiting: usdc("waiting_amount"),
  waitingDeposits: integer(),
  withdrawn: usdc("withdrawn_amount"),
  withdrawals: integer(),
});

/** All payout wallets together. */
export function all(db: Db): Omit<Payout, "id" | "wallet"> {
  const row = db.query<Row<Payout>, []>(`SELECT ${payout.list} FROM payout WHERE wallet = ''`).get();
  if (!row) throw new Error("The sum of all payout wallets is gone");
  return payout.fromRow(row);
}

/** In order of first use, those after `after`. */
export function listPayouts(db: Db, { after, limit }: { after: number; limit: number }): Payout[] {
  return db
    .query<Row<Payout>, [number, number]>(
      `SELECT ${payout.list} FROM payout WHERE id > ? AND wallet <> '' ORDER BY id LIMIT ?`,
    )
    .all(after, limit)
    .map(payout.fromRow);
}

/** Whether a deposit address pays this wallet. */
export const isPayoutWallet = (db: Db, wallet: string): boolean =>
  wallet !== "" && db.query("SELECT 1 FROM payout WHERE wallet = ?").get(wallet) !== null;

/** Money that has moved, or is moving. */
export type Movement = {
  /** Unix time in milliseconds. */
  at: number;
  /** `elsewhere`: settled by somebody else's transaction. */
  kind: "settled" | "elsewhere" | "withdrawn";
  id: number;
  state: "pending" | "done" | "failed";
  /** Why a withdrawal failed. */
  failure: WithdrawalFailure | null;
  amount: Usdc;
  /** How many deposits it was to settle, and how many of them failed. */
  deposits: number;
  failed: number;
  /** The destination; one of them when there are several wallets. */
  to: Address;
  wallets: number;
  txHash: string | null;
};

const movement = columns("movement", {
  at: integer(),
  kind: text<Movement["kind"]>(),
  id: integer(),
  state: text<Movement["state"]>(),
  failure: orNull(text<WithdrawalFailure>()),
  amount: usdc(),
  deposits: integer(),
  failed: integer(),
  to: text<Address>("to_address"),
  wallets: integer(),
  txHash: orNull(text()),
});

/** A place in the list of movements. */
export type MovementCursor = Pick<Movement, "at" | "kind" | "id">;

const page = (kind: Movement["kind"]) =>
  `created_at <= $at AND (created_at, '${kind}', id) < ($at, $kind, $id) ORDER BY created_at DESC, id DESC LIMIT $limit`;

/** Each part reads its own index, and no more rows than can be shown. */
const movements = `
  SELECT ${movement.list} FROM (
    SELECT sent.created_at AS at, 'settled' AS kind, sent.id, tx_hash,
      CASE sent.state WHEN 'pending' THEN 'pending' WHEN 'reverted' THEN 'failed' ELSE 'done' END AS state,
      NULL AS failure,
      (SELECT coalesce(sum(amount), 0) FROM settlement WHERE transaction_id = sent.id) AS amount,
      (SELECT count(*) FROM settlement WHERE transaction_id = sent.id) AS deposits,
      (SELECT count(*) FROM settlement WHERE transaction_id = sent.id AND state = 'failed') AS failed,
      (SELECT coalesce(min(payout_wallet), '') FROM settlement JOIN deposit USING (deposit_index)
       WHERE transaction_id = sent.id) AS to_address,
      (SELECT count(DISTINCT payout_wallet) FROM settlement JOIN deposit USING (deposit_index)
       WHERE transaction_id = sent.id) AS wallets
    FROM (SELECT * FROM gas_transaction WHERE purpose = 'settle' AND ${page("settled")}) AS sent
    UNION ALL
    SELECT foreign_one.created_at, 'elsewhere', id, tx_hash, 'done', NULL, amount, 1, 0, payout_wallet, 1
    FROM (SELECT * FROM settlement WHERE state = 'elsewhere' AND ${page("elsewhere")}) AS foreign_one
      JOIN deposit USING (deposit_index)
    UNION ALL
    SELECT * FROM (
      SELECT created_at, 'withdrawn', id, tx_hash, state, failure, amount, 0, 0, to_address, 1
      FROM withdrawal WHERE ${page("withdrawn")})
  ) AS movement ORDER BY at DESC, kind DESC, id DESC LIMIT $limit`;

const newest: MovementCursor = {
  at: Number.MAX_SAFE_INTEGER,
  kind: "withdrawn",
  id: Number.MAX_SAFE_INTEGER,
};

/** Settlements and withdrawals, newest first, those before a place. */
export function listMovements(
  db: Db,
  { before, limit }: { before: MovementCursor | null; limit: number },
): Movement[] {
  const { at, kind, id } = before ?? newest;
  return db
    .query<Row<Movement>, Record<string, string | number>>(movements)
    .all({ at, kind, id, limit })
    .map(movement.fromRow);
}
