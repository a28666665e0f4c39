import { messageOf } from "../lib/error.ts";
import type { GasTransaction } from "../store/tables/settle/gas-transaction.ts";
import * as GasTransactionStore from "../store/tables/settle/gas-transaction.ts";
import { deployment, factoryState } from "./factory.ts";
import type { GasAccount } from "./gas-account.ts";
import { type Job, obstacleOf, submit, waitFor } from "./gas-transaction.ts";

/**
 * Sends settlements. The server begins them and comes back later; a command runs them to their end. Several processes
 * may do so at once: what one has sent, the others wait for.
 */

type RunStart = {
  /** The creation of the factory is on its way: the jobs have to be begun again after it. */
  isFactoryMissing: boolean;
  /** Why no more could be begun, as a sentence; null when all is well. */
  obstacle: string | null;
};

/**
 * Submits jobs in their order, or the creation of the factory while there is none. `onBegun` hears of each transaction
 * that is on its way now, and whether it is new. Throws when the node fails or answers nonsense.
 */
export async function begin(
  gas: GasAccount,
  jobs: readonly Job[],
  onBegun: (transaction: GasTransaction, isNew: boolean) => void,
): Promise<RunStart> {
  if (jobs.length === 0) return { isFactoryMissing: false, obstacle: null };
  const creation = deployment(gas);
  const factory = await factoryState(gas);
  const isFactoryMissing = factory.kind !== "there";
  if (factory.kind === "impossible")
    return { isFactoryMissing, obstacle: `Nothing can be moved: ${factory.reason}.` };
  for (const job of isFactoryMissing ? [creation] : jobs) {
    let transaction = pending(gas, job);
    if (transaction) onBegun(transaction, false);
    else {
      const stillWanted = job.stillWanted ?? (() => pending(gas, job) === null);
      const submitted = await submit(gas, { ...job, stillWanted });
      const obstacle = obstacleOf(submitted);
      if (obstacle !== null) return { isFactoryMissing, obstacle };
      // None when another process has sent it and seen it end, all since the look before.
      transaction = submitted.kind === "submitted" ? submitted.transaction : pending(gas, job);
      if (transaction) onBegun(transaction, submitted.kind === "submitted");
    }
  }
  return { isFactoryMissing, obstacle: null };
}

type RunResult = {
  /** What was sent for the jobs, or found on its way, as it is now. */
  transactions: GasTransaction[];
  /** What is in the way, as a sentence; null when all are final, whatever they did. */
  obstacle: string | null;
};

/**
 * Begins jobs and waits until they are final or the signal aborts. Safe to repeat: what was begun goes on. What they
 * did is for balances and logs to tell.
 */
export async function run(gas: GasAccount, jobs: readonly Job[], signal?: AbortSignal): Promise<RunResult> {
  const begun = new Set<number>();
  let obstacle: string | null;
  try {
    let isFactoryMissing: boolean;
    do {
      ({ isFactoryMissing, obstacle } = await begin(gas, jobs, ({ id }) => begun.add(id)));
      for (const id of begun) obstacle = (await finish(gas, id, signal)) ?? obstacle;
    } while (isFactoryMissing && obstacle === null);
  } catch (thrown) {
    obstacle = messageOf(thrown);
  }
  const transactions = [...begun].flatMap((id) => GasTransactionStore.byId(gas.db, id) ?? []);
  return { transactions: transactions.filter(({ purpose }) => purpose !== "deploy"), obstacle };
}

/** Waits until a transaction is final. Returns why it is not, as a sentence; null when it is. */
export async function finish(
  gas: GasAccount,
  id: number,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const progress = await waitFor(gas, id, signal);
  if (progress.kind === "final") return null;
  return obstacleOf(progress) ?? "A transaction is on its way and not confirmed yet.";
}

/** What waits already, from an earlier run or another process, and does the same. */
function pending({ db, chainId }: GasAccount, { to, data }: Job): GasTransaction | null {
  const all = GasTransactionStore.listPending(db, chainId);
  return all.find((each) => each.to === to && each.data === data) ?? null;
}
