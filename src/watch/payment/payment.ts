import type { Headers } from "../../chain/node/block.ts";
import type { BlockRef } from "../../domain/payment/block.ts";
import type { Transfer } from "../../domain/payment/transfer.ts";
import * as Usdc from "../../domain/usdc.ts";
import { type Db, transact } from "../../store/database.ts";
import * as RelayStore from "../../store/tables/settle/relay.ts";
import * as BalanceStore from "../../store/tables/watch/balance.ts";
import * as CheckpointStore from "../../store/tables/watch/checkpoint.ts";
import * as LostTransferStore from "../../store/tables/watch/lost-transfer.ts";
import * as RereadStore from "../../store/tables/watch/reread.ts";
import * as TransferStore from "../../store/tables/watch/transfer.ts";
import * as WatchedStore from "../../store/tables/watch/watched.ts";

import { type ApplyOptions, recompute, type StatusChange } from "./standing.ts";

/** Reverting this many blocks all other requests for about 30 ms. */
const transfersTakenBackMax = 500;

/** Money at deposits that no log reported, from a block on. */
type Late = {
  indices: number[];
  from: number;
  /** In micro-USDC; null if it is still unknown whether there is any. */
  amount: bigint | null;
  /** Whether to read all logs from there on, whatever the balances say. */
  isAllRead?: boolean;
};

/** Transfers in blocks that were read, checked to be on the chain. */
export type BlocksRead = {
  transfers: Transfer[];
  /** Headers of the new transfers' blocks, for their times. */
  headers?: Headers;
  /** Transfers up to this block count. */
  confirmedUpTo: number;
  /** The node that reported them; other nodes need not know them unless this says so. */
  witness?: TransferStore.Witness;
};

/** The chain's state after a look; see `look`. */
export type Scanned = BlocksRead & {
  /** Together with the late transfers, the books are complete up to here; null if more of this look follows. */
  checkpoint: BlockRef | null;
  settledNumber: number;
  /** The pace of the chain, in ms per block. */
  blockMs: number;
  /** Recorded blocks that the node says nothing about: their transfers do not count yet. */
  unknown?: BlockRef[];
  /** Recorded blocks that are no longer on the chain. */
  replaced: BlockRef[];
  late: Late[];
  /** Deposits whose balances must be compared with the books, to find out why they differ. */
  unclear: number[];
  /** Deposits whose addresses had code for the first time. */
  emptied: number[];
};

export type ApplyResult = {
  /** Number of transfers that were unknown before. */
  seen: number;
  confirmed: number;
  /** Transfers that counted and are no longer on the chain. */
  lost: TransferStore.RecordedTransfer[];
  changes: StatusChange[];
  /** Transfers in blocks older than their deposit: they cannot be real, and are not recorded. */
  tooOld: Transfer[];
  /** Deposits whose transfers this changed. */
  touched: ReadonlySet<number>;
};

/**
 * Stores the result of one look in one transaction: transfers, totals, statuses, webhook events, receipts, what is to
 * be looked for, and the checkpoint. After a crash either all of it is there or none.
 */
export function applyScan(db: Db, scanned: Scanned, now: number, options: ApplyOptions): ApplyResult {
  return transact(db, () => {
    const { replaced, transfers, confirmedUpTo, unknown } = scanned;
    const removed = replaced.length === 0 ? [] : TransferStore.removeIn(db, replaced);
    const inserted = insertTransfers(db, scanned, now);
    const confirmed = [...TransferStore.confirmUpTo(db, confirmedUpTo, now, unknown), ...inserted.confirmed];
    // A transaction can come back and pay less, as its amount may depend on what else is on the chain.
    const payment = ({ txHash, depositIndex }: Transfer) => `${txHash} ${depositIndex}`;
    const cameBack = new Set(transfers.map(payment));
    const lost = removed.filter(
      (transfer) => transfer.countedAt !== null && !cameBack.has(payment(transfer)),
    );
    TransferStore.keepCounted(db, removed);
    if (scanned.checkpoint !== null) moveOn(db, scanned, scanned.checkpoint, now);
    const touched = [...removed, ...inserted.touched];
    return updateTotals(db, { ...inserted, confirmed, lost, touched }, now, options);
  });
}

/** Moves the checkpoint: the books are complete up to there, except for what is noted here. */
function moveOn(db: Db, scanned: Scanned, checkpoint: BlockRef, now: number): void {
  const { replaced, late, unclear, emptied, settledNumber, blockMs } = scanned;
  const to = checkpoint.number + 1;
  const groups = Map.groupBy(late, ({ from, isAllRead }) => `${from} ${isAllRead === true}`);
  for (const [first, ...others] of groups.values()) {
    if (!first) continue;
    const indices = [first, ...others].flatMap((one) => one.indices);
    const { from } = first;
    if (first.isAllRead) RereadStore.addRescan(db, indices, { from, to }, now);
    else
      RereadStore.addLate(
        db,
        indices.filter((index) => !RereadStore.isLate(db, index, from)),
        { from, to },
        now,
      );
  }
  for (const { indices, amount } of late)
    for (const index of indices) if (amount !== null) BalanceStore.note(db, index, amount, now);
  for (const index of unclear) BalanceStore.compareAt(db, index, now);
  for (const index of emptied) BalanceStore.setCode(db, index);
  const gone = replaced.map(({ number }) => number);
  if (gone.length > 0) BalanceStore.compareSettledAbove(db, Math.min(...gone) - 1, now);
  WatchedStore.lowerCreatedBlocks(db, settledNumber);
  CheckpointStore.put(db, { ...checkpoint, settledNumber, blockUs: Math.round(blockMs * 1_000) });
}

/**
 * Books transfers that were left out of blocks below the checkpoint, in one transaction with all consequences. Moves no
 * checkpoint and reverts nothing.
 */
export function book(db: Db, read: BlocksRead, now: number, options: ApplyOptions): ApplyResult {
  return transact(db, () => updateTotals(db, insertTransfers(db, read, now), now, options));
}

/**
 * Removes, in its own transaction, some of many transfers that a reorganisation took and that never counted; null if
 * there are not many. A node can report tens of thousands at once.
 */
export function takeBackSome(
  db: Db,
  { replaced, transfers }: Scanned,
  now: number,
  options: ApplyOptions,
): ApplyResult | null {
  if (replaced.length === 0) return null;
  return transact(db, () => {
    const gone = { blocks: replaced, back: transfers, limit: transfersTakenBackMax };
    const touched = TransferStore.removeUncounted(db, gone);
    return touched.length === 0 ? null : updateTotals(db, { touched }, now, options);
  });
}

/** Records new transfers. */
function insertTransfers(
  db: Db,
  { transfers, headers, confirmedUpTo, witness }: BlocksRead,
  now: number,
): Required<Omit<TransferChange, "lost">> {
  const needsOpinion = witness?.needsOpinion === true;
  // Most transfers found while catching up count at once: recording them so avoids finding and writing them again.
  const counts = (transfer: Transfer) => !needsOpinion && transfer.blockNumber <= confirmedUpTo;
  const seen: Transfer[] = [];
  const moved: Transfer[] = [];
  const places = new Set<string>();
  const tooOld: Transfer[] = [];
  for (const transfer of transfers) {
    if (transfer.blockNumber <= WatchedStore.createdBlock(db, transfer.depositIndex)) {
      tooOld.push(transfer);
      continue;
    }
    const block = headers?.get(transfer.blockNumber);
    // A node can report any time.
    const madeAt = block ? Math.min(block.timeMs, now) : now;
    const times = { seenAt: now, madeAt };
    if (!TransferStore.insert(db, transfer, counts(transfer), times, witness)) continue;
    seen.push(transfer);
    const { txHash, blockHash, depositIndex } = transfer;
    const place = `${txHash} ${blockHash} ${depositIndex}`;
    // One transaction can hold thousands of transfers, each of which would be compared with all the others. And a
    // transfer that another node must confirm first removes nothing before that.
    if (needsOpinion || places.has(place)) continue;
    places.add(place);
    // A block that another node still holds may have been believed: a transaction counts where it was read last.
    moved.push(...TransferStore.removeElsewhere(db, transfer));
  }
  return { seen: seen.length, confirmed: seen.filter(counts), touched: [...moved, ...seen], tooOld };
}

type TransferChange = Partial<Pick<ApplyResult, "seen" | "tooOld" | "lost">> & {
  /** They count from now on. */
  confirmed?: Transfer[];
  /** Others that were added, removed or changed. */
  touched: Transfer[];
};

/** Updates totals and statuses to the recorded transfers. Call it in the transaction of the change. */
export function updateTotals(
  db: Db,
  { confirmed = [], lost = [], touched, seen = 0, tooOld = [] }: TransferChange,
  now: number,
  options: ApplyOptions,
): ApplyResult {
  for (const transfer of lost) {
    if (Usdc.shows(transfer.amount)) LostTransferStore.insert(db, transfer, now);
    RelayStore.reopen(db, transfer);
  }
  for (const transfer of confirmed) LostTransferStore.remove(db, transfer);
  const deposits = new Set([...touched, ...confirmed, ...lost].map((transfer) => transfer.depositIndex));
  const changes = [...deposits].flatMap((depositIndex) => recompute(db, depositIndex, now, options));
  return { seen, tooOld, confirmed: confirmed.length, lost, changes, touched: deposits };
}
