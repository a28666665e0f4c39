import type { Address } from "../../../domain/wallet/address.ts";
import { columns, integer, orNull, type Row, selectAll, selectOne, text, usdc } from "../../columns.ts";
import type { Db } from "../../database.ts";
import { beginning, newestOf, type Page, type Place, pageOf } from "../../page.ts";
import * as PreferenceStore from "../../tables/desk/preference.ts";
import type { WithdrawalFailure } from "../../tables/settle/withdrawal.ts";

/** Money received for a payout wallet, and where it is now. */
const payout = columns("payout", {
  id: integer(),
  wallet: text<Address>(),
  received: usdc("received_amount"),
  settled: usdc("settled_amount"),
  /** Confirmed but still at `waitingDeposits` deposit addresses. */
  waiting: usdc("waiting_amount"),
  waitingDeposits: integer(),
  /** Withdrawn by Till from a wallet it manages, in `withdrawals` withdrawals. */
  withdrawn: usdc("withdrawn_amount"),
  withdrawals: integer(),
});
export type Payout = ReturnType<typeof payout.fromRow>;

/** All payout wallets together. */
export function all(db: Db): Omit<Payout, "id" | "wallet"> {
  const sums = selectOne(db, payout, "WHERE wallet = ''");
  if (!sums) throw new Error("The sum of all payout wallets is gone");
  return sums;
}

/** In order of first use, those after `after`. */
export const listPayouts = (db: Db, { after, limit }: { after: number; limit: number }): Page<Payout> =>
  pageOf(selectAll(db, payout, "WHERE id > ? AND wallet <> '' ORDER BY id LIMIT ?", after, limit + 1), limit);

/** Returns whether payments already go to this wallet: those of new invoices, or of an existing deposit address. */
export const isKnownWallet = (db: Db, wallet: string): boolean =>
  wallet !== "" &&
  (PreferenceStore.profile(db).payoutWallet === wallet ||
    db.query("SELECT 1 FROM payout WHERE wallet = ?").get(wallet) !== null);

/** Money that has moved, or is moving. */
const movement = columns("movement", {
  /** Unix time in milliseconds. */
  at: integer(),
  /** `elsewhere`: settled by somebody else's transaction. */
  kind: text<"settled" | "elsewhere" | "withdrawn">(),
  id: integer(),
  state: text<"pending" | "done" | "failed">(),
  /** Why a withdrawal failed. */
  failure: orNull(text<WithdrawalFailure>()),
  amount: usdc(),
  /** How many deposits it was to settle, and how many of them failed. */
  deposits: integer(),
  failed: integer(),
  /** The destination; one of them when there are several wallets. */
  to: text<Address>("to_address"),
  wallets: integer(),
  txHash: orNull(text()),
  /** The desk form or the refund that began a withdrawal; null for others. */
  formKey: orNull(text("form_key")),
});
export type Movement = ReturnType<typeof movement.fromRow>;

/** A place in the list of movements. */
export type MovementCursor = Place<Movement["kind"]>;

const ofTransaction = "FROM settlement WHERE transaction_id = gas_transaction.id";
const walletsOfTransaction =
  "FROM settlement JOIN receivable USING (deposit_index) WHERE transaction_id = gas_transaction.id";

const movements = newestOf([
  {
    kind: "settled",
    // Those of `till recover` pay out deposits that the books do not know.
    rows: `gas_transaction WHERE purpose = 'settle' AND EXISTS (SELECT 1 ${ofTransaction})`,
    found: `CASE state WHEN 'pending' THEN 'pending' WHEN 'reverted' THEN 'failed' ELSE 'done' END AS state,
      NULL AS failure,
      (SELECT coalesce(sum(amount), 0) ${ofTransaction}) AS amount,
      (SELECT count(*) ${ofTransaction}) AS deposits,
      (SELECT count(*) ${ofTransaction} AND state = 'failed') AS failed,
      (SELECT coalesce(min(payout_wallet), '') ${walletsOfTransaction}) AS to_address,
      (SELECT count(DISTINCT payout_wallet) ${walletsOfTransaction}) AS wallets, tx_hash, NULL AS form_key`,
  },
  {
    kind: "elsewhere",
    rows: "settlement WHERE state = 'elsewhere'",
    found: `'done', NULL, amount, 1, 0,
      (SELECT payout_wallet FROM receivable WHERE receivable.deposit_index = settlement.deposit_index), 1, tx_hash, NULL`,
  },
  {
    kind: "withdrawn",
    rows: "withdrawal WHERE true",
    found: "state, failure, amount, 0, 0, to_address, 1, tx_hash, form_key",
  },
]);

/** Settlements and withdrawals, newest first, those before a place. */
export function listMovements(
  db: Db,
  { before, limit }: { before: MovementCursor | null; limit: number },
): Page<Movement> {
  const rows = db
    .query<Row<Movement>, Place & { limit: number }>(movements)
    .all({ ...(before ?? beginning), limit: limit + 1 });
  return pageOf(rows.map(movement.fromRow), limit);
}
