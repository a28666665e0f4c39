import { readHoldings } from "../../chain/contract/balance.ts";
import { type Rpc, RpcError } from "../../chain/node/rpc.ts";
import { unexplainedBalance } from "../../domain/payment/deposit.ts";
import type { Address } from "../../domain/wallet/address.ts";
import type { Db } from "../../store/database.ts";
import * as BalanceStore from "../../store/tables/watch/balance.ts";
import type { WatchedDeposit } from "../../store/tables/watch/watched.ts";

/** The means of reading: a node, and the token. */
type Reading = { db: Db; rpc: Rpc; usdc: Address };

/** How much more an address holds than the books explain; null if unknown yet. */
export type More = { deposit: WatchedDeposit; amount: bigint | null };

/** Finds the deposits that may hold more than the books explain at the newest block, and returns that block. */
export async function listWithMore(
  { db, rpc, usdc }: Reading,
  deposits: readonly WatchedDeposit[],
): Promise<{ head: number; more: More[] }> {
  const addresses = deposits.map(({ address }) => address);
  const parts = await readHoldings(rpc, usdc, addresses, "latest");
  const held = parts.flatMap(({ number: block, of }) => of.map(({ balance }) => ({ balance, block })));
  const more = deposits.flatMap((deposit, at): More[] => {
    const holding = held[at];
    if (!holding) return [];
    const amount = unexplainedBalance(BalanceStore.books(db, deposit.index), holding);
    return amount === null || amount > 0n ? [{ deposit, amount }] : [];
  });
  return { head: Math.min(...parts.map(({ number }) => number)), more };
}

/**
 * Finds by halving the first of `range` blocks, between `from` and `to`, in one of which money that the books do not
 * explain first came to these deposits; null if there is none, and "unknown" if the node has no state for blocks that
 * old. Does not find money that came and went in between.
 */
export async function firstUntold(
  { db, rpc, usdc }: Reading,
  deposits: readonly WatchedDeposit[],
  { from, to, range }: { from: number; to: number; range: number },
): Promise<number | null | "unknown"> {
  const between = { first: deposits[0]?.index ?? 0, last: deposits.at(-1)?.index ?? 0 };
  const addresses = deposits.map(({ address }) => address);

  /** The money that all of them held right after a block beyond what transfers in the books up to it explain. */
  async function untoldAt(block: number): Promise<bigint> {
    const parts = await readHoldings(rpc, usdc, addresses, block);
    const expected = BalanceStore.expectedAt(db, between, block);
    const held = parts.flatMap(({ of }) => of);
    let untold = 0n;
    for (const [at, { index }] of deposits.entries()) {
      const more = (held[at]?.balance ?? 0n) - (expected.get(index) ?? 0n);
      if (more > 0n) untold += more;
    }
    return untold;
  }

  try {
    const before = await untoldAt(from - 1);
    if ((await untoldAt(to)) <= before) return null;
    let low = from;
    let high = to;
    while (high - low >= range) {
      const middle = Math.floor((low + high) / 2);
      if ((await untoldAt(middle)) > before) high = middle;
      else low = middle + 1;
    }
    return low;
  } catch (thrown) {
    // Nodes have no common code for it.
    if (thrown instanceof RpcError) return "unknown";
    throw thrown;
  }
}
