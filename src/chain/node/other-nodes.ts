import { type OtherChain, otherChain } from "../../domain/wallet/elsewhere.ts";
import type { Network } from "../../domain/wallet/network.ts";
import { messageOf } from "../../lib/error.ts";
import { within } from "../../lib/loop.ts";
import { quantity } from "./block.ts";
import { nodesOf } from "./nodes.ts";
import { WrongChain } from "./probe.ts";
import { createRpc, type Rpc } from "./rpc.ts";

/** How long a node that answers waits for the others to say which chain they are of. */
const judgedMs = 3_000;

/** A node, and the chain that it said it is of just now. */
export type OtherNode = { chain: OtherChain; rpc: Rpc };

/** Asks which chain a node is of. Throws a WrongChain unless deposit addresses are the same there and are no payments. */
export async function readChain(rpc: Rpc, home: Network): Promise<OtherChain> {
  const chainId = quantity(rpc, await rpc.request("eth_chainId", []));
  const chain = otherChain(home.name, chainId);
  if (chain !== null) return chain;
  throw new WrongChain(
    chainId === home.chainId
      ? `${rpc.host} is a node of ${home.label}, Till's own chain: it belongs in TILL_RPC_URL`
      : `${rpc.host} is a node of chain ${chainId}, which is none of those that Till knows beside ${home.label}`,
  );
}

/** The nodes of TILL_ELSEWHERE_RPC_URL. Which chain each is of, it is asked again before each use. */
export function createOtherNodes(
  { elsewhereRpcUrls, network }: { elsewhereRpcUrls: readonly string[]; network: Network },
  signal: AbortSignal,
  onRequest: (method: string) => void,
) {
  const nodes = nodesOf(elsewhereRpcUrls).map(({ id, url }) => ({
    id,
    rpc: createRpc({ url, signal, onRequest }),
  }));
  /** By node, the chain that it last was of, and why it was of no use. */
  const chains = new Map<string, OtherChain>();
  const problems = new Map<string, string>();

  async function ask({ id, rpc }: (typeof nodes)[number]): Promise<OtherChain> {
    try {
      const chain = await readChain(rpc, network);
      chains.set(id, chain);
      return chain;
    } catch (thrown) {
      chains.delete(id);
      throw thrown;
    }
  }

  /** Of several nodes of a chain the first is used, for as long as it says which chain it is of. */
  function mustBeFirst(id: string, chain: OtherChain): void {
    const first = nodes.find((node) => chains.get(node.id) === chain);
    if (first && first.id !== id)
      throw new WrongChain(`${first.id} and ${id} are both nodes of ${chain.label}: the first is used`);
  }

  return {
    count: nodes.length,
    problems: (): readonly string[] => [...problems.values()],
    /**
     * Runs `work` for each chain that a node is there for, side by side; a failure is one of `problems` until the node
     * has worked again. Returns whether all did.
     */
    async each(work: (node: OtherNode) => Promise<void>): Promise<boolean> {
      const answers = nodes.map((node) => ask(node));
      await within(Promise.allSettled(answers), judgedMs);
      const done = await Promise.all(
        nodes.map(async ({ id, rpc }, place) => {
          try {
            const chain = (await answers[place]) as OtherChain;
            mustBeFirst(id, chain);
            await work({ chain, rpc });
            problems.delete(id);
            return true;
          } catch (thrown) {
            if (!signal.aborted) problems.set(id, messageOf(thrown));
            return false;
          }
        }),
      );
      return done.every((isDone) => isDone);
    },
    /** The node of one chain. Throws a NoOtherNode, with what the others said. */
    async of(chainId: number): Promise<OtherNode> {
      const reasons: string[] = [];
      for (const { rpc } of nodes) {
        try {
          const chain = await readChain(rpc, network);
          if (chain.chainId === chainId) return { chain, rpc };
        } catch (thrown) {
          reasons.push(messageOf(thrown));
        }
      }
      throw new NoOtherNode(otherChain(network.name, chainId)?.label ?? `chain ${chainId}`, reasons);
    },
  };
}

class NoOtherNode extends Error {
  override readonly name = "NoOtherNode";
  constructor(label: string, reasons: readonly string[]) {
    super(["TILL_ELSEWHERE_RPC_URL has no node of ", label, ...reasons.map((each) => `; ${each}`)].join(""));
  }
}
