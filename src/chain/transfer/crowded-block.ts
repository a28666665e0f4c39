import type { Address } from "../../domain/wallet/address.ts";
import { quantityHex } from "../../lib/crypto.ts";
import { chunks, turn } from "../../lib/loop.ts";
import { BadAnswer, type Block, hash32, quantity, readBlockWithTransactions } from "../node/block.ts";
import { mayBeTooMuch, type Rpc } from "../node/rpc.ts";

/** Logs processed before other work gets a turn, as a node may return any number. */
export const logsAtOnce = 500;

/** Receipts requested in parallel when a node does not return those of a whole block. */
const receiptsAtOnceMax = 16;

/** Limits of the cache of crowded blocks: more than scans read again, and a few MiB at most. */
const blocksKeptMax = 64;
const logsKeptMax = 40_000;

/** A log from the node, reduced to what is read. It is not checked yet to be a transfer to a deposit. */
type SlimLog = {
  address: string;
  topics: [event: string, from: unknown, to: string];
  data: unknown;
  blockNumber: string;
  blockHash: string;
  transactionHash: string;
  logIndex: unknown;
};

/** The logs to keep: `event` is the first topic of a transfer. */
type TransferFilter = { token: Address; event: string };

type CrowdedBlocks = {
  /** The lowest known crowded block from `from` on; Infinity if there is none. */
  next(from: number): number;
  /**
   * Reads every log in the block with which the token moves more than zero. Throws a BadAnswer if the receipts are not
   * those of the block that the node has at this number now.
   */
  read(blockNumber: number): Promise<readonly SlimLog[]>;
};

type BlockLogs = { hash: string; logs: SlimLog[] };

/** Progress of reading one transaction after another, so that after an interruption only the rest is requested. */
type PartialRead = BlockLogs & { done: number };

/**
 * Blocks with more transfers than the node returns in one eth_getLogs: anybody can fill one with thousands of zero
 * transfers. Their receipts hold the same logs, in one call for all addresses, or one call per transaction. They are
 * exactly as trustworthy as logs: each is compared with the block, and each log in it is checked like any other.
 *
 * The result is cached, because the next scans read the block again: then only its hash is requested.
 */
export function createCrowdedBlocks(rpc: Rpc, wanted: TransferFilter): CrowdedBlocks {
  const cache = new Map<number, BlockLogs>();
  let begun: PartialRead | null = null;

  async function readOneByOne(block: Block, transactions: readonly string[]): Promise<SlimLog[]> {
    if (begun?.hash !== block.hash) begun = { hash: block.hash, logs: [], done: 0 };
    const progress = begun;
    for (const some of chunks(transactions.slice(progress.done), receiptsAtOnceMax)) {
      const receipts = await Promise.all(
        some.map((hash) => rpc.request("eth_getTransactionReceipt", [hash])),
      );
      for (const [i, hash] of some.entries())
        for (const log of await logsOf(rpc, wanted, block, [hash], [receipts[i]])) progress.logs.push(log);
      progress.done += some.length;
    }
    begun = null;
    return progress.logs;
  }

  async function readReceipts(block: Block, transactions: readonly string[]): Promise<SlimLog[]> {
    if (begun?.hash === block.hash) return readOneByOne(block, transactions);
    try {
      const receipts = await rpc.request("eth_getBlockReceipts", [quantityHex(block.number)]);
      return await logsOf(rpc, wanted, block, transactions, Array.isArray(receipts) ? receipts : []);
    } catch (thrown) {
      // Not every node supports this call, and a block's receipts can be too large as well.
      if (!mayBeTooMuch(thrown)) throw thrown;
      return readOneByOne(block, transactions);
    }
  }

  function keep(blockNumber: number, crowded: BlockLogs): void {
    cache.delete(blockNumber);
    cache.set(blockNumber, crowded);
    let logs = [...cache.values()].reduce((sum, each) => sum + each.logs.length, 0);
    for (const [number, oldest] of cache) {
      if (cache.size <= blocksKeptMax && logs <= logsKeptMax) return;
      logs -= oldest.logs.length;
      cache.delete(number);
    }
  }

  return {
    next(from) {
      const later = [...cache.keys()].filter((number) => number >= from);
      return Math.min(...later);
    },
    async read(blockNumber) {
      const block = await readBlockWithTransactions(rpc, blockNumber);
      if (!block) throw new BadAnswer(rpc.host, `no block ${blockNumber}`);
      const cached = cache.get(blockNumber);
      if (cached?.hash === block.hash) return cached.logs;
      const logs = await readReceipts(block, block.transactions);
      keep(blockNumber, { hash: block.hash, logs });
      return logs;
    },
  };
}

/** The token's transfers of more than zero in the receipts of these transactions, all of that block. */
async function logsOf(
  rpc: Rpc,
  { token, event: wanted }: TransferFilter,
  block: Block,
  transactions: readonly string[],
  receipts: readonly unknown[],
): Promise<SlimLog[]> {
  let looked = 0;
  const missing = new Set(transactions);
  const tokenAddress = token.toLowerCase();
  const logs: SlimLog[] = [];
  for (const receipt of receipts) {
    const { transactionHash, logs: all } = placed(rpc, block, receipt);
    if (!missing.delete(transactionHash) || !Array.isArray(all))
      throw new BadAnswer(rpc.host, `a receipt that block ${block.number} does not have`);
    for (const log of all) {
      looked += 1;
      if (looked % logsAtOnce === 0) await turn();
      const { address, topics, data, logIndex } = log as Record<string, unknown>;
      if (typeof address !== "string" || address.toLowerCase() !== tokenAddress) continue;
      const [event, from, to] = Array.isArray(topics) ? (topics as unknown[]) : [];
      if (event !== wanted || typeof to !== "string" || isNothing(data)) continue;
      if (placed(rpc, block, log).transactionHash !== transactionHash)
        throw new BadAnswer(rpc.host, `a log of another transaction in a receipt of block ${block.number}`);
      const blockNumber = quantityHex(block.number);
      const topicsKept: SlimLog["topics"] = [wanted, from, to.toLowerCase()];
      const { hash: blockHash } = block;
      logs.push({
        address: token,
        topics: topicsKept,
        data,
        blockNumber,
        blockHash,
        transactionHash,
        logIndex,
      });
    }
  }
  if (missing.size > 0)
    throw new BadAnswer(rpc.host, `block ${block.number} without ${missing.size} receipts`);
  return logs;
}

/** Checks that a receipt or a log claims to be in this block. */
function placed(rpc: Rpc, block: Block, item: unknown): { transactionHash: string; logs: unknown } {
  if (typeof item !== "object" || item === null)
    throw new BadAnswer(rpc.host, `no receipt of a transaction in block ${block.number}`);
  const { blockHash, blockNumber, transactionHash, logs } = item as Record<string, unknown>;
  if (hash32(rpc, blockHash) !== block.hash || quantity(rpc, blockNumber) !== block.number)
    throw new BadAnswer(rpc.host, `a receipt of another block than ${block.number}`);
  return { transactionHash: hash32(rpc, transactionHash), logs };
}

/** Returns whether this is the amount 0, which anybody can send from anywhere to anywhere. */
function isNothing(data: unknown): boolean {
  return typeof data === "string" && /^0x0{64}$/.test(data);
}
