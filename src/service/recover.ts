import { createHoldingsReader } from "../chain/balance.ts";
import type { Rpc } from "../chain/rpc.ts";
import type { Wallet } from "../chain/wallet.ts";
import type { Address } from "../domain/address.ts";
import * as DepositAddress from "../domain/deposit-address.ts";
import * as Usdc from "../domain/usdc.ts";
import type { Hex } from "../lib/hex.ts";
import { type Db, transact } from "../store/database.ts";
import * as DepositStore from "../store/deposit.ts";
import * as FloorStore from "../store/floor.ts";
import * as WalletStore from "../store/wallet.ts";

/** So many indexes in a row without a trace on the chain end the search, unless told otherwise. */
export const gapDefault = 1_000;

/** The managed wallets of so many merchants are searched, unless told otherwise. */
export const accountsDefault = 20;

/** Indexes that are looked at in one go. */
const chunkIndexes = 50;

export type PayoutWallet = {
  address: Address;
  /** Of a managed wallet; null for `byo`. */
  account: number | null;
};

export type Found = {
  index: number;
  address: Address;
  payoutWallet: Address;
  salt: Hex;
  balance: Usdc.Usdc;
};

export type Search = {
  wallet: Wallet;
  rpc: Rpc;
  usdc: Address;
  payoutWallets: readonly PayoutWallet[];
  fromIndex: number;
  gap: number;
  /** Told after each chunk. */
  onProgress?: (searchedTo: number, found: number) => void;
};

export type Searched = {
  /** Every deposit address with a trace on the chain: money, or a forwarder that was created to pay it out. */
  found: Found[];
  /** The last index that was looked at. */
  searchedTo: number;
};

/**
 * Finds deposit addresses again from the words alone: the salt follows from the index, and the payout wallet is one
 * of a list. Looks at every index with every wallet until `gap` indexes in a row have no trace on the chain. Throws
 * what the node's answers make it throw.
 */
export async function search({
  wallet,
  rpc,
  usdc,
  payoutWallets,
  fromIndex,
  gap,
  onProgress,
}: Search): Promise<Searched> {
  const { factory, implementation } = DepositAddress;
  const readHoldings = createHoldingsReader(rpc, usdc);
  const found: Found[] = [];
  let end = fromIndex + gap;
  let next = fromIndex;
  while (next < end) {
    const first = next;
    // What is found moves the end: the next chunk begins where this one was cut off.
    next = Math.min(first + chunkIndexes, end);
    const candidates = Array.from({ length: next - first }, (_, i) => first + i).flatMap((index) => {
      const salt = DepositAddress.saltFor(wallet.addressSecret, index);
      return payoutWallets.map(({ address: payoutWallet }) => ({
        index,
        salt,
        payoutWallet,
        address: DepositAddress.derive({ factory, implementation, payoutWallet, salt }),
      }));
    });
    const holdings = await readHoldings(candidates.map(({ address }) => address));
    for (const [at, candidate] of candidates.entries()) {
      const holding = holdings[at];
      if (!holding || (holding.balance === 0n && !holding.created)) continue;
      found.push({ ...candidate, balance: Usdc.fromMicro(holding.balance) });
      end = Math.max(end, candidate.index + 1 + gap);
    }
    onProgress?.(next - 1, found.length);
  }
  return { found, searchedTo: next - 1 };
}

/**
 * Lets a database that lost its deposits go on after those that were found, so that no address is given out twice.
 * New ones begin half a gap further on: above addresses that nobody has paid yet, and near enough for the next search
 * to come to them. Invoice numbers begin at `nextInvoice`: the chain does not know those that customers have. Does
 * nothing to a database that has deposits of its own.
 */
export function continueAfter(
  db: Db,
  { wallet, payoutWallets, gap }: Search,
  { found, searchedTo }: Searched,
  nextInvoice: number,
): void {
  const lastIndex = Math.max(-1, ...found.map(({ index }) => index));
  const used = new Set(found.map(({ payoutWallet }) => payoutWallet));
  const accounts = payoutWallets
    .filter(({ address }) => used.has(address))
    .map(({ account }) => account ?? 0);
  transact(db, () => {
    if (DepositStore.any(db)) return;
    if (WalletStore.gasAddress(db) === null) WalletStore.setGasAddress(db, wallet.gasAddress);
    FloorStore.raise(db, {
      sequence: nextInvoice,
      depositIndex: Math.min(lastIndex + 1 + Math.ceil(gap / 2), searchedTo + 1),
      accountIndex: Math.max(0, ...accounts) + 1,
    });
  });
}
