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

/** Taking back this many blocks every other request for about 30 ms. */
const transfersTakenBackMax = 500;

/** Money that came to deposits and that no log told of, from a block on. */
type Late = {
  indices: number[];
  from: number;
  /** In micro-USDC; null when it is yet to be seen whether there is any. */
  amount: bigint | null;
  /** Whether all logs from there on are read, whatever the balances say. */
  isAllRead?: boolean;
};

/** Transfers in blocks that were read, checked to be on the chain. */
export type BlocksRead = {
  transfers: Transfer[];
  /** Of the blocks of the transfers that are new, to know when those were made. */
  headers?: Headers;
  /** Transfers up to this block count. */
  confirmedUpTo: number;
  /** The node that told of them; nobody else has to know them unless this says so. */
  teller?: TransferStore.Teller;
};

/** What the chain says after a look at it; see `look`. */
export type Scanned = BlocksRead & {
  /** With what is late, the books are complete up to here; null when there is more to come of this look. */
  checkpoint: BlockRef | null;
  settledNumber: number;
  /** The pace of the chain, in ms a block. */
  blockMs: number;
  /** Recorded blocks of which the node says nothing: what they hold does not count yet. */
  unknown?: BlockRef[];
  /** Recorded blocks that are not on the chain any more. */
  replaced: BlockRef[];
  late: Late[];
  /** Deposits whose balances are to be compared with the books, to find out why they differ. */
  unclear: number[];
  /** Deposits at whose addresses code was seen for the first time. */
  emptied: number[];
};

export type ApplyResult = {
  /** How many transfers were not known before. */
  seen: number;
  confirmed: number;
  /** Confirmed transfers that are not on the chain any more: they do not count. */
  lost: TransferStore.RecordedTransfer[];
  changes: StatusChange[];
  /** Transfers in blocks that are older than their deposit: nobody can have made them, and they are not recorded. */
  tooOld: Transfer[];
  /** The deposits whose transfers this changed. */
  touched: ReadonlySet<number>;
};

/**
 * Puts what one look brought into the database, as one transaction: transfers, totals, statuses, webhook events, receipts,
 * what is to be looked for, and the checkpoint. After a crash it is as if the look had never been, or all of it is there.
 */
export function applyScan(db: Db, scanned: Scanned, now: number, options: ApplyOptions): ApplyResult {
  return transact(db, () => {
    const { replaced, transfers, confirmedUpTo, unknown } = scanned;
    const removed = replaced.length === 0 ? [] : TransferStore.removeIn(db, replaced);
    const inserted = insertTransfers(db, scanned, now);
    const confirmed = [...TransferStore.confirmUpTo(db, confirmedUpTo, now, unknown), ...inserted.confirmed];
    // A transaction can come back and pay less: what it pays may depend on what else is on the chain.
    const payment = ({ txHash, depositIndex }: Transfer) => `${txHash} ${depositIndex}`;
    const cameBack = new Set(transfers.map(payment));
    const lost = removed.filter((transfer) => transfer.confirmed && !cameBack.has(payment(transfer)));
    if (scanned.checkpoint !== null) moveOn(db, scanned, scanned.checkpoint, now);
    const touched = [...removed, ...inserted.touched];
    return updateTotals(db, { ...inserted, confirmed, lost, touched }, now, options);
  });
}

/** The books are complete up to the checkpoint, but for what is noted here. */
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
 * Puts transfers into the database that were left out of blocks below the checkpoint, as one transaction with all that
 * follows from them. Moves no checkpoint and takes nothing back.
 */
export function book(db: Db, read: BlocksRead, now: number, options: ApplyOptions): ApplyResult {
  return transact(db, () => updateTotals(db, insertTransfers(db, read, now), now, options));
}

/**
 * Takes back, in a transaction of its own, some of many transfers that a reorganisation took and that never counted;
 * null when there are not many. A node can tell of tens of thousands at once.
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

/** Records transfers that were not. */
function insertTransfers(
  db: Db,
  { transfers, headers, confirmedUpTo, teller }: BlocksRead,
  now: number,
): Required<Omit<TransferChange, "lost">> {
  const needsOpinion = teller?.needsOpinion === true;
  // Most that a catching up finds counts at once: recorded so, it need not be looked for and written again.
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
    // A node can say any time.
    const madeAt = block ? Math.min(block.timeMs, now) : now;
    const times = { seenAt: now, madeAt };
    if (!TransferStore.insert(db, transfer, counts(transfer), times, teller)) continue;
    seen.push(transfer);
    const { txHash, blockHash, depositIndex } = transfer;
    const place = `${txHash} ${blockHash} ${depositIndex}`;
    // One transaction can hold thousands of transfers: each of them would look at all the others. And what another
    // node has to know first takes nothing away before.
    if (needsOpinion || places.has(place)) continue;
    places.add(place);
    // A block that another node still holds can have been believed: a transaction counts where it was read last.
    moved.push(...TransferStore.removeElsewhere(db, transfer));
  }
  return { seen: seen.length, confirmed: seen.filter(counts), touched: [...moved, ...seen], tooOld };
}

type TransferChange = Partial<Pick<ApplyResult, "seen" | "tooOld" | "lost">> & {
  /** They count from now on. */
  confirmed?: Transfer[];
  /** Others that came, went or changed. */
  touched: Transfer[];
};

/** Brings totals and statuses up to date with the recorded transfers. To be called in the transaction of the change. */
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
