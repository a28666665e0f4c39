import { readBlock } from "../chain/block.ts";
import { createRpc, type Rpc } from "../chain/rpc.ts";
import { messageOf } from "../lib/error.ts";
import type { ExportedPayment } from "../store/export.ts";

/** So many headers are asked for at a time. */
const batchSize = 20;

export type TimedPayment = ExportedPayment & {
  /** The time stamp of the block in Unix milliseconds; null when no node told it. */
  blockMs: number | null;
};

/**
 * Adds to each payment the time of its block, which nodes know and Till does not keep. A node of another chain, or one
 * that has another block in its place, is not believed. After a failure the next node is asked; when all have failed,
 * `onFailure` is told once and the rest comes without times.
 */
export async function* withBlockTimes(
  payments: Iterable<ExportedPayment>,
  rpcUrls: readonly string[],
  onFailure: (reason: string) => void,
): AsyncGenerator<TimedPayment> {
  const nodes: Rpc[] = rpcUrls.map((url) => createRpc({ url }));
  if (nodes.length === 0) onFailure("TILL_RPC_URL is not set");
  const known = { hash: "", ms: null as number | null };

  async function timeOf(rpc: Rpc, { blockNumber, blockHash }: ExportedPayment): Promise<number | null> {
    if (known.hash === blockHash) return known.ms;
    const block = await readBlock(rpc, blockNumber);
    return block?.hash === blockHash ? block.timestampSec * 1000 : null;
  }

  async function timesOf(batch: readonly ExportedPayment[]): Promise<(number | null)[]> {
    for (let rpc = nodes[0]; rpc; rpc = nodes[0]) {
      const node = rpc;
      try {
        return await Promise.all(batch.map((payment) => timeOf(node, payment)));
      } catch (thrown) {
        nodes.shift();
        if (nodes.length === 0) onFailure(messageOf(thrown));
      }
    }
    return batch.map(() => null);
  }

  for (const batch of batches(payments)) {
    const times = await timesOf(batch);
    for (const [index, payment] of batch.entries()) {
      const blockMs = times[index] ?? null;
      Object.assign(known, { hash: payment.blockHash, ms: blockMs });
      yield { ...payment, blockMs };
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
