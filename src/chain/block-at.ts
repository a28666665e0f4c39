import { BadAnswer, readBlock } from "./block.ts";
import type { Rpc } from "./rpc.ts";

/** The highest block up to `head` that was made at or before a time (Unix seconds); block 0 when there is none. */
export async function lastBlockBefore(rpc: Rpc, timeSec: number, head: number): Promise<number> {
  let low = 0;
  let high = head;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const block = await readBlock(rpc, middle);
    if (!block) throw new BadAnswer(rpc.host, `no block ${middle}`);
    if (block.timestampSec <= timeSec) low = middle;
    else high = middle - 1;
  }
  return low;
}
