import { call } from "../../chain/contract/token.ts";
import { readConfirmed } from "../../chain/node/confirmations.ts";
import { RpcError } from "../../chain/node/rpc.ts";
import * as Ether from "../../domain/ether.ts";
import { transact } from "../../store/database.ts";
import type { GasTransaction } from "../../store/tables/settle/gas-transaction.ts";
import * as GasTransactionStore from "../../store/tables/settle/gas-transaction.ts";
import type { GasAccount, Market } from "../gas-account.ts";
import { spending } from "./budget.ts";

/** A transaction that does nothing. */
const idleData = "0x";
const idleGas = 21_000n;

/** How long the trial run on a relay's acceptance remains valid. */
const trialHoldsMs = 15_000;

/** Why a relay waits. */
type Held =
  /** At these fees it would exceed the budget. */
  | { kind: "fees-high"; reason: string }
  /** The token would not execute it now. */
  | { kind: "pointless" }
  /** It was emptied, because others wait for its nonce. */
  | { kind: "waiting" };

/**
 * Returns why a relay must not offer a fee now, or a higher one; null if it may, as every other transaction may. Fees
 * may have risen since it was accepted, and the payer may have changed their mind: the budget and a trial run are
 * checked before each signature. A settlement or a withdrawal behind its nonce does not wait with it: the relay's
 * transaction is then emptied.
 */
export async function holdRelay(
  gas: GasAccount,
  transaction: GasTransaction,
  { fees: { max }, dataFee }: Market,
): Promise<Held | null> {
  const { db, now, relayBudget } = gas;
  const { id, purpose, gasLimit, createdAt } = transaction;
  if (purpose !== "relay" || isIdle(transaction)) return null;
  const cost = gasLimit * max + dataFee;
  let held: Held | null = null;
  if (cost + spending(gas, max, { inFavourOf: transaction }) > relayBudget) {
    const reason = `Payments by a signature may cost ${Ether.format(relayBudget)} ETH in 24 hours, and at these fees they would cost more. They wait until fees fall.`;
    held = { kind: "fees-high", reason };
  } else if (Math.abs(now() - createdAt) >= trialHoldsMs && (await isRefused(gas, transaction))) {
    held = { kind: "pointless" };
  }
  if (held === null || !isInTheWay(gas, transaction)) return held;
  transact(db, () => makeIdle(gas, id));
  return { kind: "waiting" };
}

/** Returns whether the token would refuse it, both in its current state and in a final one. */
async function isRefused(
  { rpc, wallet, confirmations }: GasAccount,
  { to, data, gasLimit }: GasTransaction,
): Promise<boolean> {
  const { stateBlock } = await readConfirmed(rpc, confirmations);
  for (const block of ["latest", stateBlock] as const)
    try {
      await call(rpc, to, data, { from: wallet.gasAddress, gas: Number(gasLimit), block });
      return false;
    } catch (thrown) {
      // The usual code for a revert is 3, but not every node sends it.
      const isRevert = thrown instanceof RpcError && (thrown.code === 3 || /revert/i.test(thrown.reason));
      if (!isRevert) throw thrown;
    }
  return true;
}

/** Returns whether something other than a relay, without a limit of its own, waits for a transaction's nonce. */
export function isInTheWay({ db, chainId }: GasAccount, { nonce }: GasTransaction): boolean {
  return GasTransactionStore.listPending(db, chainId).some(
    (other) => other.nonce > nonce && other.purpose !== "relay" && other.feeMax === null,
  );
}

/** Returns whether it does nothing but use up its nonce. */
export const isIdle = ({ data }: Pick<GasTransaction, "data">): boolean => data === idleData;

/** Lets a transaction that can no longer do its work use up its nonce for the least gas. Call it in a transaction. */
export function makeIdle({ db, wallet }: GasAccount, id: number): void {
  GasTransactionStore.makeIdle(db, id, { to: wallet.gasAddress, data: idleData, gasLimit: idleGas });
}
