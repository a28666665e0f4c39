import type { Address } from "../../../src/domain/wallet/address.ts";
import type { TestChain } from "../chain/chain.ts";

/** One payment as it was sent: to whom, and how much in micro-USDC. */
export type Sent = { to: Address; amount: bigint };

/** One transfer, as a line that two readers of the chain write alike. */
export type Line = string;

export const lineOf = (txHash: string, block: number, amount: bigint): Line => `${txHash} ${block} ${amount}`;

/** A transfer on the chain: a row of Till's has to be this one, field by field. */
export type Entry = { blockHash: string; logIndex: number; block: number; txHash: string; amount: bigint };

/**
 * What really happened, by another way than Till's: what was sent is known from the sending, and whether it counts
 * from the blocks themselves, which list their transactions. No log is looked for.
 */
export type Ledger = {
  /** Keeps what a transaction pays, in the order of its transfers. */
  sent(txHash: string, payments: readonly Sent[]): void;
  /** Remembers the chain as it is now, as one of the branches that there have been. */
  note(): Promise<void>;
  /** The transfers to one address on the chain as it was last noted, in order. */
  entries(to: Address): Entry[];
  lines(to: Address): Line[];
  total(to: Address): bigint;
  /** Whether one branch that there has been holds all of these lines of the address. */
  everHeld(to: Address, lines: readonly Line[]): boolean;
  /** Whether the address once had transfers that it has no more. */
  everLost(to: Address): boolean;
  /** Every sum that some of the transfers of one branch made: what a node without all its logs may tell. */
  everSummed(to: Address): Set<bigint>;
};

type Block = { number: number; hash: string; parentHash: string; transactions: Transaction[] };
type Transaction = { hash: string; ok: boolean; logIndices: number[] };

export function createLedger(chain: TestChain): Ledger {
  const payments = new Map<string, readonly Sent[]>();
  const branches: Block[][] = [[]];
  let noting: Promise<void> = Promise.resolve();

  async function read(number: number | "latest"): Promise<Block> {
    const tag = number === "latest" ? number : `0x${number.toString(16)}`;
    const raw = (await chain.rpc("eth_getBlockByNumber", [tag, false])) as Record<string, string> & {
      transactions: string[];
    };
    if (!raw) throw new Moved();
    const block = {
      number: Number(raw["number"]),
      hash: raw["hash"] ?? "",
      parentHash: raw["parentHash"] ?? "",
    };
    return {
      ...block,
      transactions: await Promise.all(raw.transactions.map((hash) => receipt(hash, block.hash))),
    };
  }

  async function receipt(hash: string, blockHash: string): Promise<Transaction> {
    const found = (await chain.rpc("eth_getTransactionReceipt", [hash])) as {
      blockHash: string;
      status: string;
      logs: { address: string; logIndex: string }[];
    } | null;
    if (found?.blockHash !== blockHash) throw new Moved();
    const own = found.logs.filter((log) => log.address.toLowerCase() === chain.usdc.toLowerCase());
    return { hash, ok: found.status === "0x1", logIndices: own.map((log) => Number(log.logIndex)) };
  }

  /** Reads down from the head to the first block that is known. */
  async function follow(): Promise<void> {
    const known = branches.at(-1) ?? [];
    const fresh: Block[] = [];
    let block = await read("latest");
    while (known[block.number]?.hash !== block.hash) {
      fresh.unshift(block);
      if (block.number === 0) break;
      const parent = await read(block.number - 1);
      if (parent.hash !== block.parentHash) throw new Moved();
      block = parent;
    }
    const base = fresh[0]?.number ?? block.number + 1;
    if (fresh.length > 0 || known.length > base) branches.push([...known.slice(0, base), ...fresh]);
  }

  async function note(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await follow();
      } catch (thrown) {
        if (!(thrown instanceof Moved) || attempt === 20) throw thrown;
        await Bun.sleep(5);
      }
    }
  }

  function entriesOf(branch: readonly Block[], to: Address): Entry[] {
    return branch.flatMap((block) =>
      block.transactions.flatMap(({ hash, ok, logIndices }) =>
        (ok ? (payments.get(hash) ?? []) : []).flatMap((payment, i) =>
          payment.to === to
            ? [
                {
                  blockHash: block.hash,
                  logIndex: logIndices[i] ?? -1,
                  block: block.number,
                  txHash: hash,
                  amount: payment.amount,
                },
              ]
            : [],
        ),
      ),
    );
  }
  const linesOf = (branch: readonly Block[], to: Address) =>
    entriesOf(branch, to).map(({ txHash, block, amount }) => lineOf(txHash, block, amount));
  const current = () => branches.at(-1) ?? [];

  return {
    sent: (txHash, list) => void payments.set(txHash, list),
    note() {
      noting = noting.then(note, note);
      return noting;
    },
    entries: (to) => entriesOf(current(), to),
    lines: (to) => linesOf(current(), to),
    total: (to) => entriesOf(current(), to).reduce((sum, { amount }) => sum + amount, 0n),
    everHeld: (to, lines) =>
      branches.findLast((branch) => {
        const held = linesOf(branch, to);
        return lines.every((line) => {
          const at = held.indexOf(line);
          return at >= 0 && held.splice(at, 1).length === 1;
        });
      }) !== undefined,
    everLost(to) {
      const now = new Set(linesOf(current(), to));
      return branches.some((branch) => linesOf(branch, to).some((line) => !now.has(line)));
    },
    everSummed(to) {
      const all = new Set<bigint>();
      for (const branch of branches) {
        let sums = new Set([0n]);
        for (const { amount } of entriesOf(branch, to)) {
          sums = new Set([...sums, ...[...sums].map((sum) => sum + amount)]);
        }
        for (const sum of sums) all.add(sum);
      }
      return all;
    },
  };
}

/** The chain changed while it was being read. */
class Moved extends Error {}
