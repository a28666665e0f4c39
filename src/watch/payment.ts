import { ChainMoved } from "../chain/node/block.ts";
import type { BlockRef } from "../domain/block.ts";
import * as Invoice from "../domain/invoice.ts";
import * as Link from "../domain/link.ts";
import type { Transfer } from "../domain/transfer.ts";
import type * as Usdc from "../domain/usdc.ts";
import * as WebhookEvent from "../domain/webhook-event.ts";
import { newId } from "../lib/crypto/id.ts";
import { type Db, transact } from "../store/database.ts";
import * as DepositStore from "../store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";
import * as MailStore from "../store/tables/outbox/mail.ts";
import * as WebhookEventStore from "../store/tables/outbox/webhook-event.ts";
import * as BalanceStore from "../store/tables/watch/balance.ts";
import * as CheckpointStore from "../store/tables/watch/checkpoint.ts";
import * as LostTransferStore from "../store/tables/watch/lost-transfer.ts";
import * as TransferStore from "../store/tables/watch/transfer.ts";

/** Checkpoints this far below the newest are no longer needed to find the end of a reorg. */
const checkpointDepthBlocks = 1024;

/** What the chain says after one step of following it; see `scan`. */
export type ScanFindings = {
  /** Up to here everything is read. */
  checkpoint: BlockRef;
  /** After a reorg: blocks above this one are not what they were. */
  undoAbove: number | null;
  transfers: Transfer[];
  /** Transfers up to this block count. */
  confirmedUpTo: number;
  /** The node that told of them; nobody else has to know them unless this says so. */
  teller?: TransferStore.Teller;
};

/** Transfers in blocks that were read again, on the chain of a checkpoint. */
export type RereadFindings = Omit<ScanFindings, "undoAbove">;

/** What was paid: the number of an invoice, or the slug of a link. */
export type Name = { invoice: string } | { link: string };

export type StatusChange = {
  name: Name;
  from: Invoice.Status | Link.Status;
  to: Invoice.Status | Link.Status;
  eventWritten: boolean;
  /** Whether the receipt and the notice of an invoice may wait in the outbox. */
  mailWritten: boolean;
};

/** `receipts`: whether a paid invoice's vendor and merchant are mailed. */
export type ApplyOptions = { receipts: boolean };

export type Applied = {
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
 * Puts the findings of one scan into the database, as one transaction: transfers, totals, statuses, webhook
 * events, receipts and the checkpoint. After a crash it is as if the scan had never been, or all of it is there.
 */
export function applyScan(db: Db, findings: ScanFindings, now: number, options: ApplyOptions): Applied {
  return transact(db, () => {
    const { undoAbove, checkpoint, transfers, confirmedUpTo } = findings;
    const removed = undoAbove === null ? [] : TransferStore.removeAbove(db, undoAbove);
    if (undoAbove !== null) {
      CheckpointStore.removeAbove(db, undoAbove);
      DepositStore.lowerCreatedBlocks(db, undoAbove);
      BalanceStore.compareSettledAbove(db, undoAbove, now);
    }
    const { seen, counted, touched, tooOld } = insertTransfers(db, findings, now);
    const confirmed = [...TransferStore.confirmUpTo(db, confirmedUpTo), ...counted];
    const cameBack = new Set(transfers.map((transfer) => transfer.txHash));
    const lost = removed.filter((transfer) => transfer.confirmed && !cameBack.has(transfer.txHash));
    CheckpointStore.put(db, checkpoint);
    CheckpointStore.prune(db, checkpoint.number - checkpointDepthBlocks);
    const change = { confirmed, lost, touched: [...removed, ...touched] };
    return { seen, tooOld, ...updateTotals(db, change, now, options) };
  });
}

/**
 * Puts transfers into the database that were left out of blocks below the checkpoint, as one transaction with all that
 * follows from them. Moves no checkpoint and takes nothing back. Throws a ChainMoved when the checkpoint that they were
 * checked against was undone since: they may be of the branch that is gone.
 */
export function book(db: Db, findings: RereadFindings, now: number, options: ApplyOptions): Applied {
  return transact(db, () => {
    if (!CheckpointStore.has(db, findings.checkpoint)) throw new ChainMoved(findings.checkpoint.number);
    const { seen, counted, touched, tooOld } = insertTransfers(db, findings, now);
    return { seen, tooOld, ...updateTotals(db, { confirmed: counted, lost: [], touched }, now, options) };
  });
}

/** Records transfers that were not. `counted` are those that count at once. */
function insertTransfers(
  db: Db,
  { transfers, confirmedUpTo, teller }: RereadFindings,
  now: number,
): { seen: number; counted: Transfer[]; touched: Transfer[]; tooOld: Transfer[] } {
  const needsOpinion = teller?.needsOpinion === true;
  // Most that a catching up finds counts at once: recorded so, it need not be looked for and written again.
  const counts = (transfer: Transfer) => !needsOpinion && transfer.blockNumber <= confirmedUpTo;
  const seen: Transfer[] = [];
  const moved: Transfer[] = [];
  const places = new Set<string>();
  const tooOld: Transfer[] = [];
  for (const transfer of transfers) {
    if (transfer.blockNumber <= DepositStore.createdBlock(db, transfer.depositIndex)) {
      tooOld.push(transfer);
      continue;
    }
    if (!TransferStore.insert(db, transfer, counts(transfer), now, teller)) continue;
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
  return { seen: seen.length, counted: seen.filter(counts), touched: [...moved, ...seen], tooOld };
}

export type Change = {
  /** They count from now on. */
  confirmed: Transfer[];
  /** They counted and do not any more. */
  lost: TransferStore.RecordedTransfer[];
  /** Others that came, went or changed. */
  touched: Transfer[];
};

/** Brings totals and statuses up to date with the recorded transfers. To be called in the transaction of the change. */
export function updateTotals(
  db: Db,
  { confirmed, lost, touched }: Change,
  now: number,
  options: ApplyOptions,
): Pick<Applied, "confirmed" | "lost" | "changes" | "touched"> {
  for (const transfer of lost) LostTransferStore.insert(db, transfer, now);
  for (const transfer of confirmed) LostTransferStore.remove(db, transfer);
  const deposits = new Set([...touched, ...confirmed, ...lost].map((transfer) => transfer.depositIndex));
  const changes = [...deposits].flatMap((depositIndex) => recomputeDeposit(db, depositIndex, now, options));
  return { confirmed: confirmed.length, lost, changes, touched: deposits };
}

/** Brings a deposit's totals and its owner's status up to date; writes the event of a status not yet reported. */
function recomputeDeposit(db: Db, depositIndex: number, now: number, options: ApplyOptions): StatusChange[] {
  const received = DepositStore.recompute(db, depositIndex, now);
  const invoice = InvoiceStore.payableByDeposit(db, depositIndex);
  if (invoice) return recomputeInvoice(db, depositIndex, invoice, received, now, options);
  const link = LinkStore.byDeposit(db, depositIndex);
  if (link) return recomputeLink(db, link, received, now);
  throw new Error(`Deposit ${depositIndex} belongs to nothing`);
}

function recomputeInvoice(
  db: Db,
  depositIndex: number,
  invoice: InvoiceStore.Payable,
  received: Usdc.Usdc,
  now: number,
  { receipts }: ApplyOptions,
): StatusChange[] {
  const { total, tolerance, sentAt, sequence, webhookUrl, sealedSecret } = invoice;
  const status = Invoice.status({ expected: total, received, tolerance, sentAt });
  if (status === invoice.status) return [];
  InvoiceStore.setStatus(db, sequence, status);
  const name = Invoice.number(sequence);
  let eventWritten = false;
  if (Invoice.isReported(status)) {
    const body = WebhookEvent.invoiceBody({ invoiceId: invoice.id, invoiceNumber: name, total, status });
    eventWritten = writeEvent(db, { depositIndex, status, body, url: webhookUrl, secret: sealedSecret, now });
  }
  const mailWritten = receipts && Invoice.isPaid(status);
  if (mailWritten) {
    for (const kind of ["receipt", "notice"] as const)
      MailStore.insertOnce(db, { id: newId("mail"), sequence, kind, createdAt: now });
  }
  return [{ name: { invoice: name }, from: invoice.status, to: status, eventWritten, mailWritten }];
}

function recomputeLink(db: Db, link: Link.Link, received: Usdc.Usdc, now: number): StatusChange[] {
  const { expected, tolerance, index } = link.deposit;
  const hasLost = LostTransferStore.existsFor(db, index);
  const status = Link.status({ expected, received, tolerance, hasLost });
  if (status === link.status) return [];
  LinkStore.setStatus(db, link.id, status);
  let eventWritten = false;
  if (Link.isReported(status)) {
    const body = WebhookEvent.linkBody({ slug: link.slug, expected, received, status });
    const secret = LinkStore.sealedSecret(db, link.id);
    eventWritten = writeEvent(db, { depositIndex: index, status, body, url: link.webhookUrl, secret, now });
  }
  return [{ name: { link: link.slug }, from: link.status, to: status, eventWritten, mailWritten: false }];
}

/** What a deposit is for, as people call it. */
export function nameOf(db: Db, depositIndex: number): Name {
  const owner = DepositStore.ownerOf(db, depositIndex) ?? { slug: "unknown" };
  return "slug" in owner ? { link: owner.slug } : { invoice: Invoice.number(owner.sequence) };
}

type EventFacts = {
  depositIndex: number;
  status: string;
  body: string;
  url: string | null;
  /** Sealed for this deposit, and stored with the event as it is. */
  secret: string | null;
  now: number;
};

/** Returns whether there is a new event: not without a receiver, nor for a status that was reported before. */
function writeEvent(db: Db, { depositIndex, status, body, url, secret, now }: EventFacts): boolean {
  if (url === null || secret === null) return false;
  const id = WebhookEvent.id(DepositStore.salt(db, depositIndex), status);
  return WebhookEventStore.insert(db, { id, depositIndex, status, url, secret, body, createdAt: now });
}
