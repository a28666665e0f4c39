import {
  BadAnswer,
  type Block,
  blockSurelyBefore,
  ChainMoved,
  mustBeOnChain,
  mustReadBlock,
  readBlock,
  readHeaders,
} from "../chain/node/block.ts";
import { countsUpTo } from "../chain/node/confirmations.ts";
import type { Node } from "../chain/node/nodes.ts";
import type { Rpc } from "../chain/node/rpc.ts";
import { logsAtOnce } from "../chain/transfer/crowded-block.ts";
import type { Recipients } from "../chain/transfer/transfer-log.ts";
import type { BlockRef, Confirmations } from "../domain/payment/block.ts";
import { turn } from "../lib/loop.ts";
import type { Db } from "../store/database.ts";
import * as CheckpointStore from "../store/tables/watch/checkpoint.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";
import type { WatchedDeposits } from "./deposits.ts";
import type { Scanned } from "./payment/payment.ts";

/** So many are read again at least: nodes forget logs. */
export const overlapBlocks = 15;

/** A gap of this many blocks is simply read. */
const gapBlocksMax = 1_000;

/** While every watched deposit is younger than this, 64 blocks cover all that came since. */
const newDepositMsMax = 20_000;
const newDepositBlocks = 64;

/** How far below the lowest checkpoint a scan starts when a reorg has taken every one of them. */
const deepestReorgBlocks = 256;

/**
 * Behind one URL there may be several nodes, and one of them may still be on a branch that the others have left: the
 * header of every block less deep than this is compared with its logs, known ones included. Deeper down nothing
 * moves any more, and a log of another block than the chain has is made up.
 */
export const settledDepthBlocks = 64;

export type ScanOptions = {
  db: Db;
  node: Pick<Node, "rpc" | "reader">;
  deposits: { readonly recipients: Recipients } & Pick<WatchedDeposits, "oldestCreation">;
  confirmations: Confirmations;
  /** Called before a reorg is believed. Throws when the node must not be used. */
  check: () => Promise<void>;
  /** Blocks below the checkpoint that are read again with a scan that reaches the head. */
  overlap: number;
  /** How far below the checkpoint the blocks of recorded transfers are compared with the chain. */
  recordedDepth: number;
  /** The checkpoint is known to be above the real chain: go back to the last one that is on it. */
  isCheckpointFalse: boolean;
  /** Unix milliseconds. */
  now: number;
};

/** Everything up to the checkpoint has been read. `next`: it is the head; `gap`: there is more to read. */
export type ScanResult = Scanned & { kind: "next" | "gap" | "replaced"; head: Block };

type Scan =
  /** The node is behind what was already seen: nothing can be said yet. */
  { kind: "behind"; head: Block } | ScanResult;

type ScanFacts = ScanOptions & {
  checkpoint: BlockRef;
  head: Block;
  recipients: Recipients;
  confirmationLimit: number;
};

/**
 * Reads what happened on the chain after the checkpoint, at most one range of blocks, and checks that it all belongs to
 * one chain. Changes nothing. Throws when the node fails or answers nonsense.
 */
export async function scan(options: ScanOptions, checkpoint: BlockRef): Promise<Scan> {
  const { rpc } = options.node;
  const head = await mustReadBlock(rpc, "latest");
  const isBelow = head.number < checkpoint.number;
  if (isBelow && !options.isCheckpointFalse) return { kind: "behind", head };
  // Asked for after the head: an address made later can only be paid in a later block, so nothing slips through.
  const { recipients } = options.deposits;
  const confirmationLimit = await countsUpTo(rpc, options.confirmations, head.number);
  const facts = { ...options, checkpoint, head, recipients, confirmationLimit };
  // Reorgs are rare: the check for one is part of the checks at the end.
  const read = isBelow ? "replaced" : await readAbove(facts, checkpoint.number);
  if (read !== "replaced") return read;
  const base = await lastCommonBlock(facts);
  if (base === null) return { kind: "behind", head };
  const again = await readAbove(facts, base);
  if (again === "replaced") throw new ChainMoved(checkpoint.number);
  return again;
}

/**
 * Reads what is above a block of the chain, and starts again lower when a recorded block turns out replaced.
 * Returns "replaced" when it is the checkpoint that is not on the chain.
 */
async function readAbove(facts: ScanFacts, base: number): Promise<Scan | "replaced"> {
  const { db, checkpoint, head, recipients, confirmationLimit, recordedDepth } = facts;
  const { rpc, reader } = facts.node;
  const undoAbove = base === checkpoint.number ? null : base;
  // After a reorg nothing is left out: what was undone may be in any of the blocks.
  const start = undoAbove === null ? startAbove(facts) : base;
  // What a reorg took away is read again in one go, so that no payment is missing between two scans.
  const to = undoAbove === null ? Math.min(head.number, start + reader.range) : head.number;
  const reachesHead = to === head.number;
  const target = reachesHead ? head : await readBlock(rpc, to);
  if (!target) return { kind: "behind", head };

  const from = Math.max(0, start + 1 - (reachesHead ? facts.overlap : 0));
  const transfers = await reader.read({ from, to }, recipients);
  const confirmedUpTo = Math.min(confirmationLimit, to);
  const recorded = TransferStore.listBlocks(db, base - recordedDepth, confirmedUpTo).filter(
    (block) => block.number <= base,
  );
  const settled = head.number - settledDepthBlocks;
  const doubtful: BlockRef[] = [];
  for (const [at, transfer] of transfers.entries()) {
    if (at % logsAtOnce === logsAtOnce - 1) await turn();
    if (transfer.blockNumber > settled || !TransferStore.isRecorded(db, transfer))
      doubtful.push({ number: transfer.blockNumber, hash: transfer.blockHash });
  }
  const expected = [target, ...doubtful];
  // Only now: the answers before can all have come from another chain.
  const headers = await readHeaders(rpc, [
    ...expected,
    ...recorded,
    ...(undoAbove === null ? [checkpoint] : []),
  ]);
  if (undoAbove === null) {
    const current = headers.get(checkpoint.number);
    if (!current) return { kind: "behind", head };
    if (current.hash !== checkpoint.hash) return "replaced";
  }
  const moved = expected.find((block) => headers.get(block.number)?.hash !== block.hash);
  if (moved && moved.number <= settled)
    throw new BadAnswer(rpc.host, `block ${moved.number} with two different hashes`);
  if (moved) throw new ChainMoved(moved.number);
  const replaced = recorded.filter((block) => headers.get(block.number)?.hash !== block.hash);
  if (replaced.length > 0) {
    await facts.check();
    return readAbove(facts, Math.min(...replaced.map((block) => block.number)) - 1);
  }
  return {
    kind: undoAbove !== null ? "replaced" : reachesHead ? "next" : "gap",
    head,
    checkpoint: { number: target.number, hash: target.hash },
    undoAbove,
    transfers,
    headers,
    confirmedUpTo,
  };
}

/**
 * The block to read on from. After a time in which nothing was watched the checkpoint is old: the blocks are left out in
 * which nobody knew a watched address, because every one of them is so new.
 */
function startAbove({ checkpoint, head, recipients, deposits, now }: ScanFacts): number {
  if (recipients.size === 0) return head.number;
  if (head.number - checkpoint.number <= gapBlocksMax) return checkpoint.number;
  const oldestMs = deposits.oldestCreation();
  const isNew = oldestMs !== null && oldestMs <= now && now - oldestMs <= newDepositMsMax;
  return isNew ? head.number - newDepositBlocks : checkpoint.number;
}

/**
 * Where following the chain begins on a new installation: at the head, or, when deposits were made while the node could
 * not be reached, an hour before the first of them.
 */
export async function firstCheckpoint(rpc: Rpc, oldestDeposit: () => number | null): Promise<BlockRef> {
  const head = await mustReadBlock(rpc, "latest");
  // Asked for after the head is known: a deposit made later can only be paid above it.
  const oldestMs = oldestDeposit();
  const { number, hash } =
    oldestMs === null ? head : await mustReadBlock(rpc, await blockSurelyBefore(rpc, oldestMs, head.number));
  return { number, hash };
}

/** The number of the highest known block that is still part of the chain; null when the node does not know yet. */
async function lastCommonBlock({ db, node, checkpoint, head, check }: ScanFacts): Promise<number | null> {
  const { rpc } = node;
  const isBelow = head.number < checkpoint.number;
  if (!isBelow) {
    const current = await readBlock(rpc, checkpoint.number);
    if (!current) return null;
    if (current.hash === checkpoint.hash) return checkpoint.number;
  }
  await check();
  await mustBeOnChain(rpc, head);
  const older = CheckpointStore.listBelow(db, checkpoint.number).filter(
    ({ number }) => number <= head.number,
  );
  // Below the last common block all are common, above it none.
  let low = 0;
  let high = older.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const candidate = older[middle];
    if (candidate && (await readBlock(rpc, candidate.number))?.hash === candidate.hash) high = middle;
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
