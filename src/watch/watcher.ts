import { mustBeUsdc } from "../chain/contract/token.ts";
import { readTagged } from "../chain/node/confirmations.ts";
import { createNodes, type Node } from "../chain/node/nodes.ts";
import { beginPace } from "../chain/node/pace.ts";
import { checkIdentity } from "../chain/node/probe.ts";
import { type Finding, type Topic, warning, wrong } from "../domain/finding.ts";
import type { Deposit } from "../domain/payment/deposit.ts";
import { world } from "../lib/world.ts";
import type { RecordSettings } from "../store/announce.ts";
import * as ChainStore from "../store/tables/installation/chain.ts";
import * as CheckpointStore from "../store/tables/watch/checkpoint.ts";
import * as WatchedStore from "../store/tables/watch/watched.ts";
import { createWatchedDeposits, type Watching, watchedMs } from "./deposits.ts";
import { createBalanceTask } from "./doubt/balances.ts";
import { startOpinions } from "./doubt/opinions.ts";
import type { JudgedInquiry } from "./doubt/second-opinion.ts";
import { startFollowing } from "./follow.ts";
import * as NodeHealth from "./node-health.ts";
import { createCredit } from "./payment/credit.ts";
import type { ApplyResult } from "./payment/payment.ts";
import { startRereading } from "./reread/reread.ts";
import { createSubscription } from "./subscription.ts";

export type WatcherState = ReturnType<Watcher["state"]>;

export type WatcherOptions = Pick<Watching, "config" | "db" | "log" | "now"> & {
  recordSettings: RecordSettings;
  clock?: Watching["clock"];
  onApplied: (applied: ApplyResult) => void;
  /** Called when blocks left the chain, which may have contained Till's own transactions. */
  onReorg: () => void;
  /** Called when a settlement left the chain and must be made again. */
  onSettlementLeft: () => void;
  /** Called when the node is on another chain than the data: nothing is credited until that changes. */
  onWrongChain: (message: string) => void;
};

export type Watcher = ReturnType<typeof startWatcher>;

/**
 * Watches the chain for all deposits in two loops: one follows the head, woken by the subscription, by new deposits and
 * by the clock; the other works through the list of blocks to read again, and compares balances. Asks the nodes nothing
 * while there is nothing to watch, except for their identity at the start and the balances of dormant addresses once a
 * day.
 */
export function startWatcher(options: WatcherOptions) {
  const { config, db, log, now, clock = () => world.uptime() } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const requests = new Map<string, number>();
  const onRequest = (method: string) => requests.set(method, (requests.get(method) ?? 0) + 1);
  const health = NodeHealth.createNodeHealth(log, clock, options.onWrongChain);
  const deposits = createWatchedDeposits(db, now, clock);

  const checkChain = ({ rpc }: Node) => checkIdentity(rpc, config, ChainStore.record(db));
  const nodes = createNodes({
    ...config,
    usdc: config.network.usdc,
    signal,
    onRequest,
    onCrowded: (block) => void health.note({ kind: "crowded", block }),
    async check(node) {
      await checkChain(node);
      await mustBeUsdc(node.rpc, config.network.usdc);
      if (typeof config.confirmations === "string") await readTagged(node.rpc, config.confirmations);
      health.note({ kind: "checked" });
    },
    onReturn: () => follow.wake(),
    clock,
  });

  // Measured again as soon as there are blocks to measure by.
  const known = CheckpointStore.latest(db);
  for (let at = 0; known && at < nodes.count; at++) beginPace(nodes.for(at).rpc, known.blockUs / 1_000);

  const shared = { config, db, log, now, clock, signal, nodes, deposits, health, onRequest };
  const subscription = createSubscription({ ...options, ...shared, wake: () => follow.wake() });
  const { listen } = subscription;
  const onAwake = (awake: readonly WatchedStore.WatchedDeposit[]) => {
    for (const deposit of awake) deposits.add(deposit);
    list.wake();
    follow.wake();
  };
  const credit = createCredit({
    ...options,
    ...shared,
    onAwake,
    onOpinionDue: () => opinions.wake(),
    listen,
  });
  function applyVerdicts(heard: readonly JudgedInquiry[]): void {
    credit.applyVerdicts(heard);
    // A look decides whether they are old enough.
    if (heard.some(({ verdict }) => verdict.kind === "counts")) follow.wake();
  }
  const opinions = startOpinions({ ...shared, applyVerdicts });
  const follow = startFollowing({
    ...shared,
    check: checkChain,
    credit,
    subscription,
    list: { isDue: () => list.isDue(), wake: () => list.wake() },
  });
  const balances = createBalanceTask({ config, db, log, now }, options.onSettlementLeft);
  const list = startRereading({ ...shared, credit, follow, balances });

  const running = Promise.all([follow.running, list.running]);
  running.catch((thrown) => health.note({ kind: "broken", thrown }));

  return {
    /** Call it in the same turn in which a deposit is committed. */
    depositCreated(deposit: Deposit): void {
      deposits.addNew(deposit);
      listen();
      // With an active feed the new subscription requests the scan as soon as it is established.
      if (!subscription.isUp) follow.wake();
    },
    /** Resumes watching those of these deposits that are dormant. Returns whether there were any. */
    watchAgain(indices: readonly number[]): boolean {
      // The database knows it before the first load.
      const dormant = WatchedStore.listUnchanged(db, indices, now() - watchedMs);
      if (dormant.length > 0) {
        onAwake(WatchedStore.touch(db, dormant, now()));
        listen();
      }
      return dormant.length > 0;
    },
    /** Reads the chain up to its head as of now. Returns whether that succeeded, from an up-to-date node. */
    async readNow(): Promise<boolean> {
      const isReached = await follow.readNow();
      const head = credit.head();
      // The local chain has a new block only when something is sent.
      return isReached && head !== null && (config.network.isLocal || NodeHealth.isNew(head, now()));
    },
    /** Calls to the nodes since the start, by method. */
    requests: (): ReadonlyMap<string, number> => requests,
    transfers: credit.transfers,
    /** Returns when a payment in a block counts, by the pace of the chain. */
    countsIn: follow.countsIn,
    state() {
      const state = health.state();
      const at = clock();
      const late = deposits.recipients.size > 0 ? NodeHealth.lagProblem(state, at) : null;
      const head = credit.head();
      return {
        /** The head of the last successful look, and that block's time, in Unix ms; null before the first. */
        head: head?.number ?? null,
        headAt: head?.timeMs ?? null,
        /** Findings why the chain may not be watched reliably now; empty if it is. */
        problems: findings(wrong, "chain", [NodeHealth.problem(state, at), late]),
        /** Whether no node has answered or failed since the start. */
        isUnknown: NodeHealth.isUnknown(state),
        /**
         * Findings about anything unusual that does not prevent watching: blocks, missing nodes, and this machine's
         * clock.
         */
        warnings: [
          ...findings(warning, "flood", [NodeHealth.crowdedWarning(state, at)]),
          ...findings(warning, "node", [...opinions.missing(), ...list.warnings()]),
          ...findings(warning, "clock", [NodeHealth.clockWarning(state, at)]),
        ],
        /** Whether payments show later than people expect. */
        isDelayed: late !== null || state.broken !== null || state.lasting !== null,
        /** How long the chain's head should have been reached, in ms; 0 if nothing is due. */
        lagMs: NodeHealth.lagMs(state, at),
      };
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled([subscription.stop(), opinions.running, running]);
    },
  };
}

const findings = (find: typeof wrong, about: Topic, texts: readonly (string | null)[]): Finding[] =>
  texts.filter((text) => text !== null).map((text) => find(about, text));
