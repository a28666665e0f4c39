import type { BlockRef } from "../domain/payment/block.ts";
import type { Transfer } from "../domain/payment/transfer.ts";
import type { Db } from "../store/database.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";

/** Blocks of recorded transfers that one look compares with the chain, beside those that are about to count. */
const comparedMax = 32;
/** The same of deposits to which more came: anybody can send dust all the time. */
const suspectsMax = 8;

/** Once or twice more, by the pace of close looks, each recorded block is compared when it was seen so long ago. */
const comparedAgainMs = { min: 20_000, max: 260_000 };
const comparedAgainMax = 100;

/** What a look knows before it asks whether recorded blocks are still on the chain. */
type Seen = {
  /** Deposits that hold something else than the books say, by how much, and whether that is looked into already. */
  differences: readonly { index: number; amount: bigint; isNoted: boolean }[];
  /** What was found and is not in the books. */
  transfers: readonly Transfer[];
  checkpoint: BlockRef | null;
  confirmedUpTo: number;
  settledNumber: number;
  isClose: boolean;
  /** Unix milliseconds. */
  now: number;
};

/** The blocks of recorded transfers that a look compares with the chain. */
export function listRecorded(db: Db, seen: Seen): BlockRef[] {
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
 * Blocks that may still leave the chain, of deposits to which more came, or that hold something else than the books and what
 * was found come to: a node that answered from two branches at once may have hidden that they did.
 */
function listSuspects(db: Db, { differences, transfers, settledNumber }: Seen): BlockRef[] {
  const sums = sumByDeposit(transfers);
  const differing = differences.filter(({ index, amount }) => amount !== (sums.get(index) ?? 0n));
  const indices = new Set([...sums.keys(), ...differing.map(({ index }) => index)]);
  return listNewest(db, [...indices], settledNumber);
}

/** The newest recorded blocks that paid these deposits and may still leave the chain; some. */
export const listNewest = (db: Db, indices: readonly number[], settledNumber: number): BlockRef[] =>
  indices
    .flatMap((index) => TransferStore.listBlocksOf(db, index, suspectsMax))
    .filter(({ number }) => number > settledNumber)
    .toSorted((a, b) => b.number - a.number)
    .slice(0, suspectsMax);

/** Balances do not tell when as much came on another branch, and a node that answered from both hid it at first. */
function listToCompareAgain(db: Db, { now, settledNumber }: Seen): BlockRef[] {
  const seen = { from: now - comparedAgainMs.max, to: now - comparedAgainMs.min };
  return TransferStore.listBlocksAbove(db, settledNumber, comparedAgainMax, seen);
}

/** By deposit, what these transfers pay it. */
export function sumByDeposit(transfers: Iterable<Transfer>): Map<number, bigint> {
  const sums = new Map<number, bigint>();
  for (const { depositIndex, amount } of transfers)
    sums.set(depositIndex, (sums.get(depositIndex) ?? 0n) + amount);
  return sums;
}
