import type { BlockRef } from "../domain/payment/block.ts";
import type { Transfer } from "../domain/payment/transfer.ts";
import type { Db } from "../store/database.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";

/** Blocks of recorded transfers that one look compares with the chain, besides those about to count. */
const comparedMax = 32;
/** The same for deposits that received more, as anybody can send dust all the time. */
const suspectsMax = 8;

/**
 * Each recorded block is compared once or twice more when it was seen this long ago, depending on the pace of close
 * looks.
 */
const comparedAgainMs = { min: 20_000, max: 260_000 };
const comparedAgainMax = 100;

/** A look's knowledge before it checks whether recorded blocks are still on the chain. */
type Knowledge = {
  /** Deposits that differ from the books: by how much, and whether that is already being investigated. */
  differences: readonly { index: number; amount: bigint; isNoted: boolean }[];
  /** Transfers that were found and are not in the books. */
  transfers: readonly Transfer[];
  checkpoint: BlockRef | null;
  confirmedUpTo: number;
  settledNumber: number;
  isClose: boolean;
  /** Unix milliseconds. */
  now: number;
};

/** The blocks of recorded transfers that a look compares with the chain. */
export function listRecorded(db: Db, seen: Knowledge): BlockRef[] {
  const { differences, checkpoint, confirmedUpTo, isClose } = seen;
  const less = differences.filter(({ amount, isNoted }) => amount < 0n && !isNoted);
  return [
    ...TransferStore.listWaiting(db, confirmedUpTo, isClose ? comparedMax : 0),
    ...less.flatMap(({ index }) => TransferStore.listBlocksOf(db, index, comparedMax)),
    ...listSuspects(db, seen),
    ...(isClose ? listToCompareAgain(db, seen) : []),
    ...(checkpoint ? TransferStore.listBlocksAbove(db, checkpoint.number, comparedMax) : []),
  ];
}

/**
 * Blocks that may still leave the chain, of deposits that received more, or that differ from the books plus what was
 * found: a node that answered from two branches at once may have hidden that these blocks left.
 */
function listSuspects(db: Db, { differences, transfers, settledNumber }: Knowledge): BlockRef[] {
  const sums = sumByDeposit(transfers);
  const differing = differences.filter(({ index, amount }) => amount !== (sums.get(index) ?? 0n));
  const indices = new Set([...sums.keys(), ...differing.map(({ index }) => index)]);
  return listNewest(db, [...indices], settledNumber);
}

/** The newest recorded blocks that paid these deposits and may still leave the chain; a limited number. */
export const listNewest = (db: Db, indices: readonly number[], settledNumber: number): BlockRef[] =>
  indices
    .flatMap((index) => TransferStore.listBlocksOf(db, index, suspectsMax))
    .filter(({ number }) => number > settledNumber)
    .toSorted((a, b) => b.number - a.number)
    .slice(0, suspectsMax);

/**
 * Balances do not show it if the same amount came on another branch, and a node that answered from both hid that at
 * first.
 */
function listToCompareAgain(db: Db, { now, settledNumber }: Knowledge): BlockRef[] {
  const seen = { from: now - comparedAgainMs.max, to: now - comparedAgainMs.min };
  return TransferStore.listBlocksAbove(db, settledNumber, comparedAgainMax, seen);
}

/** Adds up these transfers by deposit. */
export function sumByDeposit(transfers: Iterable<Transfer>): Map<number, bigint> {
  const sums = new Map<number, bigint>();
  for (const { depositIndex, amount } of transfers)
    sums.set(depositIndex, (sums.get(depositIndex) ?? 0n) + amount);
  return sums;
}
