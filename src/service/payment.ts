import type { BlockRef } from "../domain/block.ts";
import * as Invoice from "../domain/invoice.ts";
import type { Transfer } from "../domain/transfer.ts";
import type * as Usdc from "../domain/usdc.ts";
import * as WebhookEvent from "../domain/webhook-event.ts";
import { randomName } from "../lib/id.ts";
import * as CheckpointStore from "../store/checkpoint.ts";
import { type Db, transact } from "../store/database.ts";
import * as DepositStore from "../store/deposit.ts";
import * as InvoiceStore from "../store/invoice.ts";
import * as TransferStore from "../store/transfer.ts";
import * as WebhookEventStore from "../store/webhook-event.ts";

/** Checkpoints this far below the newest are no longer needed to find the end of a reorg. */
const checkpointDepthBlocks = 1024;

/** What a scan found; see `scan` in the chain room. */
export type ScanFindings = {
  checkpoint: BlockRef;
  undoAbove: number | null;
  transfers: Transfer[];
  confirmedUpTo: number;
};

export type StatusChange = {
  invoiceNumber: string;
  from: Invoice.Status;
  to: Invoice.Status;
  received: Usdc.Usdc;
  eventWritten: boolean;
};

export type Applied = {
  /** How many transfers were not known before. */
  seen: number;
  confirmed: number;
  /** Confirmed transfers that a reorg took off the chain and that did not come back with this scan. */
  lost: TransferStore.RecordedTransfer[];
  changes: StatusChange[];
};

/**
 * Puts the findings of one scan into the database, as one transaction: transfers, totals, statuses, webhook
 * events and the checkpoint. After a crash it is as if the scan had never been, or all of it is there.
 */
export function applyScan(db: Db, findings: ScanFindings, now: number): Applied {
  return transact(db, () => {
    const { undoAbove, checkpoint, transfers, confirmedUpTo } = findings;
    const removed = undoAbove === null ? [] : TransferStore.removeAbove(db, undoAbove);
    if (undoAbove !== null) CheckpointStore.removeAbove(db, undoAbove);
    const seen = transfers.filter((transfer) => TransferStore.insert(db, transfer, now));
    const confirmed = TransferStore.confirmUpTo(db, confirmedUpTo);
    const touched = new Set([...removed, ...seen, ...confirmed].map((transfer) => transfer.depositIndex));
    const changes = [...touched].flatMap((depositIndex) => recomputeDeposit(db, depositIndex, now));
    CheckpointStore.put(db, checkpoint);
    CheckpointStore.prune(db, checkpoint.number - checkpointDepthBlocks);
    const cameBack = new Set(transfers.map((transfer) => transfer.txHash));
    const lost = removed.filter((transfer) => transfer.confirmed && !cameBack.has(transfer.txHash));
    return { seen: seen.length, confirmed: confirmed.length, lost, changes };
  });
}

/** Brings a deposit's totals and its owner's status up to date; writes the event of a status not yet reported. */
function recomputeDeposit(db: Db, depositIndex: number, now: number): StatusChange[] {
  const { deposit } = DepositStore.recompute(db, depositIndex, now);
  const invoice = InvoiceStore.byDeposit(db, depositIndex);
  if (!invoice) throw new Error(`Deposit ${depositIndex} belongs to no invoice`);
  const { received } = deposit;
  const status = Invoice.status({ total: invoice.total, received, sentAt: invoice.sentAt });
  if (status === invoice.status) return [];
  InvoiceStore.setStatus(db, invoice.sequence, status);
  const eventWritten = Invoice.isReported(status) && writeEvent(db, invoice, status, now);
  return [
    {
      invoiceNumber: Invoice.number(invoice.sequence),
      from: invoice.status,
      to: status,
      received,
      eventWritten,
    },
  ];
}

function writeEvent(db: Db, invoice: Invoice.Invoice, status: Invoice.ReportedStatus, now: number): boolean {
  const secret = InvoiceStore.webhookSecret(db, invoice.sequence);
  if (invoice.webhookUrl === null || secret === null) return false;
  return WebhookEventStore.insert(db, {
    id: `evt_${randomName(26)}`,
    depositIndex: invoice.deposit.index,
    status,
    url: invoice.webhookUrl,
    secret,
    body: WebhookEvent.invoiceBody({
      invoiceId: invoice.id,
      invoiceNumber: Invoice.number(invoice.sequence),
      total: invoice.total,
      status,
    }),
    createdAt: now,
  });
}
