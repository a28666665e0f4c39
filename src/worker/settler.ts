import { readBalance } from "../chain/account.ts";
import type { Wallet } from "../chain/wallet.ts";
import type { Config } from "../config.ts";
import * as DepositAddress from "../domain/deposit-address.ts";
import * as Usdc from "../domain/usdc.ts";
import { messageOf } from "../lib/error.ts";
import { backoffMs, createWakeable, sleep } from "../lib/loop.ts";
import type { Log } from "../log-events.ts";
import {
  advanceAll,
  type GasAccount,
  obstacleOf,
  type Submitted,
  timing,
} from "../service/gas-transaction.ts";
import * as Settlement from "../service/settlement.ts";
import type { Db } from "../store/database.ts";
import * as GasTransactionStore from "../store/gas-transaction.ts";
import * as SettlementStore from "../store/settlement.ts";
import { checkIdentity } from "./chain-identity.ts";
import { createProviders, type Provider } from "./providers.ts";
import { logExplained } from "./shortfalls.ts";

/** How often to look at what is on its way. Base makes a block every 2 s, a local chain at once. */
const pollMs = 2_000;
const localPollMs = 100;

/** How often to look whether somebody has sent ETH, or whatever else is missing. */
const blockedPollMs = 60_000;

/** A look into the database now and then, for what is due again after a failure. The node is not asked. */
const idleMsMax = 300_000;

const failureDelayMs = { min: 1_000, max: 60_000 };

/** Settlements that wait for the chain at one time; more would only wait longer. */
const batchesOnTheWayMax = 4;

const failedNamedMax = 5;

export type Settler = {
  /** There may be something to settle. */
  wake(): void;
  /** What somebody has to look at, one sentence each. Payments are credited all the same. */
  warnings(): string[];
  /** Wei; null before the gas account was first looked at. */
  gasBalance(): bigint | null;
  /** Calls to the nodes since the start, by method. */
  requests(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
};

export type SettlerDeps = {
  config: Config;
  db: Db;
  log: Log;
  now: () => number;
  wallet: Promise<Wallet>;
  /** How long to leave the node alone when the gas account is empty, in ms. */
  blockedMs?: number;
};

/**
 * Brings everything to the chain that the gas account has to send, and makes the settlements of what is confirmed if
 * the configuration says so. Asks the node for nothing while there is nothing to do.
 */
export function startSettler({
  config,
  db,
  log,
  now,
  wallet,
  blockedMs = blockedPollMs,
}: SettlerDeps): Settler {
  const stopping = new AbortController();
  const { signal } = stopping;
  const bell = createWakeable();
  const requests = new Map<string, number>();
  const providers = createProviders(config, signal, (method) =>
    requests.set(method, (requests.get(method) ?? 0) + 1),
  );
  const rules = { usdc: config.network.usdc, min: config.settleMin, logRange: config.logRange };
  const { chainId } = config.network;
  const { confirmations } = config;
  const onTheWayMs = config.network.name === "anvil" ? localPollMs : pollMs;

  let gasBalance: bigint | null = null;
  let failures = 0;
  /** Why nothing moves just now, as a sentence; said once while it lasts. */
  let blocked: string | null = null;
  function setBlocked(reason: string | null) {
    if (reason !== null && reason !== blocked) log.warn("settlement.waiting", "settlement waits", { reason });
    if (reason === null && blocked !== null) log.info("settlement.resumed", "settlement resumed");
    blocked = reason;
  }

  const anythingToDo = () =>
    GasTransactionStore.listPending(db, chainId).length > 0 ||
    SettlementStore.listUnrecorded(db, chainId).length > 0 ||
    (config.settle === "auto" && Settlement.anyDue({ db, now }, rules));

  /** One round with one node. Returns how long to wait for the next, in ms. */
  async function settle({ rpc }: Provider, opened: Wallet): Promise<number> {
    const gas: GasAccount = { db, rpc, wallet: opened, chainId, confirmations, now, timing };
    gasBalance = await readBalance(rpc, opened.gasAddress);
    let reason = await advanceAll(gas);
    logResults(await Settlement.recordResults(gas, rules));
    if (config.settle === "auto") reason ??= await startBatches(gas);
    setBlocked(reason);
    return reason === null ? onTheWayMs : blockedMs;
  }

  /** Starts what can be started. Returns why nothing can be; null when all is well. */
  async function startBatches(gas: GasAccount): Promise<string | null> {
    const { batches, gone } = await Settlement.plan(gas, rules);
    for (const { deposit, explained } of gone) logExplained(log, deposit, explained);
    if (batches.length === 0) return null;
    const factory = await Settlement.factoryState(gas);
    if (factory.kind === "impossible") return factory.reason;
    if (factory.kind === "coming") return null;
    if (factory.kind === "missing") return start(gas, await Settlement.submitDeployment(gas));
    const onTheWay = GasTransactionStore.listPending(db, chainId).length;
    for (const batch of batches.slice(0, Math.max(0, batchesOnTheWayMax - onTheWay))) {
      const reason = await start(gas, await Settlement.submitBatch(gas, batch, rules));
      if (reason !== null) return reason;
    }
    return null;
  }

  async function start(gas: GasAccount, submitted: Submitted): Promise<string | null> {
    if (submitted.kind !== "submitted") return obstacleOf(submitted);
    const { reason: purpose, nonce } = submitted.transaction;
    log.info("settlement.started", "a transaction is on its way", { purpose, nonce });
    return await advanceAll(gas);
  }

  function logResults(recorded: readonly Settlement.Recorded[]) {
    const settled = recorded.flatMap(({ result }) => (result.state === "settled" ? [result.amount] : []));
    const tx = recorded[0]?.txHash;
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
    // A wallet that cannot be opened ends the start of Till, which says so.
    const opened = await wallet.catch(() => null);
    if (!opened) return;
    while (!signal.aborted) {
      try {
        if (!anythingToDo()) {
          setBlocked(null);
          await bell.wait(idleMsMax, signal);
          continue;
        }
        const provider = providers.current(now());
        if (!provider.identified) await checkIdentity(provider.rpc, db, config);
        provider.identified = true;
        const waitMs = await settle(provider, opened);
        failures = 0;
        providers.succeeded();
        // What is blocked is not looked at more often because a payment came.
        await (blocked !== null ? sleep(waitMs, signal) : bell.wait(waitMs, signal));
      } catch (thrown) {
        if (signal.aborted) return;
        failures += 1;
        setBlocked(messageOf(thrown));
        if (!providers.failed(now())) await sleep(backoffMs(failures, failureDelayMs), signal);
      }
    }
  }

  const running = run().catch((thrown) =>
    log.error("settlement.stopped", "nothing is settled any more: restart Till", {
      reason: messageOf(thrown),
    }),
  );

  return {
    wake: bell.wake,
    warnings() {
      const which = { factory: DepositAddress.factory, min: rules.min };
      const { count, addresses } = SettlementStore.summarizeFailed(db, which, failedNamedMax);
      return [
        ...(blocked === null ? [] : [`settlement waits: ${blocked}`]),
        ...(count === 0
          ? []
          : [`the money of ${count} deposits could not be moved: ${addresses.join(", ")}`]),
      ];
    },
    gasBalance: () => gasBalance,
    requests: () => requests,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
