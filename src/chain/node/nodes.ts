import type { Address } from "../../domain/wallet/address.ts";
import { sleep } from "../../lib/loop.ts";
import { world } from "../../lib/world.ts";
import { createTransferReader, type TransferReader } from "../transfer/transfer-log.ts";
import { createRpc, type Rpc } from "./rpc.ts";

/** Leave the first node alone for this long after a failure: each try may cost a whole time-out. */
const returnMs = 60_000;

/** It is looked for meanwhile, so often, and used as soon as it answers; but not twice within `returnMs`. */
const lookMs = 3_000;

/** A node may be behind this often in a row before another one is asked. */
const timesBehindMax = 5;

/**
 * The configured nodes, each with the name under which it is remembered: its host, as a URL may hold a key; numbered
 * where several have one host. A URL that is given twice is one node.
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

/** One node; how many blocks it takes at a time is its own. */
export type Node = {
  readonly id: string;
  readonly rpc: Rpc;
  readonly reader: TransferReader;
};

export type Nodes = {
  readonly count: number;
  /**
   * The first node when it has not failed lately, else the next one that is left. It is checked before it is used, and
   * again when its turn comes back. Throws what the check throws.
   */
  current(): Promise<Node>;
  /** Runs `work` with the first node that gives usable answers, each tried once. Throws what the last one failed with. */
  ask<T>(work: (node: Node) => Promise<T>): Promise<T>;
  /** The node to ask after this many failures: the nth failure asks the nth node after the current one. */
  for(failures: number): Node;
  /** Goes on to the next node. Returns false when all have failed in turn: then it is time to wait. */
  failed(): boolean;
  /** The node is behind what was seen before. Throws a NodeBehind when that lasts and there is another one. */
  behind(head: number, seen: number): void;
  succeeded(): void;
};

type NodesOptions = {
  rpcUrls: readonly string[];
  usdc: Address;
  /** The most blocks to ask for in one call. */
  logRange: number;
  signal: AbortSignal;
  onRequest: (method: string) => void;
  /** A block had more transfers than a node gives in one answer. */
  onCrowded?: (blockNumber: number) => void;
  /** Throws when a node must not be used. */
  check: (node: Node) => Promise<void>;
  /** The first node answers again, and its turn has come. */
  onReturn?: () => void;
  /** Milliseconds that only grow. */
  clock?: () => number;
};

/** The nodes in configured order; asks the first one that works. */
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
    // It may be another one's turn by now.
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
          // Others who ask at the same time may have gone on already.
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

/** The node does not come to know what was seen before, while there is another one to ask. */
class NodeBehind extends Error {
  override readonly name = "NodeBehind";
  constructor(host: string, head: number, seen: number) {
    super(`The node at ${host} is at block ${head}, and block ${seen} was seen before`);
  }
}
