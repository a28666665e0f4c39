import * as Receipt from "../../domain/receipt/receipt.ts";
import { ofInvoice, ofLink, type Receivable } from "../../domain/receivable/receivable.ts";
import type { Db } from "../database.ts";
import * as InvoiceStore from "../tables/invoicing/invoice.ts";
import * as LinkStore from "../tables/invoicing/link.ts";
import * as ReceiptStore from "../tables/invoicing/receipt.ts";
import * as TransferStore from "../tables/watch/transfer.ts";

/** What is owed at a deposit as it is now. Throws when it belongs to nothing: both are written together. */
export function receivableAt(db: Db, depositIndex: number): Receivable {
  const invoice = InvoiceStore.byDeposit(db, depositIndex);
  if (invoice) return ofInvoice(invoice);
  const link = LinkStore.byDeposit(db, depositIndex);
  if (link) return ofLink(link);
  throw new Error(`Deposit ${depositIndex} belongs to nothing`);
}

/** The numbered receipt of a link with tax; null of all else. */
const issuedOf = (db: Db, of: Receivable) =>
  of.kind === "link" ? ReceiptStore.byDeposit(db, of.deposit.index) : null;

/** What a document says of who sold what to whom, be it paid or not. */
export const soldOf = (db: Db, of: Receivable): Receipt.Receipt => ({
  of,
  payments: [],
  otherPayments: 0,
  completedAt: null,
  issued: issuedOf(db, of),
});

/** The receipt of an invoice or a link as it is now; null while it is not paid (`Receipt.refusal` says why). */
export function receiptOf(db: Db, of: Receivable): Receipt.Receipt | null {
  if (Receipt.refusal(of) !== null) return null;
  const { transfers, others } = TransferStore.listLargest(db, of.deposit.index, {
    limit: Receipt.paymentsMax,
    confirmedOnly: true,
  });
  const completedAt = TransferStore.paidAt(db, of.deposit);
  return { of, issued: issuedOf(db, of), payments: transfers, otherPayments: others, completedAt };
}
