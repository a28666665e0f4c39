import type { Log } from "../config/log-events.ts";
import * as Usdc from "../domain/usdc.ts";
import { messageOf } from "../lib/error.ts";
import { createWakeable } from "../lib/loop.ts";
import type { Db } from "../store/database.ts";
import * as WithdrawalStore from "../store/tables/settle/withdrawal.ts";
import type { GasNodes } from "./gas-nodes.ts";
import { carryOut } from "./withdraw.ts";

/** Check the database at least this often. This does not call the node. */
const idleMsMax = 60_000;
/** Retry interval of a withdrawal that waits for gas or for its authorisation to end. */
const waitingMs = 10_000;
/** The same when they cannot be listed. */
const unlistedMs = 1_000;
/** A slow withdrawal holds up those of other wallets for at most this long. */
const turnMs = 60_000;

type Withdrawer = {
  /** A withdrawal was begun. */
  wake(): void;
  /** A sentence that says what holds up a pending withdrawal; null when nothing does. */
  obstacleOf(id: number): string | null;
  stop(): Promise<void>;
};

/** Finishes the withdrawals that the desk began, including those of an earlier run. */
export function startWithdrawer({
  db,
  chainId,
  log,
  withNode,
}: {
  db: Db;
  chainId: number;
  log: Log;
  withNode: GasNodes["withNode"];
}): Withdrawer {
  const stopping = new AbortController();
  const { signal } = stopping;
  const bell = createWakeable();
  const obstacles = new Map<number, string>();
  /** Why they could not be listed; null when they could. */
  let problem: string | null = null;

  async function carryOn(withdrawal: WithdrawalStore.Withdrawal): Promise<void> {
    const turn = AbortSignal.any([signal, AbortSignal.timeout(turnMs)]);
    const outcome = await withNode((gas) => carryOut(gas, withdrawal, turn, false));
    obstacles.delete(withdrawal.id);
    if (outcome.kind === "pending") {
      obstacles.set(withdrawal.id, outcome.reason);
      return;
    }
    const fields = { amount: Usdc.formatExact(withdrawal.amount), to: withdrawal.to, tx: outcome.txHash };
    if (outcome.kind === "done") log.info("withdrawal.done", "a withdrawal was made", fields);
    else
      log.warn("withdrawal.failed", "a withdrawal was not made and will not be", {
        reason: outcome.reason,
        ...fields,
      });
  }

  function listPending(): WithdrawalStore.Withdrawal[] {
    try {
      problem = null;
      return WithdrawalStore.listPendingOfDesk(db, chainId);
    } catch (thrown) {
      problem = messageOf(thrown);
      return [];
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const pending = listPending();
      for (const withdrawal of pending) {
        if (signal.aborted) return;
        await carryOn(withdrawal).catch((thrown) => obstacles.set(withdrawal.id, messageOf(thrown)));
      }
      const idleMs = problem === null ? idleMsMax : unlistedMs;
      await bell.wait(pending.length === 0 ? idleMs : waitingMs, signal);
    }
  }

  const running = run().catch((thrown) =>
    log.error("withdrawal.stopped", "withdrawals of the desk do not go on: restart Till", {
      reason: messageOf(thrown),
    }),
  );
  return {
    wake: bell.wake,
    obstacleOf: (id) => obstacles.get(id) ?? problem,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
