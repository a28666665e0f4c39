import { blockSurelyBefore, mustReadBlock } from "../chain/node/block.ts";
import type { Rpc } from "../chain/node/rpc.ts";
import type { BlockRef } from "../domain/payment/block.ts";

/** A gap of this many blocks is simply read. */
const gapBlocksMax = 1_000;

/** While every watched deposit is younger than this, 64 blocks cover all that came since. */
const newDepositMsMax = 20_000;
const newDepositBlocks = 64;

/**
 * Where following the chain begins on a new installation: at the head, or, when deposits were made while the
 * node could not be reached, an hour before the first of them.
 */
export async function firstCheckpoint(rpc: Rpc, oldestDeposit: () => number | null): Promise<BlockRef> {
  const head = await mustReadBlock(rpc, "latest");
  // Asked for after the head is known: a deposit made later can only be paid above it.
  const oldestDepositMs = oldestDeposit();
  if (oldestDepositMs === null) return { number: head.number, hash: head.hash };
  const before = await blockSurelyBefore(rpc, oldestDepositMs, head.number);
  const { number, hash } = await mustReadBlock(rpc, before);
  return { number, hash };
}

/**
 * After a time in which nothing was watched the checkpoint is old. The blocks up to the returned one can be left
 * out, because every watched address is so new that nobody knew it then.
 */
export function skippableTo(
  checkpoint: number,
  head: number,
  oldestDeposit: () => number | null,
  nowMs: number,
): number {
  if (head - checkpoint <= gapBlocksMax) return checkpoint;
  const oldestDepositMs = oldestDeposit();
  if (oldestDepositMs === null) return checkpoint;
  const ageMs = nowMs - oldestDepositMs;
  return ageMs >= 0 && ageMs <= newDepositMsMax ? head - newDepositBlocks : checkpoint;
}
