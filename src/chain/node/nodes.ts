import type { Address } from "../../domain/wallet/address.ts";
import { sleep } from "../../lib/loop.ts";
import { world } from "../../lib/world.ts";
import { createTransferReader, type TransferReader } from "../transfer/transfer-log.ts";
import { createRpc, type Rpc } from "./rpc.ts";

/** How long to leave the first node alone after a failure, as each attempt may cost a whole timeout. */
const returnMs = 60_000;

/** How often to check it meanwhile; it is used as soon as it answers, but not twice within `returnMs`. */
const lookMs = 3_000;

/** How often in a row a node may be behind before another one is asked. */
const timesBehindMax = 5;

/**
 * Lists the configured nodes with the name by which each is remembered: its host, as a URL may contain a key, numbered
 * if several share a host. Duplicate URLs are one node.
 */
export function nodesOf(urls: readonly string[]): { id: string; url: string }[] {
  const hosts: string[] = [];
  return [...new Set(urls)].map((url) => {
    const { host } = new URL(url);
    hosts.push(host);
    const nth = hosts.filter((other) => other === host).length;
    return { id: nth === 1 ? host : `${host}#${nth}`, url };
  });
}

/** One node; its reader tracks how many blocks it accepts at a time. */
export type Node = {
  readonly id: string;
  readonly rpc: Rpc;
  readonly reader: TransferReader;
};

export type Nodes = {
  readonly count: number;
  /**
   * The first node, unless it failed recently; otherwise the next one. It is checked before use, and again when its
   * turn comes back. Throws what the check throws.
   */
  current(): Promise<Node>;
  /** Runs `work` with the first node that gives usable answers, trying each once. Throws the last one's error. */
  ask<T>(work: (node: Node) => Promise<T>): Promise<T>;
  /** The node to ask after this many failures: the nth failure leads to the nth node after the current one. */
  for(failures: number): Node;
  /** Moves on to the next node. Returns false once all have failed in turn, when it is time to wait. */
  failed(): boolean;
  /**
   * Reports that the node is behind what was seen before. Throws a NodeBehind if that lasts and there is another node.
   */
  behind(head: number, seen: number): void;
  succeeded(): void;
};

type NodesOptions = {
  rpcUrls: readonly string[];
  usdc: Address;
  /** Maximum blocks per call. */
  logRange: number;
  signal: AbortSignal;
  onRequest: (method: string) => void;
  /** Called when a block has more transfers than a node returns in one answer. */
  onCrowded?: (blockNumber: number) => void;
  /** Throws if a node must not be used. */
  check: (node: Node) => Promise<void>;
  /** Called when the first node answers again and its turn has come. */
  onReturn?: () => void;
  /** Monotonic milliseconds. */
  clock?: () => number;
};

/** Keeps the nodes in configured order and asks the first one that works. */
export function createNodes(options: NodesOptions): Nodes {
  const { signal, onRequest, onCrowded, clock = () => world.uptime() } = options;
  const nodes = nodesOf(options.rpcUrls).map(({ id, url }): Node => {
    const rpc = createRpc({ url, signal, onRequest });
    const reader = createTransferReader(rpc, options.usdc, options.logRange, onCrowded);
    return { id, rpc, reader };
  });
  const state = { at: 0, checked: false, returnAt: 0, failedInTurn: 0, timesBehind: 0 };
  const early = { isLooking: false, notBefore: 0 };
  const nth = (n: number): Node => {
    const node = nodes[n % nodes.length];
    if (!node) throw new Error("No node is configured");
    return node;
  };
  const turn = (at: number) => Object.assign(state, { at: at % nodes.length, checked: false });

  function chosen(): Node {
    if (state.at !== 0 && clock() >= state.returnAt) turn(0);
    return nth(state.at);
  }

  async function checked(node: Node): Promise<Node> {
    if (state.checked) return node;
    await options.check(node);
    // It may be another node's turn by now.
    if (node === nth(state.at)) state.checked = true;
    return node;
  }

  async function lookForFirst(): Promise<void> {
    early.isLooking = true;
    try {
      while (state.at !== 0 && clock() < state.returnAt) {
        await sleep(lookMs, signal);
        if (signal.aborted || state.at === 0) return;
        const isBack = await options.check(nth(0)).then(
          () => true,
          () => false,
        );
        if (!isBack) continue;
        state.returnAt = clock();
        early.notBefore = clock() + returnMs;
        options.onReturn?.();
        return;
      }
    } finally {
      early.isLooking = false;
    }
  }

  function failed(): boolean {
    const wasFirst = state.at === 0;
    if (wasFirst) state.returnAt = clock() + returnMs;
    turn(state.at + 1);
    if (wasFirst && nodes.length > 1 && !early.isLooking && clock() >= early.notBefore) void lookForFirst();
    state.failedInTurn += 1;
    return state.failedInTurn % nodes.length !== 0;
  }

  function succeeded(): void {
    state.timesBehind = 0;
    state.failedInTurn = 0;
  }

  return {
    count: nodes.length,
    for: (failures) => nth(state.at + failures),
    current: async () => checked(chosen()),
    async ask(work) {
      for (let tries = 1; ; tries++) {
        const node = chosen();
        try {
          const done = await work(await checked(node));
          succeeded();
          return done;
        } catch (thrown) {
          // Parallel callers may already have moved on.
          if (node === nth(state.at)) failed();
          if (signal.aborted || tries === nodes.length) throw thrown;
        }
      }
    },
    failed,
    behind(head, seen) {
      state.timesBehind += 1;
      if (state.timesBehind < timesBehindMax || nodes.length === 1) return;
      state.timesBehind = 0;
      throw new NodeBehind(nth(state.at).rpc.host, head, seen);
    },
    succeeded,
  };
}

/** Says which block a node lacks that was seen before: one above its newest, or one below. */
export const lacking = (head: number, seen: number): string =>
  head < seen ? `and block ${seen} was seen before` : `but has no block ${seen}`;

/** The node lacks a block seen before, and there is another one to ask. */
class NodeBehind extends Error {
  override readonly name = "NodeBehind";
  constructor(host: string, head: number, seen: number) {
    super(`The node at ${host} is at block ${head}, ${lacking(head, seen)}`);
  }
}
