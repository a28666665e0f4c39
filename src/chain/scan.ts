import type { BlockRef } from "../domain/block.ts";
import type { Transfer } from "../domain/transfer.ts";
import { BadAnswer, type Block, readBlock } from "./block.ts";
import type { Rpc } from "./rpc.ts";
import type { Recipients, TransferReader } from "./transfer-log.ts";

/** Blocks below the checkpoint that are read again with a scan that reaches the head: nodes forget logs. */
export const overlapBlocks = 15;

/** How far below the lowest checkpoint a scan starts when a reorg has taken every one of them. */
const deepestReorgBlocks = 256;

/**
 * Logs of blocks less deep than this are checked against the block's own header: behind one URL there may be
 * several nodes, and one of them may still be on a branch that the others have left.
 */
const settledDepthBlocks = 64;

export type ScanPlan = {
  rpc: Rpc;
  reader: TransferReader;
  checkpoint: BlockRef;
  /** Checkpoints below that one, highest first; asked for only after a reorg. */
  olderCheckpoints: () => BlockRef[];
  /**
   * The addresses to look for; asked for after the head is known. An address made later than that can only be
   * paid in a later block, so nothing slips between two scans.
   */
  recipients: () => Recipients;
  /** Where the scan begins if that is above the checkpoint: blocks in which nobody could know an address. */
  startAfter?: (head: Block) => number;
  confirmations: number | "safe" | "finalized";
  overlap: number;
};

export type ScanResult =
  /** The node is behind what was already seen: nothing can be said yet. */
  | { kind: "behind"; head: Block }
  | {
      kind: "scanned";
      head: Block;
      /** Up to here everything has been read now. */
      checkpoint: BlockRef;
      /** Whether the checkpoint is the head, or there is more to read. */
      caughtUp: boolean;
      /** After a reorg: blocks above this one are not what they were. */
      undoAbove: number | null;
      transfers: Transfer[];
      /** Transfers up to this block count. */
      confirmedUpTo: number;
    };

/**
 * Reads what happened on the chain after the checkpoint, at most one range of blocks, and checks that it all
 * belongs to one chain. Changes nothing. Throws what the node's answers make it throw.
 */
export async function scan(plan: ScanPlan): Promise<ScanResult> {
  const { rpc, reader, checkpoint } = plan;
  const head = await readBlock(rpc, "latest");
  if (!head) throw new BadAnswer(rpc.host, "no latest block");
  if (head.number < checkpoint.number) return { kind: "behind", head };
  const recipients = plan.recipients();

  const base = await lastCommonBlock(plan, head);
  if (base === null) return { kind: "behind", head };
  const undoAbove = base === checkpoint.number ? null : base;
  const start = Math.max(base, plan.startAfter?.(head) ?? base);
  // What a reorg took away is read again in one go, so that no payment is missing between two scans.
  const to = undoAbove === null ? Math.min(head.number, start + reader.range) : head.number;
  const caughtUp = to === head.number;
  const target = caughtUp ? head : await readBlock(rpc, to);
  if (!target) return { kind: "behind", head };

  const from = Math.max(0, start + 1 - (caughtUp ? plan.overlap : 0));
  const [transfers, confirmedUpTo] = await Promise.all([
    reader.read({ from, to }, recipients),
    confirmationLimit(plan, head),
  ]);
  const doubtful = new Set([to, ...transfers.map((transfer) => transfer.blockNumber)]);
  await Promise.all(
    [...doubtful]
      .filter((number) => number === to || number > head.number - settledDepthBlocks)
      .map(async (number) => {
        const block = await readBlock(rpc, number);
        const fits = (transfer: Transfer) =>
          transfer.blockNumber !== number || transfer.blockHash === block?.hash;
        if (!transfers.every(fits)) throw new ChainMoved(number);
        if (number === to && block?.hash !== target.hash) throw new ChainMoved(number);
      }),
  );
  return {
    kind: "scanned",
    head,
    checkpoint: { number: target.number, hash: target.hash },
    caughtUp,
    undoAbove,
    transfers,
    confirmedUpTo: Math.min(confirmedUpTo, to),
  };
}

/** The number of the highest checkpoint that is still part of the chain; null when the node does not know yet. */
async function lastCommonBlock(
  { rpc, checkpoint, olderCheckpoints }: ScanPlan,
  head: Block,
): Promise<number | null> {
  const current = head.number === checkpoint.number ? head : await readBlock(rpc, checkpoint.number);
  if (!current) return null;
  if (current.hash === checkpoint.hash) return checkpoint.number;
  let lowest = checkpoint.number;
  for (const older of olderCheckpoints()) {
    const block = await readBlock(rpc, older.number);
    if (block?.hash === older.hash) return older.number;
    lowest = older.number;
  }
  return Math.max(0, lowest - deepestReorgBlocks);
}

async function confirmationLimit({ rpc, confirmations }: ScanPlan, head: Block): Promise<number> {
  if (typeof confirmations === "number") return head.number - confirmations + 1;
  const block = await readBlock(rpc, confirmations);
  if (!block) throw new BadAnswer(rpc.host, `no ${confirmations} block; set TILL_CONFIRMATIONS to a number`);
  return block.number;
}

/** The chain changed while it was being read. The next scan sees it as it is then. */
export class ChainMoved extends Error {
  override readonly name = "ChainMoved";
  constructor(blockNumber: number) {
    super(`Block ${blockNumber} was replaced while it was being read`);
  }
}
