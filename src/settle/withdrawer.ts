import type { Log } from "../config/log-events.ts";
import { type Finding, warning } from "../domain/finding.ts";
import * as Usdc from "../domain/usdc.ts";
import { messageOf } from "../lib/error.ts";
import { createWakeable } from "../lib/loop.ts";
import { world } from "../lib/world.ts";
import type { Db } from "../store/database.ts";
import * as WithdrawalStore from "../store/tables/settle/withdrawal.ts";
import type { GasNodes } from "./gas-account.ts";
import { onItsWay } from "./run.ts";
import { carryOut, look, lookAgain, type WithdrawalOutcome } from "./withdraw.ts";

/** How often at least to check the database. This does not call the node. */
const idleMsMax = 60_000;
/** Retry interval of a withdrawal that waits for gas or for its authorisation to end. */
const waitingMs = 10_000;
/** The same when withdrawals cannot be listed. */
const unlistedMs = 1_000;
/** How often, and for how long, to check whether the chain still has ended withdrawals. */
const lookAgainMs = 600_000;
const lookedAtForMs = 86_400_000;
/** Maximum time for which a slow withdrawal holds up those of other wallets. */
const turnMs = 60_000;

type Withdrawer = {
  /** Call it when a withdrawal was begun. */
  wake(): void;
  /** Call it when blocks left the chain: checks ended withdrawals now, and at each turn for ten minutes. */
  lookAgain(): void;
  /** A sentence saying what holds up a pending withdrawal; null if nothing does. */
  obstacleOf(id: number): string | null;
  /** Findings about what holds up pending withdrawals; empty if nothing does. */
  warnings(): Finding[];
  stop(): Promise<void>;
};

type WithdrawerDeps = {
  db: Db;
  chainId: number;
  log: Log;
  now: () => number;
  withNode: GasNodes["withNode"];
};

/**
 * Finishes the withdrawals that the desk began, including those of an earlier run, and concludes the command line's
 * that nobody else does. Checks those of the last day again, which a reorganisation may undo.
 */
export function startWithdrawer({ db, chainId, log, now, withNode }: WithdrawerDeps): Withdrawer {
  const stopping = new AbortController();
  const { signal } = stopping;
  const bell = createWakeable();
  const obstacles = new Map<number, string>();
  /** Why they could not be listed; null if they could. */
  let problem: string | null = null;

  let lookedAt = Number.NEGATIVE_INFINITY;
  /** When blocks last left the chain. The nodes may need some time to agree on their content. */
  let reorgAt = Number.NEGATIVE_INFINITY;
  /** Why the ended ones could not be checked; null if they could. */
  let unlooked: string | null = null;

  async function carryOn(withdrawal: WithdrawalStore.Withdrawal): Promise<void> {
    const turn = AbortSignal.any([signal, world.timeout(turnMs)]);
    const isOfDesk = withdrawal.formKey !== null;
    tell(
      withdrawal,
      await withNode((gas) => (isOfDesk ? carryOut(gas, withdrawal, turn, false) : look(gas, withdrawal))),
    );
  }

  function tell(withdrawal: WithdrawalStore.Withdrawal, outcome: WithdrawalOutcome): void {
    const fields = { amount: Usdc.formatExact(withdrawal.amount), to: withdrawal.to };
    if (outcome.kind === "pending") setObstacle(withdrawal, outcome.reason);
    else obstacles.delete(withdrawal.id);
    if (outcome.kind === "done")
      log.info("withdrawal.done", "a withdrawal was made", { ...fields, tx: outcome.txHash });
    if (outcome.kind !== "failed") return;
    const { txHash: tx, reason } = outcome;
    log.warn("withdrawal.failed", "a withdrawal was not made and will not be", { reason, ...fields, tx });
    if (!outcome.isExposure) return;
    log.error(
      "wallet.exposed",
      "somebody else has the words of the wallet: withdraw what is left to another one now",
      { wallet: withdrawal.from, tx },
    );
  }

  /** Logged once while it lasts. */
  function setObstacle({ id, amount, to }: WithdrawalStore.Withdrawal, reason: string): void {
    if (reason !== onItsWay && obstacles.get(id) !== reason)
      log.warn("withdrawal.waiting", "a withdrawal waits", { reason, amount: Usdc.formatExact(amount), to });
    obstacles.set(id, reason);
  }

  function listPending(): WithdrawalStore.Withdrawal[] {
    try {
      problem = null;
      // The command line concludes its own while they are valid.
      return WithdrawalStore.listPending(db, chainId).filter(
        ({ formKey, validBeforeSec }) => formKey !== null || now() >= validBeforeSec * 1_000,
      );
    } catch (thrown) {
      problem = messageOf(thrown);
      return [];
    }
  }

  async function lookAtEnded(): Promise<void> {
    const isRecent = (at: number) => Math.abs(now() - at) < lookAgainMs;
    if (isRecent(lookedAt) && !isRecent(reorgAt)) return;
    for (const ended of WithdrawalStore.listEnded(db, chainId, now() - lookedAtForMs)) {
      const outcome = await withNode((gas) => lookAgain(gas, ended));
      if (outcome === null) continue;
      const facts = { amount: Usdc.formatExact(ended.amount), to: ended.to, tx: ended.txHash };
      log.warn("withdrawal.left", "the end of a withdrawal left the chain", facts);
      tell(ended, outcome);
    }
    lookedAt = now();
    unlooked = null;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await lookAtEnded().catch((thrown) => {
        unlooked = `Withdrawals of the last day cannot be looked at again: ${messageOf(thrown)}.`;
      });
      const pending = listPending();
      for (const id of obstacles.keys())
        if (problem === null && !pending.some((each) => each.id === id)) obstacles.delete(id);
      for (const withdrawal of pending) {
        if (signal.aborted) return;
        await carryOn(withdrawal).catch((thrown) => {
          if (!signal.aborted) setObstacle(withdrawal, messageOf(thrown));
        });
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
    lookAgain() {
      reorgAt = now();
      bell.wake();
    },
    obstacleOf: (id) => obstacles.get(id) ?? problem,
    warnings: () =>
      [...new Set([...obstacles.values(), unlooked ?? onItsWay])]
        .filter((each) => each !== onItsWay)
        .map((reason) => warning("wallet", `a withdrawal waits: ${reason}`)),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
