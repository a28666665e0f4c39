import { messageOf } from "../lib/error.ts";
import type { GasTransaction } from "../store/tables/settle/gas-transaction.ts";
import * as GasTransactionStore from "../store/tables/settle/gas-transaction.ts";
import { deployment, factoryState } from "./factory.ts";
import type { GasAccount } from "./gas-account.ts";
import { type Job, obstacleOf, submit, waitFor } from "./gas-transaction.ts";

/**
 * Sends settlements. The server begins them and comes back later; a command runs them to the end. Several processes may
 * do so at once: one waits for what another has sent.
 */

type RunStart = {
  /** The factory's creation is on its way: begin the jobs again once it exists. */
  isFactoryMissing: boolean;
  /** A sentence saying why no more could be begun; null if all is well. */
  obstacle: string | null;
};

/**
 * Submits jobs in order, or the factory's creation if it is missing. Calls `onBegun` for each transaction now on its
 * way, saying whether it is new. Throws when the node fails or answers nonsense.
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
      // Null if another process has sent it and seen it end since the first look.
      transaction = submitted.kind === "submitted" ? submitted.transaction : pending(gas, job);
      if (transaction) onBegun(transaction, submitted.kind === "submitted");
    }
  }
  return { isFactoryMissing, obstacle: null };
}

type RunResult = {
  /** The jobs' transactions, newly sent or already on their way, as they are now. */
  transactions: GasTransaction[];
  /** A sentence saying what is in the way; null once all are final, whatever their outcome. */
  obstacle: string | null;
};

/**
 * Begins jobs and waits until they are final or the signal aborts. Safe to repeat: pending ones continue. Balances and
 * logs tell what they did.
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

/** The sentence for a transaction that nothing holds up. */
export const onItsWay = "A transaction is on its way and not confirmed yet.";

/** Waits until a transaction is final. Returns a sentence saying why it is not; null if it is. */
export async function finish(
  gas: GasAccount,
  id: number,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const progress = await waitFor(gas, id, signal);
  if (progress.kind === "final") return null;
  return obstacleOf(progress) ?? onItsWay;
}

/** The same transaction, already pending from an earlier run or another process. */
function pending({ db, chainId }: GasAccount, { to, data }: Job): GasTransaction | null {
  const all = GasTransactionStore.listPending(db, chainId);
  return all.find((each) => each.to === to && each.data === data) ?? null;
}
