import * as Receipt from "../../domain/receipt/receipt.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Db } from "../database.ts";
import * as TransferStore from "../tables/watch/transfer.ts";

/** The receipt of an invoice or a link as it is now; null while it is not paid (`Receipt.refusal` says why). */
export function receiptOf(db: Db, subject: Receipt.Subject): Receipt.Receipt | null {
  if (Receipt.refusal(subject) !== null) return null;
  const { index, expected, tolerance } = Receipt.depositOf(subject);
  const { transfers, others } = TransferStore.listLargest(db, index, {
    limit: Receipt.paymentsMax,
    confirmedOnly: true,
  });
  const enough = Usdc.fromMicro(expected - tolerance);
  const completedAt = TransferStore.reachedAt(db, index, enough);
  return { ...subject, payments: transfers, otherPayments: others, completedAt };
}
