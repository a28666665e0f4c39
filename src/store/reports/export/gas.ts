import type { Address } from "../../../domain/wallet/address.ts";
import {
  columns,
  computed,
  decimalText,
  integer,
  join,
  orNull,
  selectEach,
  text,
  usdc,
} from "../../columns.ts";
import type { Db } from "../../database.ts";
import { page } from "../../page.ts";
import type * as SettlementStore from "../../tables/settle/settlement.ts";
import { joinOwner, owner } from "./export.ts";

/** The gas account's settlements and withdrawals for exports and lists, and the cost of each transaction. */

const place = { blockNumber: orNull(integer()), minedAt: orNull(integer()) };

/** The transaction and its block; all null while it is not on the chain, or not by a transaction of Till's. */
const onChain = columns("gas_transaction", { txHash: orNull(text()), ...place });
export type ChainPlace = ReturnType<typeof onChain.fromRow>;

const settlement = {
  ...join(
    join(
      columns("settlement", {
        id: integer(),
        state: text<SettlementStore.State>(),
        amount: usdc(),
        retryAt: orNull(integer()),
        createdAt: integer(),
        /** Also of somebody else's transaction. */
        movedBy: computed("coalesce(settlement.tx_hash, gas_transaction.tx_hash)", orNull(text())),
        movedIn: computed("settlement.block_number", orNull(integer())),
      }),
      columns("receivable", {
        depositAddress: text("address"),
        payoutWallet: text(),
        invoiceId: computed("invoice.id", orNull(text())),
      }),
    ),
    join(owner, onChain),
  ),
  from: `settlement ${joinOwner} LEFT JOIN gas_transaction ON gas_transaction.id = transaction_id`,
};

export type ExportedSettlement = ReturnType<typeof settlement.fromRow>;

/** Every settlement of a deposit, in the order they were begun. */
export const eachSettlement = (db: Db): Generator<ExportedSettlement> =>
  selectEach(db, settlement, "ORDER BY settlement.id");

type SettlementFilter = {
  limit: number;
  /** Only those with a lower id. */
  before?: number | undefined;
  state?: SettlementStore.State | undefined;
  deposit?: number | undefined;
  address?: Address | undefined;
};

/** Newest first. */
export function listSettlements(db: Db, { limit, before, state, deposit, address }: SettlementFilter) {
  // The condition of the index of unusual states.
  const unusual = state === undefined || state === "settled" ? null : "settlement.state <> 'settled'";
  return page(db, {
    from: settlement,
    equal: { "settlement.state": state, "settlement.deposit_index": deposit, "receivable.address": address },
    where: [unusual],
    order: ["settlement.id"],
    after: before,
    limit,
  });
}

const fee = {
  ...join(
    columns("gas_transaction", {
      id: integer(),
      purpose: text(),
      reason: text(),
      state: text(),
      chainId: integer(),
      nonce: integer(),
      /** In wei; null while pending, or when no node reported it. */
      fee: orNull(decimalText("fee_wei")),
      createdAt: integer(),
    }),
    onChain,
  ),
  from: "gas_transaction",
};

export type ExportedFee = ReturnType<typeof fee.fromRow>;

/** Every transaction of the gas account, in the order they were begun. */
export const eachFee = (db: Db): Generator<ExportedFee> => selectEach(db, fee, "ORDER BY id");

const withdrawal = {
  ...join(
    join(
      columns("withdrawal", {
        id: integer(),
        state: text(),
        account: integer("account_index"),
        from: text("from_address"),
        to: text("to_address"),
        amount: usdc(),
        createdAt: integer(),
        txHash: orNull(text()),
        formKey: orNull(text()),
      }),
      // Null when the database does not know the account's merchant.
      columns("merchant", { merchantEmail: orNull(text("email")) }),
    ),
    columns("gas_transaction", place),
  ),
  from: `withdrawal LEFT JOIN merchant USING (account_index) LEFT JOIN gas_transaction
    ON gas_transaction.id = transaction_id AND gas_transaction.tx_hash = withdrawal.tx_hash`,
};

type ExportedWithdrawal = ReturnType<typeof withdrawal.fromRow>;

/** Every withdrawal, in the order they were begun. Of a transaction sent by somebody else only the hash is known. */
export const eachWithdrawal = (db: Db): Generator<ExportedWithdrawal> =>
  selectEach(db, withdrawal, "ORDER BY withdrawal.id");
