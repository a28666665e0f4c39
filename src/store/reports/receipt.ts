import * as Receipt from "../../domain/receipt/receipt.ts";
import type { Db } from "../database.ts";
import * as ReceiptStore from "../tables/invoicing/receipt.ts";
import * as TransferStore from "../tables/watch/transfer.ts";

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
