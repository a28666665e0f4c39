import * as Usdc from "../domain/usdc.ts";
import { type Db, numberOrNull } from "./database.ts";

/** What the gas account did, for an export: settlements, withdrawals, and what each of its transactions cost. */

/** Where something is on the chain; null in each while it is not there, or not through a transaction of Till's. */
export type OnChain = {
  txHash: string | null;
  blockNumber: number | null;
  /** The time stamp of its block, in Unix milliseconds. */
  minedAt: number | null;
};

type OnChainRow = { tx_hash: string | null; block_number: bigint | null; mined_at: bigint | null };

function onChain(row: OnChainRow): OnChain {
  return {
    txHash: row.tx_hash,
    blockNumber: numberOrNull(row.block_number),
    minedAt: numberOrNull(row.mined_at),
  };
}

export type ExportedSettlement = OnChain & {
  /** `elsewhere`: somebody else has flushed the deposit. */
  state: string;
  amount: Usdc.Usdc;
  createdAt: number;
  depositAddress: string;
  payoutWallet: string;
  /** Of an invoice; null for a payment link. */
  sequence: number | null;
  linkSlug: string | null;
};

type SettlementRow = OnChainRow & {
  state: string;
  amount: bigint;
  created_at: bigint;
  address: string;
  payout_wallet: string;
  sequence: bigint | null;
  slug: string | null;
};

/** Every settlement of a deposit, in the order in which they were begun. */
export function* eachSettlement(db: Db): Generator<ExportedSettlement> {
  const rows = db
    .query<SettlementRow, []>(
      `SELECT settlement.state, amount, settlement.created_at, address, payout_wallet, invoice.sequence, link.slug,
         tx_hash, block_number, mined_at
       FROM settlement JOIN deposit USING (deposit_index) LEFT JOIN invoice USING (deposit_index)
         LEFT JOIN link USING (deposit_index) LEFT JOIN gas_transaction ON gas_transaction.id = transaction_id
       ORDER BY settlement.id`,
    )
    .iterate();
  for (const row of rows) {
    yield {
      ...onChain(row),
      state: row.state,
      amount: Usdc.fromMicro(row.amount),
      createdAt: Number(row.created_at),
      depositAddress: row.address,
      payoutWallet: row.payout_wallet,
      sequence: numberOrNull(row.sequence),
      linkSlug: row.slug,
    };
  }
}

export type ExportedFee = OnChain & {
  purpose: string;
  reason: string;
  state: string;
  chainId: number;
  nonce: number;
  /** In wei; null while it is pending, or when no node said. */
  fee: bigint | null;
  createdAt: number;
};

type FeeRow = OnChainRow & {
  purpose: string;
  reason: string;
  state: string;
  chain_id: bigint;
  nonce: bigint;
  fee_wei: string | null;
  created_at: bigint;
};

/** Every transaction of the gas account, in the order in which they were begun. */
export function* eachFee(db: Db): Generator<ExportedFee> {
  const rows = db
    .query<FeeRow, []>(
      `SELECT purpose, reason, state, chain_id, nonce, fee_wei, created_at, tx_hash, block_number, mined_at
       FROM gas_transaction ORDER BY id`,
    )
    .iterate();
  for (const row of rows) {
    yield {
      ...onChain(row),
      purpose: row.purpose,
      reason: row.reason,
      state: row.state,
      chainId: Number(row.chain_id),
      nonce: Number(row.nonce),
      fee: row.fee_wei === null ? null : BigInt(row.fee_wei),
      createdAt: Number(row.created_at),
    };
  }
}

export type ExportedWithdrawal = OnChain & {
  state: string;
  /** Whose managed wallet; null when the database does not know the account's merchant. */
  merchantEmail: string | null;
  account: number;
  from: string;
  to: string;
  amount: Usdc.Usdc;
  createdAt: number;
};

type WithdrawalRow = OnChainRow & {
  state: string;
  email: string | null;
  account_index: bigint;
  from_address: string;
  to_address: string;
  amount: bigint;
  created_at: bigint;
};

/**
 * Every withdrawal from a managed wallet, in the order in which they were begun. Of a transaction that somebody else
 * sent only the hash is known.
 */
export function* eachWithdrawal(db: Db): Generator<ExportedWithdrawal> {
  const rows = db
    .query<WithdrawalRow, []>(
      `SELECT withdrawal.state, email, account_index, from_address, withdrawal.to_address, amount,
         withdrawal.created_at, withdrawal.tx_hash, block_number, mined_at
       FROM withdrawal LEFT JOIN merchant USING (account_index)
         LEFT JOIN gas_transaction
           ON gas_transaction.id = transaction_id AND gas_transaction.tx_hash = withdrawal.tx_hash
       ORDER BY withdrawal.id`,
    )
    .iterate();
  for (const row of rows) {
    yield {
      ...onChain(row),
      state: row.state,
      merchantEmail: row.email,
      account: Number(row.account_index),
      from: row.from_address,
      to: row.to_address,
      amount: Usdc.fromMicro(row.amount),
      createdAt: Number(row.created_at),
    };
  }
}
