import type { Holdings } from "../chain/contract/balance.ts";
import { unexplainedBalance } from "../domain/payment/deposit.ts";
import type * as Address from "../domain/wallet/address.ts";
import { turn } from "../lib/loop.ts";
import type { Db } from "../store/database.ts";
import * as BalanceStore from "../store/tables/watch/balance.ts";
import type { WatchedDeposits } from "./deposits.ts";

/** Comparing this many addresses with the books takes some milliseconds. */
const comparedAtOnce = 1_000;

/** A deposit whose address holds something other than the books say. */
export type Difference = {
  index: number;
  address: Address.Address;
  /** In micro-USDC. */
  amount: bigint;
  balance: bigint;
  /** Its address has code for the first time, with no settlement in the books. */
  isEmptied: boolean;
  /** The difference is already being investigated. */
  isNoted: boolean;
};

type Comparing = {
  db: Db;
  deposits: Pick<WatchedDeposits, "isAsExpected" | "isEmptied" | "explained">;
};

/** Compares holdings with the books. */
export async function compare(
  { db, deposits }: Comparing,
  parts: readonly Holdings[],
  addresses: readonly Address.Address[],
  indices: readonly number[],
): Promise<Difference[]> {
  const differences: Difference[] = [];
  let at = 0;
  for (const { number: block, of } of parts) {
    for (const holding of of) {
      const index = indices[at] ?? -1;
      const address = addresses[at];
      at += 1;
      if (at % comparedAtOnce === 0) await turn();
      if (address === undefined || deposits.isAsExpected(index, holding)) continue;
      const { balance } = holding;
      const books = BalanceStore.books(db, index);
      const amount = unexplainedBalance(books, { balance, block });
      const isEmptied =
        holding.hasCode && books.settled === 0n && !books.isMoving && !deposits.isEmptied(index);
      if (isEmptied) {
        differences.push({ index, address, amount: amount ?? 0n, balance, isEmptied, isNoted: false });
      } else if (amount === 0n) {
        deposits.explained(index, holding);
      } else if (amount !== null) {
        const isNoted = BalanceStore.unexplained(db, index) !== null;
        differences.push({ index, address, amount, balance, isEmptied, isNoted });
      }
      // Without an amount the node is behind the books, or the money is moving: the next look decides.
    }
  }
  return differences;
}
