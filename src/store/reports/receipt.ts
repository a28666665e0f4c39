import * as Receipt from "../../domain/receipt/receipt.ts";
import type { Db } from "../database.ts";
import * as InvoiceStore from "../tables/invoicing/invoice.ts";
import * as LinkStore from "../tables/invoicing/link.ts";
import * as ReceiptStore from "../tables/invoicing/receipt.ts";
import * as TransferStore from "../tables/watch/transfer.ts";

/** The invoice or the link of a deposit as it is now. Throws when it belongs to nothing: both are written together. */
export function ownerOf(db: Db, depositIndex: number): Receipt.ReceiptSubject {
  const invoice = InvoiceStore.byDeposit(db, depositIndex);
  if (invoice) return { kind: "invoice", invoice };
  const link = LinkStore.byDeposit(db, depositIndex);
  if (link) return { kind: "link", link };
  throw new Error(`Deposit ${depositIndex} belongs to nothing`);
}

/** What a document says of who sold what to whom, be it paid or not. */
export const soldOf = (db: Db, subject: Receipt.ReceiptSubject): Receipt.Receipt => ({
  ...subject,
  ...{ payments: [], otherPayments: 0, completedAt: null },
  issued: subject.kind === "link" ? ReceiptStore.byDeposit(db, subject.link.deposit.index) : null,
});

/** The receipt of an invoice or a link as it is now; null while it is not paid (`Receipt.refusal` says why). */
export function receiptOf(db: Db, subject: Receipt.ReceiptSubject): Receipt.Receipt | null {
  if (Receipt.refusal(subject) !== null) return null;
  const { deposit } = Receipt.recordOf(subject);
  const { transfers, others } = TransferStore.listLargest(db, deposit.index, {
    limit: Receipt.paymentsMax,
    confirmedOnly: true,
  });
  const completedAt = TransferStore.paidAt(db, deposit);
  const issued = subject.kind === "link" ? ReceiptStore.byDeposit(db, deposit.index) : null;
  return { ...subject, issued, payments: transfers, otherPayments: others, completedAt };
}
