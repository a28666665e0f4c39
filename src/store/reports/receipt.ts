import type { Deposit } from "../../domain/payment/deposit.ts";
import * as Standing from "../../domain/payment/standing.ts";
import * as Receipt from "../../domain/receipt/receipt.ts";
import { faceOf, type Receivable } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Db } from "../database.ts";
import * as ReceiptStore from "../tables/invoicing/receipt.ts";
import * as RefundStore from "../tables/invoicing/refund.ts";
import * as DepositTransferStore from "../tables/watch/deposit-transfer.ts";

/** Its numbered receipt; null without one. */
const issuedOf = (db: Db, of: Receivable) =>
  faceOf(of).receiptNumber === null ? null : ReceiptStore.byDeposit(db, of.deposit.index);

/** The total of an invoice or a link, and what came above it. */
export function sold(db: Db, of: Standing.StandingFacts & { deposit: Deposit }): Receipt.Sold {
  const { net, refunded, refunding, index } = of.deposit;
  const { toReturn } = Standing.of(of);
  if (refunded === 0n && refunding === 0n) return { total: net, excess: toReturn };
  const gifts = RefundStore.gifts(db, index);
  return { total: Usdc.sum([net, gifts.all]), excess: Usdc.remaining(toReturn, gifts.open) };
}

/** Seller, buyer and goods for a document, whether paid or not. */
export const soldOf = (db: Db, of: Receivable): Receipt.Receipt => ({
  of,
  payments: [],
  otherPayments: 0,
  completedAt: null,
  issued: issuedOf(db, of),
  ...sold(db, of),
});

/** The receipt of an invoice or a link as it is now; null if it is not paid (`Receipt.refusal` says why). */
export function receiptOf(db: Db, of: Receivable): Receipt.Receipt | null {
  if (Receipt.refusal(of) !== null) return null;
  const { transfers, others } = DepositTransferStore.listLargest(db, of.deposit.index, {
    limit: Receipt.paymentsMax,
    confirmedOnly: true,
  });
  const completedAt = DepositTransferStore.paidAt(db, of.deposit);
  const payments = { payments: transfers, otherPayments: others, completedAt };
  return { of, issued: issuedOf(db, of), ...payments, ...sold(db, of) };
}
