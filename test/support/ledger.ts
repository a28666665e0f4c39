import { topicOf, transferTopic } from "../../src/chain/transfer-log.ts";
import type { Address } from "../../src/domain/address.ts";
import type { TestChain } from "./chain.ts";

/** One transfer, as a line that two readers of the chain write alike. */
export type Line = string;
export type Entry = { line: Line; to: string; amount: bigint };

export const lineOf = (txHash: string, block: number, amount: bigint): Line => `${txHash} ${block} ${amount}`;

/** What really happened: read from the node itself, without anything of Till's own reading of the chain. */
export type Ledger = {
  /** Remembers the chain as it is now, as one of the branches that there have been. */
  note(): Promise<void>;
  /** The lines of one address on the chain as it was last noted, in order. */
  lines(to: Address): Line[];
  total(to: Address): bigint;
  /** Whether one branch that there has been holds all of these lines of the address. */
  everHeld(to: Address, lines: readonly Line[]): boolean;
  /** Whether the address once had transfers that it has no more. */
  everLost(to: Address): boolean;
};

export function createLedger(chain: TestChain): Ledger {
  const branches: Map<string, Entry[]>[] = [];
  const current = (to: Address) => branches.at(-1)?.get(topicOf(to)) ?? [];
  return {
    async note() {
      const logs = (await chain.rpc("eth_getLogs", [
        { address: chain.usdc, fromBlock: "0x0", toBlock: "latest", topics: [transferTopic] },
      ])) as { transactionHash: string; blockNumber: string; data: string; topics: string[] }[];
      const branch = new Map<string, Entry[]>();
      for (const log of logs) {
        const to = log.topics[2] ?? "";
        const amount = BigInt(log.data);
        const line = lineOf(log.transactionHash, Number(log.blockNumber), amount);
        branch.set(to, [...(branch.get(to) ?? []), { line, to, amount }]);
      }
      branches.push(branch);
    },
    lines: (to) => current(to).map(({ line }) => line),
    total: (to) => current(to).reduce((sum, { amount }) => sum + amount, 0n),
    everHeld(to, lines) {
      return branches.some((branch) => {
        const held = (branch.get(topicOf(to)) ?? []).map(({ line }) => line);
        return lines.every((line) => {
          const at = held.indexOf(line);
          return at >= 0 && held.splice(at, 1).length === 1;
        });
      });
    },
    everLost(to) {
      const now = new Set(current(to).map(({ line }) => line));
      return branches.some((branch) => (branch.get(topicOf(to)) ?? []).some(({ line }) => !now.has(line)));
    },
  };
}
