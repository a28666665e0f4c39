import { readBalance } from "../chain/account/account.ts";
import type { Wallet } from "../chain/account/wallet.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import { type Finding, warning } from "../domain/finding.ts";
import * as Usdc from "../domain/usdc.ts";
import * as DepositAddress from "../domain/wallet/deposit-address.ts";
import { messageOf } from "../lib/error.ts";
import { backoffMs, createWakeable, sleep } from "../lib/loop.ts";
import type { Db } from "../store/database.ts";
import * as GasTransactionStore from "../store/tables/settle/gas-transaction.ts";
import * as SettlementStore from "../store/tables/settle/settlement.ts";
import * as UnsettledStore from "../store/tables/settle/unsettled.ts";
import { prospect } from "./by-hand.ts";
import { createGasNodes, describeShortage, type GasAccount } from "./gas-account.ts";
import { advanceAll, type Job } from "./gas-transaction.ts";
import { begin, run as runJobs } from "./run.ts";
import * as Settlement from "./settlement.ts";

/** How often to check what is on its way. Nobody waits for it. */
const pollMs = 2_000;
const localPollMs = 100;

/** How often to check whether somebody has sent ETH, or whatever else is missing. */
const blockedPollMs = 60_000;

/** How often at least to check the database for due retries. This does not call the node. */
const idleMsMax = 300_000;

const failureDelayMs = { min: 1_000, max: 60_000 };

/** Maximum settlements on their way at a time; more would only wait longer. */
const batchesOnTheWayMax = 4;

const failedNamedMax = 5;

export type Settler = {
  /** Call it when there may be something to settle. */
  wake(): void;
  /** Begins to settle everything possible; `retry` includes what failed before. Throws when the node fails. */
  settleNow(retry: boolean): Promise<SettleOutcome>;
  /** Findings that somebody must look at. Payments are credited regardless. */
  warnings(): Finding[];
  /** In wei; null until the gas account is first read. */
  gasBalance(): bigint | null;
  /** Calls to the nodes since the start, by method. */
  requests(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
};

/** The answer to a request to settle. */
export type SettleOutcome =
  /** Number of deposits on their way. */
  | { kind: "begun"; deposits: number }
  /** Nothing can be settled just now. */
  | { kind: "nothing" }
  /** A sentence saying why nothing could be begun. */
  | { kind: "waits"; reason: string };

type SettlerDeps = {
  config: Config;
  db: Db;
  log: Log;
  now: () => number;
  wallet: Promise<Wallet>;
  /** How long to leave the node alone while the gas account is empty, in ms. */
  blockedMs?: number;
};

/**
 * Sends every pending transaction of the gas account, and settles confirmed money if so configured. Does not call the
 * node while there is nothing to do.
 */
export function startSettler(deps: SettlerDeps): Settler {
  const { config, db, log, now, wallet, blockedMs = blockedPollMs } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const bell = createWakeable();
  /** Rung when somebody asks: wakes the loop even while it is blocked. */
  const askedBell = createWakeable();
  const settling = new Set<Promise<unknown>>();
  const { withNode, requests } = createGasNodes({ config, db, now, wallet, signal });
  const rules = { usdc: config.network.usdc, min: config.settleMin };
  const { chainId } = config.network;
  const onTheWayMs = config.network.isLocal ? localPollMs : pollMs;

  let gasBalance: bigint | null = null;
  let failures = 0;
  /** A sentence saying why nothing moves, logged once while it lasts; null if nothing is in the way. */
  let blocked: string | null = null;
  function setBlocked(reason: string | null) {
    if (reason !== null && reason !== blocked) log.warn("settlement.waiting", "settlement waits", { reason });
    if (reason === null && blocked !== null) log.info("settlement.resumed", "settlement resumed");
    blocked = reason;
  }

  const saidLate = new Set<number>();
  function sayLate() {
    for (const { id, nonce, reason: purpose } of GasTransactionStore.listLate(db, chainId)) {
      if (saidLate.has(id)) continue;
      saidLate.add(id);
      log.warn("gas.late", "the chain does not take a transaction of the gas account", { nonce, purpose });
    }
  }

  const anythingToDo = () =>
    GasTransactionStore.listPending(db, chainId).length > 0 ||
    SettlementStore.listUnrecorded(db, chainId).length > 0 ||
    (config.settle === "auto" && Settlement.anyDue({ db, now }, rules));

  /** Runs one round with one node. Returns how long to wait for the next, in ms. */
  async function settle(gas: GasAccount): Promise<number> {
    gasBalance = await readBalance(gas.rpc, gas.wallet.gasAddress);
    let reason = await advanceAll(gas);
    sayLate();
    const unread = await Settlement.recordResults(gas, rules, logResults);
    if (config.settle === "auto") reason ??= await startBatches(gas);
    reason ??= unread;
    setBlocked(reason);
    return reason === null ? onTheWayMs : blockedMs;
  }

  /** Starts what can be started. Returns why nothing can be; null if all is well. */
  async function startBatches(gas: GasAccount): Promise<string | null> {
    const { batches } = await Settlement.plan(gas, rules);
    // Payers' signed payments are pending all day; they must not use up the shop's slots.
    const pending = GasTransactionStore.listPending(db, chainId);
    const onTheWay = pending.filter(({ purpose }) => purpose !== "relay").length;
    const next = batches.slice(0, Math.max(0, batchesOnTheWayMax - onTheWay));
    const jobs = next.map((batch) => Settlement.jobOf(gas, batch, rules));
    let isNew = false;
    const { obstacle } = await begin(gas, jobs, ({ reason: purpose, nonce }, isFirst) => {
      if (!isFirst) return;
      isNew = true;
      log.info("settlement.started", "a transaction is on its way", { purpose, nonce });
    });
    return obstacle ?? (isNew ? await advanceAll(gas) : null);
  }

  function logResults(recorded: readonly Settlement.RecordedSettlement[]) {
    const settled = recorded.flatMap(({ result }) => (result.state === "settled" ? [result.amount] : []));
    const tx = recorded[0]?.txHash;
    if (recorded[0]?.isUnread)
      log.warn("settlement.unread", "no node shows the receipt of a settlement: balances decide", { tx });
    if (settled.length > 0) {
      log.info("settlement.done", "deposits were settled", {
        count: settled.length,
        amount: Usdc.formatExact(Usdc.sum(settled)),
        tx,
      });
    }
    for (const { deposit, txHash, result } of recorded) {
      if (result.state !== "failed") continue;
      log.warn("settlement.failed", "the money of a deposit could not be moved", {
        deposit: deposit.address,
        wallet: deposit.payoutWallet,
        tx: txHash,
        next: new Date(result.retryAt).toISOString(),
      });
    }
  }

  async function run() {
    // If the wallet cannot be opened, Till's start fails and says so.
    if ((await wallet.catch(() => null)) === null) return;
    while (!signal.aborted) {
      try {
        if (!anythingToDo()) {
          setBlocked(null);
          await bell.wait(idleMsMax, signal);
          continue;
        }
        const waitMs = await withNode(settle);
        failures = 0;
        // While blocked, a new payment does not wake the loop.
        await (blocked !== null ? askedBell : bell).wait(waitMs, signal);
      } catch (thrown) {
        if (signal.aborted) return;
        failures += 1;
        setBlocked(messageOf(thrown));
        await sleep(backoffMs(failures, failureDelayMs), signal);
      }
    }
  }

  async function beginNow(gas: GasAccount, retry: boolean): Promise<SettleOutcome> {
    const wanted = { ...rules, retry };
    const { plan, fee } = await prospect(gas, wanted);
    if (plan.batches.length === 0) return { kind: "nothing" };
    if (fee.shortage) return { kind: "waits", reason: describeShortage(fee.shortage) };
    const jobs = plan.batches.map((batch) => Settlement.jobOf(gas, batch, wanted));
    const { isFactoryMissing, obstacle } = await begin(gas, jobs, () => {});
    if (obstacle !== null) return { kind: "waits", reason: obstacle };
    // The loop creates the factory; the jobs can begin once it exists.
    if (isFactoryMissing) keep(begunAfterFactory(gas, jobs));
    bell.wake();
    askedBell.wake();
    return { kind: "begun", deposits: plan.batches.flat().length };
  }

  async function begunAfterFactory(gas: GasAccount, jobs: readonly Job[]): Promise<void> {
    const { obstacle } = await runJobs(gas, jobs, signal);
    if (obstacle !== null && !signal.aborted) setBlocked(obstacle);
    // The results still have to be recorded.
    bell.wake();
  }

  function keep(work: Promise<unknown>): void {
    settling.add(work);
    void work.finally(() => settling.delete(work));
  }

  const running = run().catch((thrown) =>
    log.error("settlement.stopped", "nothing is settled any more: restart Till", {
      reason: messageOf(thrown),
    }),
  );

  return {
    wake: bell.wake,
    settleNow: (retry) => withNode((gas) => beginNow(gas, retry)),
    warnings() {
      const which = { factory: DepositAddress.factory, min: rules.min };
      const { count, addresses } = UnsettledStore.summarizeFailed(db, which, failedNamedMax);
      const failed = `the money of ${count} deposits could not be moved: ${addresses.join(", ")}`;
      return [
        ...(blocked === null ? [] : [warning("settlement", `settlement waits: ${blocked}`)]),
        ...(count === 0 ? [] : [warning("settlement", failed, null, { code: "stuck", count })]),
      ];
    },
    gasBalance: () => gasBalance,
    requests,
    async stop() {
      stopping.abort();
      await Promise.allSettled([running, ...settling]);
    },
  };
}
