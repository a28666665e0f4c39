import type { BlockRef } from "../domain/block.ts";
import type { Confirmations } from "../domain/confirmations.ts";
import type { Transfer } from "../domain/transfer.ts";
import { BadAnswer, type Block, mustReadBlock, readBlock } from "./block.ts";
import { countsUpTo } from "./confirmations.ts";
import type { Rpc } from "./rpc.ts";
import type { BlockRange, Recipients, TransferReader } from "./transfer-log.ts";

/** Blocks below the checkpoint that are read again with a scan that reaches the head: nodes forget logs. */
export const overlapBlocks = 15;

/** How far below the lowest checkpoint a scan starts when a reorg has taken every one of them. */
const deepestReorgBlocks = 256;

/**
 * Behind one URL there may be several nodes, and one of them may still be on a branch that the others have left: the
 * header of every block less deep than this is compared with its logs, known ones included. Deeper down nothing
 * moves any more, and a log of another block than the chain has is made up.
 */
const settledDepthBlocks = 64;

/** There can be a transfer in every block: a node would take that many calls at once for an attack. */
const headersAtOnceMax = 16;

export type ScanPlan = {
  rpc: Rpc;
  reader: TransferReader;
  checkpoint: BlockRef;
  /** Checkpoints below that one, highest first; asked for only after a reorg. */
  olderCheckpoints: () => BlockRef[];
  /** Blocks with recorded transfers: those above the first number, and those that the second would confirm. */
  recorded: (above: number, confirmedUpTo: number) => BlockRef[];
  /** Whether a transfer is recorded: the headers of all others are compared, however deep they are. */
  isKnown: (transfer: Transfer) => boolean;
  /** Called before a reorg is believed. Throws when the node is one of another chain. */
  confirmIdentity: () => Promise<void>;
  /**
   * The addresses to look for; asked for after the head is known. An address made later than that can only be
   * paid in a later block, so nothing slips between two scans.
   */
  recipients: () => Recipients;
  /** Where the scan begins if that is above the checkpoint: blocks in which nobody could know an address. */
  startAfter?: (head: Block) => number;
  confirmations: Confirmations;
  overlap: number;
  /** The checkpoint is known to be above the real chain: go back to the last one that is on it. */
  checkpointIsAbove?: boolean;
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
  const { rpc, checkpoint } = plan;
  const head = await mustReadBlock(rpc, "latest");
  const isBelow = head.number < checkpoint.number;
  if (isBelow && !plan.checkpointIsAbove) return { kind: "behind", head };
  const recipients = plan.recipients();
  const confirmedUpTo = await countsUpTo(rpc, plan.confirmations, head.number);
  // A reorg is rare: that there is none is found out together with everything else at the end.
  const read = isBelow
    ? "replaced"
    : await readAbove(plan, head, checkpoint.number, confirmedUpTo, recipients);
  if (read !== "replaced") return read;
  const base = await lastCommonBlock(plan, head);
  if (base === null) return { kind: "behind", head };
  const again = await readAbove(plan, head, base, confirmedUpTo, recipients);
  if (again === "replaced") throw new ChainMoved(checkpoint.number);
  return again;
}

/**
 * Reads what is above a block of the chain, and starts again lower when a recorded block turns out replaced.
 * Returns "replaced" when it is the checkpoint that is not on the chain.
 */
async function readAbove(
  plan: ScanPlan,
  head: Block,
  base: number,
  confirmationLimit: number,
  recipients: Recipients,
): Promise<ScanResult | "replaced"> {
  const { rpc, reader, checkpoint } = plan;
  const undoAbove = base === checkpoint.number ? null : base;
  // After a reorg nothing is left out: what was undone may be in any of the blocks.
  const start = undoAbove === null ? Math.max(base, plan.startAfter?.(head) ?? base) : base;
  // What a reorg took away is read again in one go, so that no payment is missing between two scans.
  const to = undoAbove === null ? Math.min(head.number, start + reader.range) : head.number;
  const caughtUp = to === head.number;
  const target = caughtUp ? head : await readBlock(rpc, to);
  if (!target) return { kind: "behind", head };

  const from = Math.max(0, start + 1 - (caughtUp ? plan.overlap : 0));
  const transfers = await reader.read({ from, to }, recipients);
  const confirmedUpTo = Math.min(confirmationLimit, to);
  const recorded = plan
    .recorded(base - Math.min(plan.overlap, settledDepthBlocks), confirmedUpTo)
    .filter((block) => block.number <= base);
  const settled = head.number - settledDepthBlocks;
  const doubtful = transfers
    .filter((transfer) => transfer.blockNumber > settled || !plan.isKnown(transfer))
    .map(({ blockNumber, blockHash }) => ({ number: blockNumber, hash: blockHash }));
  const expected = [target, ...doubtful];
  // Only now: the answers before can all have come from another chain.
  const headers = await readHeaders(rpc, [
    ...expected,
    ...recorded,
    ...(undoAbove === null ? [checkpoint] : []),
  ]);
  if (undoAbove === null) {
    const current = headers.get(checkpoint.number);
    if (current === undefined) return { kind: "behind", head };
    if (current !== checkpoint.hash) return "replaced";
  }
  const moved = expected.find((block) => headers.get(block.number) !== block.hash);
  if (moved && moved.number <= settled)
    throw new BadAnswer(rpc.host, `block ${moved.number} with two different hashes`);
  if (moved) throw new ChainMoved(moved.number);
  const replaced = recorded.filter((block) => headers.get(block.number) !== block.hash);
  if (replaced.length > 0) {
    await plan.confirmIdentity();
    const lowest = Math.min(...replaced.map((block) => block.number));
    return readAbove(plan, head, lowest - 1, confirmationLimit, recipients);
  }
  return {
    kind: "scanned",
    head,
    checkpoint: { number: target.number, hash: target.hash },
    caughtUp,
    undoAbove,
    transfers,
    confirmedUpTo,
  };
}

/**
 * Reads blocks below the checkpoint once more, for what was left out the first time: as many as the node takes in
 * one call. Returns how far it came and the transfers that are not known, each in a block of the chain that the
 * checkpoint is on. Throws as `scan` does.
 */
export async function reread(
  { rpc, reader, checkpoint }: Pick<ScanPlan, "rpc" | "reader" | "checkpoint">,
  blocks: BlockRange,
  recipients: Recipients,
  isKnown: (transfer: Transfer) => boolean,
): Promise<{ to: number; transfers: Transfer[] }> {
  const { to, transfers } = await reader.readSome(blocks, recipients);
  const unknown = transfers.filter((transfer) => !isKnown(transfer));
  if (unknown.length === 0) return { to, transfers: [] };
  const expected = [
    checkpoint,
    ...unknown.map(({ blockNumber, blockHash }) => ({ number: blockNumber, hash: blockHash })),
  ];
  const headers = await readHeaders(rpc, expected);
  const moved = expected.find((block) => headers.get(block.number) !== block.hash);
  if (moved) throw new ChainMoved(moved.number);
  return { to, transfers: unknown };
}

/** Throws a ChainMoved unless the node has the block, asked by its number. */
export async function mustBeOnChain(rpc: Rpc, { number, hash }: BlockRef): Promise<void> {
  if ((await readBlock(rpc, number))?.hash !== hash) throw new ChainMoved(number);
}

/** The hashes that the blocks of these numbers have now. */
async function readHeaders(rpc: Rpc, blocks: readonly BlockRef[]): Promise<Map<number, string | undefined>> {
  const numbers = [...new Set(blocks.map((block) => block.number))];
  const hashes = new Map<number, string | undefined>();
  const queue = numbers.values();
  async function readInTurn() {
    for (const number of queue) hashes.set(number, (await readBlock(rpc, number))?.hash);
  }
  await Promise.all(Array.from({ length: headersAtOnceMax }, readInTurn));
  return hashes;
}

/** The number of the highest known block that is still part of the chain; null when the node does not know yet. */
async function lastCommonBlock(plan: ScanPlan, head: Block): Promise<number | null> {
  const { rpc, checkpoint } = plan;
  const isBelow = head.number < checkpoint.number;
  if (!isBelow) {
    const current = await readBlock(rpc, checkpoint.number);
    if (!current) return null;
    if (current.hash === checkpoint.hash) return checkpoint.number;
  }
  await plan.confirmIdentity();
  await mustBeOnChain(rpc, head);
  const older = plan.olderCheckpoints().filter((block) => block.number <= head.number);
  // Below the last common block all are common, above it none.
  let low = 0;
  let high = older.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const known = older[middle];
    if (known && (await readBlock(rpc, known.number))?.hash === known.hash) high = middle;
    else low = middle + 1;
  }
  const common = older[low];
  if (common) return common.number;
  const lowest = older.at(-1)?.number ?? checkpoint.number;
  if (isBelow || checkpoint.number - lowest > deepestReorgBlocks) {
    throw new BadAnswer(rpc.host, `none of the blocks known from ${lowest} to ${checkpoint.number}`);
  }
  return Math.max(0, lowest - deepestReorgBlocks);
}

/** The chain changed while it was being read. The next scan sees it as it is then. */
export class ChainMoved extends Error {
  override readonly name = "ChainMoved";
  constructor(blockNumber: number) {
    super(`Block ${blockNumber} was replaced while it was being read`);
  }
}
