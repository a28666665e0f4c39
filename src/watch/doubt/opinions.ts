import { nodesOf } from "../../chain/node/nodes.ts";
import { checkIdentity } from "../../chain/node/probe.ts";
import { createRpc, RpcError, RpcUnreachable } from "../../chain/node/rpc.ts";
import { askAbout } from "../../chain/transfer/attest.ts";
import { messageOf } from "../../lib/error.ts";
import { backoffMs, createWakeable, sleep } from "../../lib/loop.ts";
import * as ChainStore from "../../store/tables/installation/chain.ts";
import * as OpinionStore from "../../store/tables/watch/opinion.ts";
import type { Watching } from "../deposits.ts";
import { failureDelayMs } from "../node-health.ts";
import { type JudgedInquiry, judge, latestAskAt, type NodeAnswer, wantsWitness } from "./second-opinion.ts";

/** A node that takes longer counts as not answering, as other payments wait for it. */
const callTimeoutMs = 5_000;

/** Number of transactions asked about at a time, and of transfers read to find them. */
const transactionsAtOnceMax = 16;
const transfersAtOnceMax = 100;

/** Pauses after a node did not answer: 1, 2, 4, … s. */
const restMs = { min: 1_000, max: 30_000 };

/** How often the database is checked for transfers to ask about. This does not call a node. */
const turnMsMax = 1_000;

/** How often to try a node that has never answered. */
const meetAgainMs = { min: 1_000, max: 60_000 };

const isBusy = (thrown: unknown) => thrown instanceof RpcUnreachable && thrown.isBusy;

type OpinionsDeps = Watching & {
  /** Applies verdicts to the books. Throws if they cannot be stored. */
  applyVerdicts: (heard: readonly JudgedInquiry[]) => void;
};

/**
 * Asks the nodes that did not report a transfer whether they know it, as soon as it is seen, and again until there is a
 * lasting answer. The questions are in the database. Asks nothing while there are none.
 */
export function startOpinions(deps: OpinionsDeps) {
  const { config, db, log, now, signal, onRequest, applyVerdicts } = deps;
  const bell = createWakeable();
  const nodes = nodesOf(config.rpcUrls).map(({ id, url }) => {
    const node = {
      id,
      rpc: createRpc({ url, signal, onRequest, onAnswer, timeoutMs: callTimeoutMs }),
      identified: false,
      failures: 0,
      restUntil: 0,
      /**
       * When it last said anything; since when it has been asked in vain; and when it was last asked in vain. In Unix
       * ms.
       */
      answeredAt: 0,
      vainSince: 0,
      vainAt: 0,
      /** Why it has not answered since the start; null once it has. */
      missing: "" as string | null,
    };
    // A node of another chain says nothing about this one.
    function onAnswer(): void {
      if (node.missing === null || node.identified) node.answeredAt = now();
    }
    return node;
  });
  type Node = (typeof nodes)[number];
  /** Number of transactions asked about at a time; reduced after a node reported too many requests. */
  let atOnce = transactionsAtOnceMax;
  /** Questions in progress, and the verdicts of the answered ones that are not stored yet. */
  const underWay = new Set<string>();
  const judged = new Map<string, JudgedInquiry[]>();

  /** One node's answers about the transfers of one transaction, in order. */
  async function say(
    node: Node,
    txHash: string,
    inquiries: readonly OpinionStore.Inquiry[],
  ): Promise<NodeAnswer[]> {
    const silent = (reason: string): NodeAnswer[] => {
      const answer = { kind: "silent", reason, since: sinceOf(node), until: node.vainAt } as const;
      return inquiries.map(() => ({ node: node.id, answer }));
    };
    if (restMsOf(node) > 0) return silent("it did not answer before");
    const failuresBefore = node.failures;
    const begunAt = now();
    try {
      if (!node.identified) await meet(node);
      const answers = await askAbout(node.rpc, config.network.usdc, txHash, inquiries);
      node.failures = 0;
      atOnce = Math.min(transactionsAtOnceMax, atOnce + 1);
      return answers.map((answer) => ({ node: node.id, answer }));
    } catch (thrown) {
      // It answered but cannot say this, which is no reason not to ask it other things.
      if (!(thrown instanceof RpcError) || node.missing !== null) {
        if (isBusy(thrown)) {
          node.answeredAt = now();
          atOnce = Math.max(1, Math.floor(atOnce / 2));
        } else askedInVain(node, begunAt);
        // If several questions in progress fail, only the first counts.
        if (node.failures === failuresBefore) {
          node.failures += 1;
          node.restUntil = now() + backoffMs(node.failures, restMs);
        }
      }
      return silent(messageOf(thrown));
    }
  }

  /**
   * How long a node is still left alone, in ms; at most 0 if it may be asked, which includes a clock that was set back.
   */
  function restMsOf({ restUntil }: Node): number {
    const left = restUntil - now();
    return left > restMs.max ? 0 : left;
  }

  const sinceOf = (node: Node) => Math.max(node.answeredAt, node.vainSince);

  function askedInVain(node: Node, begunAt: number): void {
    node.identified = false;
    // The node may have been up while it was not asked.
    if (Math.abs(begunAt - node.vainAt) > OpinionStore.silenceMsMax) node.vainSince = begunAt;
    node.vainAt = now();
  }

  async function meet(node: Node): Promise<void> {
    const record = ChainStore.record(db);
    const isRecorded = record.read() !== null;
    // The node being followed decides which chain the data belongs to, not the one that is faster.
    await checkIdentity(node.rpc, config, { ...record, write: () => {} });
    node.identified = isRecorded;
    node.missing = null;
    node.answeredAt = now();
  }

  /** Tries each node until it has answered once: a missing one should be known before a payment needs it. */
  async function meetAll(): Promise<void> {
    for (let failures = 1; nodes.length > 1 && !signal.aborted; failures++) {
      const strangers = nodes.filter(({ missing }) => missing !== null);
      if (strangers.length === 0) return;
      const tell = (node: Node) => (thrown: unknown) => {
        if (isBusy(thrown)) node.answeredAt = now();
        node.missing = messageOf(thrown);
      };
      await Promise.all(strangers.map((node) => meet(node).catch(tell(node))));
      await sleep(backoffMs(failures, meetAgainMs), signal);
    }
  }

  /**
   * Returns whether it is too early to ask about this: every other node rests, and was not asked in vain for long
   * enough.
   */
  function mustWait({ toldBy, seenAt }: OpinionStore.Inquiry): boolean {
    const others = nodes.filter(({ id }) => id !== toldBy);
    const maySpeak = (node: Node) =>
      node.vainAt < Math.max(sinceOf(node), seenAt) + OpinionStore.silenceMsMax;
    return others.length > 0 && others.every((node) => restMsOf(node) > 0 && maySpeak(node));
  }

  /** Asks about the transfers of one transaction that one node reported. */
  async function hear(inquiries: readonly OpinionStore.Inquiry[]): Promise<JudgedInquiry[]> {
    const [first] = inquiries;
    if (!first) return [];
    const answers: NodeAnswer[][] = inquiries.map(() => []);
    for (const node of nodes.filter(({ id }) => id !== first.toldBy)) {
      for (const [at, one] of (await say(node, first.txHash, inquiries)).entries()) answers[at]?.push(one);
      if (answers.every((all) => all.some(({ answer }) => answer.kind === "known"))) break;
    }
    const at = now();
    const hearings = inquiries.map((one, i) => ({ inquiry: one, others: answers[i] ?? [] }));
    const witness = nodes.find(({ id }) => id === first.toldBy);
    const stands =
      witness && hearings.some((hearing) => wantsWitness(hearing, at))
        ? await say(witness, first.txHash, inquiries)
        : [];
    return hearings.map((hearing, i) => ({
      inquiry: hearing.inquiry,
      verdict: judge({ ...hearing, witness: stands[i] ?? null }, config.secondOpinion, at),
    }));
  }

  /**
   * Begins the due questions for which there is room. Returns in how many ms there may be room for those that wait for
   * a node.
   */
  function begin(): number {
    let roomInMs = turnMsMax;
    const due = OpinionStore.listDue(db, now(), latestAskAt(now()), transfersAtOnceMax);
    for (const [key, group] of Map.groupBy(due, ({ txHash, toldBy }) => `${txHash} ${toldBy}`)) {
      if (underWay.has(key)) continue;
      if (underWay.size >= atOnce) break;
      if (group[0] && mustWait(group[0])) {
        roomInMs = Math.min(roomInMs, ...nodes.map(restMsOf).filter((ms) => ms > 0));
        continue;
      }
      underWay.add(key);
      hear(group).then((all) => {
        judged.set(key, all);
        bell.wake();
      }, stopped);
    }
    return roomInMs;
  }

  async function run() {
    let isFresh = true;
    let failures = 0;
    while (!signal.aborted) {
      let next: number | null;
      let roomInMs: number;
      try {
        // The configured nodes may have changed.
        if (isFresh) OpinionStore.askAllAgain(db, now());
        isFresh = false;
        if (judged.size > 0) applyVerdicts([...judged.values()].flat());
        for (const key of judged.keys()) underWay.delete(key);
        judged.clear();
        next = OpinionStore.nextAskAt(db);
        roomInMs = next === null ? turnMsMax : begin();
        failures = 0;
      } catch (thrown) {
        failures += 1;
        if (failures === 1)
          log.error("payment.unstored", "payments cannot be stored", { reason: messageOf(thrown) });
        await sleep(backoffMs(failures, failureDelayMs), signal);
        continue;
      }
      const isOver = next !== null && next <= now();
      const dueInMs = next === null || underWay.size > 0 || isOver ? roomInMs : Math.max(1, next - now());
      await bell.wait(Math.min(turnMsMax, dueInMs), signal);
    }
  }

  function stopped(thrown: unknown) {
    log.error("chain.stopped", "no second node is asked any more: restart Till", {
      reason: messageOf(thrown),
    });
  }

  return {
    /** Call it when there may be transfers to ask about. */
    wake: bell.wake,
    /** Nodes that have not answered since the start, although there was time. */
    missing: () => nodes.flatMap(({ id, missing }) => (missing ? [missingWords(id, missing)] : [])),
    /** Settles when the signal aborts. */
    running: Promise.all([run(), meetAll()]).then(() => {}, stopped),
  };

  function meanwhile(): string {
    if (nodes.length > 2) return "the others are asked";
    if (config.secondOpinion === "strict") return "no payment counts before it does";
    return "until it does, payments count a minute late and on the word of one node";
  }

  function missingWords(id: string, reason: string): string {
    return `the node at ${id} has not answered since Till was started: ${meanwhile()} (${reason})`;
  }
}
