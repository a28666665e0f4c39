import { type BalanceReader, createBalanceReader } from "../chain/balance.ts";
import { createRpc, type Rpc } from "../chain/rpc.ts";
import { createTransferReader, type TransferReader } from "../chain/transfer-log.ts";
import type { Config } from "../config.ts";

/** After a failure the first node is left alone this long: each try may cost a whole time-out. */
const returnMs = 60_000;

/** So often in a row may a node be behind before another one is asked. */
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
export type Provider = {
  readonly id: string;
  readonly rpc: Rpc;
  readonly reader: TransferReader;
  readonly balances: BalanceReader;
  identified: boolean;
};

export type Providers = {
  /** The first node when it has not failed lately, else the next one that is left. */
  current(now: number): Provider;
  /** Goes on to the next node. Returns false when all have failed in turn: then it is time to wait. */
  failed(now: number): boolean;
  /** The node is behind what was seen before. Throws a NodeBehind when that lasts and there is another one. */
  behind(head: number, seen: number): void;
  succeeded(): void;
  /** The node that comes after this one in turn: itself when there is no other. */
  after(provider: Provider): Provider;
  /** Has this node asked for a while, until it fails. Returns whether that is another one than before. */
  turnTo(provider: Provider, now: number): boolean;
  readonly count: number;
};

export function createProviders(
  { rpcUrls, network, logRange }: Config,
  signal: AbortSignal,
  onRequest: (method: string) => void,
  onCrowded?: (blockNumber: number) => void,
): Providers {
  const providers = nodesOf(rpcUrls).map(({ id, url }): Provider => {
    const rpc = createRpc({ url, signal, onRequest });
    const reader = createTransferReader(rpc, network.usdc, logRange, onCrowded);
    return { id, rpc, reader, balances: createBalanceReader(rpc, network.usdc), identified: false };
  });
  let at = 0;
  let returnAt = 0;
  let failedInTurn = 0;
  let timesBehind = 0;

  /** What is left has to say again who it is when it is asked again, and has to be scanned. */
  function turn(to: number): void {
    const provider = providers[at];
    if (provider) provider.identified = false;
    at = to;
  }

  return {
    count: providers.length,
    current(now) {
      // Also when the clock was set back.
      if (at !== 0 && (now >= returnAt || returnAt > now + returnMs)) turn(0);
      const provider = providers[at];
      if (!provider) throw new Error("No node is configured");
      return provider;
    },
    failed(now) {
      if (at === 0) returnAt = now + returnMs;
      turn((at + 1) % providers.length);
      failedInTurn += 1;
      return failedInTurn % providers.length !== 0;
    },
    behind(head, seen) {
      timesBehind += 1;
      if (timesBehind < timesBehindMax || providers.length === 1) return;
      timesBehind = 0;
      throw new NodeBehind(providers[at]?.rpc.host ?? "", head, seen);
    },
    succeeded() {
      timesBehind = 0;
      failedInTurn = 0;
    },
    after: (provider) => providers[(providers.indexOf(provider) + 1) % providers.length] ?? provider,
    turnTo(provider, now) {
      const to = providers.indexOf(provider);
      if (to === at) return false;
      returnAt = now + returnMs;
      turn(to);
      return true;
    },
  };
}

/** The node does not come to know what was seen before, while there is another one to ask. */
class NodeBehind extends Error {
  override readonly name = "NodeBehind";
  constructor(host: string, head: number, seen: number) {
    super(`The node at ${host} is at block ${head}, and block ${seen} was seen before`);
  }
}
