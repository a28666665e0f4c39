import { type Call, factoryDeployment, settleCall } from "../chain/settle-call.ts";
import type { Address } from "../domain/address.ts";
import * as DepositAddress from "../domain/deposit-address.ts";
import { chunks } from "../lib/chunks.ts";
import type { Hex } from "../lib/hex.ts";
import type { Intent, Purpose } from "../store/gas-transaction.ts";
import * as GasTransactionStore from "../store/gas-transaction.ts";
import { type GasAccount, obstacleOf, submit, waitFor } from "./gas-transaction.ts";
import { factoryState } from "./settlement.ts";

/** Pays out deposits that the database does not know: after a disaster, and on other chains. */

export type Target = { payoutWallet: Address; salt: Hex };

/**
 * The transactions that pay out these deposits, the creation of the factory first where it is missing. Throws a
 * NoFactory on a chain where it cannot be created.
 */
export async function calls(gas: GasAccount, token: Address, targets: readonly Target[]): Promise<Call[]> {
  const settlements = chunks(targets, DepositAddress.settlementDepositsMax).map((batch) =>
    settleCall(token, batch),
  );
  const factory = await factoryState(gas);
  if (factory.kind === "impossible") throw new NoFactory(`Nothing can be moved: ${factory.reason}.`);
  return factory.kind === "there" ? settlements : [factoryDeployment, ...settlements];
}

/** `obstacle` is what is in the way, as a sentence; null when all transactions are final, whatever they did. */
export type Sent = { obstacle: string | null; txHashes: Hex[] };

/**
 * Sends transactions one after the other and waits for each. What is on its way already, from an earlier run or
 * another process, is waited for and not sent again. What they did is for balances and logs to tell.
 */
export async function sendCalls(
  gas: GasAccount,
  needed: readonly Call[],
  { purpose, reason }: { purpose: Purpose; reason: string },
  signal?: AbortSignal,
): Promise<Sent> {
  const txHashes: Hex[] = [];
  for (const call of needed) {
    const isDeployment = call.to === DepositAddress.deployer;
    const intent: Intent = {
      ...call,
      purpose: isDeployment ? "deploy" : purpose,
      chainId: gas.chainId,
      reason: isDeployment ? "create Till's factory" : reason,
    };
    let id = pendingId(gas, intent);
    if (id === null) {
      const submitted = await submit(gas, intent, { stillWanted: () => pendingId(gas, intent) === null });
      const obstacle = obstacleOf(submitted);
      if (obstacle !== null) return { obstacle, txHashes };
      id = submitted.kind === "submitted" ? submitted.transaction.id : pendingId(gas, intent);
    }
    // Another process has sent it and seen it end, all since the look before.
    if (id === null) continue;
    const progress = await waitFor(gas, id, signal);
    if (progress.kind === "final") {
      if (progress.transaction.txHash !== null) txHashes.push(progress.transaction.txHash);
      continue;
    }
    const onItsWay = "A transaction is on its way and not confirmed yet. The same command goes on with it.";
    return { obstacle: obstacleOf(progress) ?? onItsWay, txHashes };
  }
  return { obstacle: null, txHashes };
}

function pendingId({ db, chainId }: GasAccount, { to, data }: Intent): number | null {
  const same = GasTransactionStore.listPending(db, chainId).find(
    (each) => each.to === to && each.data === data,
  );
  return same?.id ?? null;
}

export class NoFactory extends Error {
  override readonly name = "NoFactory";
}
