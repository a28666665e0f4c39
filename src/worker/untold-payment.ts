import { mustBeOnChain } from "../chain/scan.ts";
import type { Address } from "../domain/address.ts";
import * as ColdBalanceStore from "../store/cold-balance.ts";
import type { Db } from "../store/database.ts";
import type { WatchedDeposit } from "../store/deposit.ts";
import type { ChoreFacts } from "./chores.ts";

/**
 * Deposits with more money than the books have: what came is in none of the blocks as this node told them. Less says
 * nothing, as anybody may move what is there. It has to be so as of the checkpoint, as what came later is found
 * later, and now, as what was there may just have been settled.
 */
export async function listUntold(
  db: Db,
  deposits: readonly WatchedDeposit[],
  { provider: { rpc, balances }, checkpoint }: ChoreFacts,
): Promise<number[]> {
  async function thatExceed(some: readonly WatchedDeposit[], block: number | "latest") {
    const booked = some.map(({ index }) => ColdBalanceStore.booked(db, index));
    const found = await balances.read(
      some.map(({ address }) => address),
      block,
    );
    return some.filter((_, i) => (found[i] ?? 0n) > (booked[i] ?? 0n));
  }
  const suspect = await thatExceed(deposits, checkpoint.number);
  // Neither its logs nor its balances would say anything if it were on another chain, or not so far.
  await mustBeOnChain(rpc, checkpoint);
  const untold = await thatExceed(suspect, "latest");
  return untold.map(({ index }) => index);
}

/** A node gives blocks without the transfer that must be in them. */
export class PaymentUntold extends Error {
  override readonly name = "PaymentUntold";
  constructor(host: string, blocks: { from: number; to: number }, address: Address, others: number) {
    const where = others === 0 ? address : `${address} and ${others} more`;
    super(
      `${host} tells of no transfer in blocks ${blocks.from} to ${blocks.to} for money that came to ${where}`,
    );
  }
}
