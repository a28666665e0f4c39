import { messageOf } from "../../lib/error.ts";
import { batches } from "../../lib/loop.ts";
import { readBlock } from "./block.ts";
import { createRpc, type Rpc } from "./rpc.ts";

/** Headers per batch. */
const batchSize = 20;

/** A record's block; null if it is not in one. */
type BlockPlace = { blockNumber: number; blockHash: string } | null;

/**
 * Adds to each item the timestamp of its block in Unix milliseconds, which nodes know and Till does not store; null for
 * items in no block, and if no node knew it. A node on another chain, or with a different block in that place, is not
 * trusted. After a failure the next node is asked; when all have failed, `onFailure` is called once and the rest comes
 * without times.
 */
export async function* withBlockTimes<T extends object>(
  items: Iterable<T>,
  blockOf: (item: T) => BlockPlace,
  rpcUrls: readonly string[],
  onFailure: (reason: string) => void,
): AsyncGenerator<T & { blockMs: number | null }> {
  const nodes: Rpc[] = rpcUrls.map((url) => createRpc({ url }));
  let isTold = false;
  let last: { hash: string; ms: number | null } | null = null;

  async function timeOf(
    rpc: Rpc,
    { blockNumber, blockHash }: NonNullable<BlockPlace>,
  ): Promise<number | null> {
    if (last?.hash === blockHash) return last.ms;
    const block = await readBlock(rpc, blockNumber);
    return block?.hash === blockHash ? block.timestampSec * 1000 : null;
  }

  async function timesOf(batch: readonly BlockPlace[]): Promise<(number | null)[]> {
    const none = batch.map(() => null);
    if (batch.every((block) => block === null)) return none;
    let reason = "TILL_RPC_URL is not set";
    for (const rpc of [...nodes]) {
      try {
        return await Promise.all(batch.map((block) => block && timeOf(rpc, block)));
      } catch (thrown) {
        nodes.shift();
        reason = messageOf(thrown);
      }
    }
    if (!isTold) onFailure(reason);
    isTold = true;
    return none;
  }

  for (const batch of batches(items, batchSize)) {
    const times = await timesOf(batch.map(blockOf));
    for (const [index, item] of batch.entries()) {
      const block = blockOf(item);
      const blockMs = times[index] ?? null;
      if (block) last = { hash: block.blockHash, ms: blockMs };
      yield { ...item, blockMs };
    }
  }
}
