import { readBlock } from "../chain/block.ts";
import { createRpc, type Rpc } from "../chain/rpc.ts";
import { messageOf } from "../lib/error.ts";

/** So many headers are asked for at a time. */
const batchSize = 20;

/** The block of something that may not be in one. */
export type InBlock = { blockNumber: number; blockHash: string } | null;

/**
 * Adds to each item the time stamp of its block in Unix milliseconds, which nodes know and Till does not keep; null for
 * what is in no block, and when no node told it. A node of another chain, or one that has another block in its place, is
 * not believed. After a failure the next node is asked; when all have failed, `onFailure` is told once and the rest comes
 * without times.
 */
export async function* withBlockTimes<T extends object>(
  items: Iterable<T>,
  blockOf: (item: T) => InBlock,
  rpcUrls: readonly string[],
  onFailure: (reason: string) => void,
): AsyncGenerator<T & { blockMs: number | null }> {
  const nodes: Rpc[] = rpcUrls.map((url) => createRpc({ url }));
  let isTold = false;
  const known = { hash: "", ms: null as number | null };

  async function timeOf(rpc: Rpc, { blockNumber, blockHash }: NonNullable<InBlock>): Promise<number | null> {
    if (known.hash === blockHash) return known.ms;
    const block = await readBlock(rpc, blockNumber);
    return block?.hash === blockHash ? block.timestampSec * 1000 : null;
  }

  async function timesOf(batch: readonly InBlock[]): Promise<(number | null)[]> {
    const none = batch.map(() => null);
    if (batch.every((block) => block === null)) return none;
    let reason = "TILL_RPC_URL is not set";
    for (let rpc = nodes[0]; rpc; rpc = nodes[0]) {
      const node = rpc;
      try {
        return await Promise.all(batch.map((block) => block && timeOf(node, block)));
      } catch (thrown) {
        nodes.shift();
        reason = messageOf(thrown);
      }
    }
    if (!isTold) onFailure(reason);
    isTold = true;
    return none;
  }

  for (const batch of batches(items)) {
    const times = await timesOf(batch.map(blockOf));
    for (const [index, item] of batch.entries()) {
      const [block, blockMs] = [blockOf(item), times[index] ?? null];
      if (block) Object.assign(known, { hash: block.blockHash, ms: blockMs });
      yield { ...item, blockMs };
    }
  }
}

function* batches<T>(items: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
