import { mustReadBlock } from "./block.ts";
import type { Rpc } from "./rpc.ts";

/** The chain's clock and this machine's may differ by this much. */
const clockSkewMsMax = 3_600_000;

/**
 * The highest block up to `head` that was surely made before a time of this machine (Unix ms), whatever the clocks
 * say; block 0 when there is none. Throws a BadAnswer.
 */
export async function blockSurelyBefore(rpc: Rpc, timeMs: number, head: number): Promise<number> {
  const timeSec = Math.floor((timeMs - clockSkewMsMax) / 1000);
  let low = 0;
  let high = head;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((await mustReadBlock(rpc, middle)).timestampSec <= timeSec) low = middle;
    else high = middle - 1;
  }
  return low;
}
