import { mustBeUsdc } from "../chain/contract/token.ts";
import { readTagged } from "../chain/node/confirmations.ts";
import { createNodes, type Node, nodesOf } from "../chain/node/nodes.ts";
import { checkIdentity } from "../chain/node/probe.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import type { Deposit } from "../domain/payment/deposit.ts";
import { uptime } from "../lib/time.ts";
import type { Site } from "../store/announce.ts";
import type { Db } from "../store/database.ts";
import * as InstallationStore from "../store/tables/installation/installation.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import { createWatchedDeposits, watchedMs } from "./deposits.ts";
import { createBalanceTask } from "./doubt/balances.ts";
import { startOpinions } from "./doubt/opinions.ts";
import { type Follow, startFollowing } from "./follow.ts";
import * as NodeHealth from "./node-health.ts";
import { createCredit } from "./payment/credit.ts";
import type { ApplyResult } from "./payment/payment.ts";
import { startRereading } from "./reread/reread.ts";
import { type AnnouncedBlocks, createSubscription } from "./subscription.ts";

export type WatcherState = {
  /** The head of the last scan that went through; null before the first. */
  head: number | null;
  /** When that block was made, in Unix ms. */
  headAt: number | null;
  /** Why the chain may not be watched reliably just now; empty when it is. */
  problems: string[];
  /** Whether no node has answered or failed since the start. */
  isUnknown: boolean;
  /** What is unusual although the chain is being watched. */
  warnings: string[];
  /** Which nodes are not there, and what is known from one alone for that reason. */
  nodeWarnings: string[];
  /** What the times of blocks tell of this machine's clock. */
  clockWarnings: string[];
  /** Whether payments show later than people expect. */
  isDelayed: boolean;
  /** For how long the head of the chain should have been reached, in ms; 0 when nothing is due. */
  lagMs: number;
};

export type Watcher = {
  /** To be called in the same turn in which a deposit is committed. */
  depositCreated(deposit: Deposit): void;
  /** Watches again the chain for those of these deposits that are dormant. Returns whether there were any. */
  watchAgain(deposits: readonly number[]): boolean;
  /** Reads the chain up to its head as it is from now on. Returns whether that was done, from a node that is up to date. */
  readNow(): Promise<boolean>;
  state(): WatcherState;
  /** Calls to the nodes since the start, by method. */
  requests(): ReadonlyMap<string, number>;
  /** Transfers since the start: seen for the first time, confirmed, and lost after they were confirmed. */
  transfers(): Readonly<Record<"seen" | "confirmed" | "lost", number>>;
  stop(): Promise<void>;
};

export type WatcherOptions = {
  config: Config;
  site: Site;
  db: Db;
  log: Log;
  now: () => number;
  /** Milliseconds that only grow. */
  clock?: () => number;
  /** How often to look, in ms, while a transfer waits for confirmations and the node seems to tell of blocks; 10 s unless given. */
  safetyMs?: number;
  onApplied: (applied: ApplyResult) => void;
  /** Blocks left the chain, and what Till itself did may have been in them. */
  onReorg: () => void;
  /** A settlement left the chain and has to be made again. */
  onSettlementLeft: () => void;
  /** The node is on another chain than the data: nothing is credited until that changes. */
  onWrongChain: (message: string) => void;
};

/**
 * Watches the chain for all deposits, in two loops: one follows the head, woken by the subscription, by new deposits and
 * by the clock; the other works off the list of what is to be read again, and compares balances. Asks the nodes for
 * nothing while there is nothing to watch, but for their identity at the start and for the balances of dormant addresses
 * once a day.
 */
export function startWatcher(options: WatcherOptions): Watcher {
  const { config, site, db, log, now, clock = uptime } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const requests = new Map<string, number>();
  const onRequest = (method: string) => requests.set(method, (requests.get(method) ?? 0) + 1);
  const health = NodeHealth.createNodeHealth(log, clock, options.onWrongChain);
  const deposits = createWatchedDeposits(db, now, clock);
  const announced: AnnouncedBlocks = new Map();

  const checkChain = ({ rpc }: Node) => checkIdentity(rpc, config, InstallationStore.chainRecord(db));
  const nodes = createNodes({
    ...config,
    usdc: config.network.usdc,
    signal,
    onRequest,
    onCrowded: (block) => void health.note({ kind: "crowded", block }),
    async check(node) {
      await checkChain(node);
      await mustBeUsdc(node.rpc, config.network.usdc);
      if (typeof config.confirmations !== "number") await readTagged(node.rpc, config.confirmations);
      health.note({ kind: "checked" });
    },
    onReturn: () => follow.wake(),
    clock,
  });

  const shared = { config, db, log, now, clock, signal, nodes, deposits, announced, health };
  const subscription = createSubscription({
    ...shared,
    safetyMs: options.safetyMs,
    onRequest,
    wake: () => follow.wake(),
  });
  const { listen } = subscription;
  const onAwake = (awake: readonly DepositStore.WatchedDeposit[]) => {
    for (const deposit of awake) deposits.add(deposit);
    list.wake();
    follow.wake();
  };
  const credit = createCredit({
    ...shared,
    site,
    onAwake,
    onApplied: options.onApplied,
    onReorg: options.onReorg,
    onOpinionDue: () => opinions.wake(),
    listen,
  });
  const opinions = startOpinions({ ...shared, onRequest, applyVerdicts: credit.applyVerdicts });
  const follow = startFollowing({
    ...shared,
    check: checkChain,
    credit,
    subscription,
    list: { isDue: () => list.isDue(), wake: () => list.wake() },
  });
  const tasks = [createBalanceTask(config, db, log, options.onSettlementLeft)];
  const list = startRereading({ ...shared, credit, follow, tasks });

  const running = Promise.all([follow.running, list.running]);
  running.catch((thrown) => health.note({ kind: "broken", thrown }));

  return {
    depositCreated(deposit) {
      deposits.add(deposit);
      listen();
      // With a feed that is up the new subscription asks for the scan as soon as it stands.
      if (!subscription.isUp) follow.wake();
    },
    watchAgain(indices) {
      // The database knows it before the first load.
      const dormant = DepositStore.listUnchanged(db, indices, now() - watchedMs);
      if (dormant.length > 0) {
        onAwake(DepositStore.touch(db, dormant, now()));
        listen();
      }
      return dormant.length > 0;
    },
    async readNow() {
      const isReached = await follow.readNow();
      const head = credit.head();
      // The local chain has a new block only when something is sent.
      return isReached && head !== null && (config.network.name === "anvil" || NodeHealth.isNew(head, now()));
    },
    requests: () => requests,
    transfers: credit.transfers,
    state() {
      const [state, at] = [health.state(), clock()];
      const late = deposits.recipients.size > 0 ? NodeHealth.lagProblem(state, at) : null;
      const head = credit.head();
      return {
        head: head?.number ?? null,
        headAt: head && head.timestampSec * 1_000,
        problems: [NodeHealth.problem(state, at), late].filter((text) => text !== null),
        isUnknown: NodeHealth.isUnknown(state),
        warnings: [NodeHealth.crowdedWarning(state, at)].filter((text) => text !== null),
        clockWarnings: [NodeHealth.clockWarning(state, at)].filter((text) => text !== null),
        nodeWarnings: [...opinions.missing(), ...aloneWarning(config, follow.alone())],
        isDelayed: late !== null || state.broken !== null || state.lasting !== null,
        lagMs: NodeHealth.lagMs(state, at),
      };
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled([subscription.stop(), opinions.running, running]);
    },
  };
}

function aloneWarning({ rpcUrls }: Config, alone: ReturnType<Follow["alone"]>): string[] {
  if (alone === null) return [];
  const { above, reader } = alone;
  const first = nodesOf(rpcUrls)[0]?.id;
  return [
    `what came after block ${above} was read from ${reader} alone, as ${first} did not answer or did not have it: it is read again from ${first} as soon as that has it`,
  ];
}
