import * as InvoiceNumber from "../bill/invoice-number.ts";
import type { IssuedReceipt } from "../link/bill.ts";
import type { Transfer } from "../payment/transfer.ts";
import { faceOf, type Receivable } from "../receivable/receivable.ts";
import type * as Usdc from "../usdc.ts";

/** `madeAt`: its block's time, in Unix milliseconds. */
export type Payment = Transfer & { madeAt: number };

/** States that an invoice or a link is paid, and by which payments. */
export type Receipt = {
  of: Receivable;
  /** The largest confirmed transfers, in chain order. */
  payments: readonly Payment[];
  /** Number of further transfers. */
  otherPayments: number;
  /** When the transfer that completed the amount was made, in Unix milliseconds; null if money did not complete it. */
  completedAt: number | null;
  /** The numbered receipt of a link with tax; null otherwise. */
  issued: IssuedReceipt | null;
} & Sold;

/** As if no refund had given back more than was owed: what was sold stays what it was. */
export type Sold = {
  /** The total to pay: as issued, less credit notes. */
  total: Usdc.Usdc;
  /** What came above it and is still to go back. */
  excess: Usdc.Usdc;
};

/** Maximum number of transfers a receipt proves, as anybody can send many small ones. */
export const paymentsMax = 200;

/** Unix milliseconds. Money takes precedence over the merchant's mark. */
export function paidAt(receipt: Receipt): number {
  const at = receipt.completedAt ?? receipt.of.markedPaidAt;
  if (at === null) throw new RangeError("Nothing says when this was paid");
  return at;
}

/** File name of its PDF: `INV-0001-receipt.pdf`, or that of a refund. */
export const fileName = (of: Receivable, kind: "receipt" | "refund" = "receipt"): string =>
  InvoiceNumber.fileName(`${faceOf(of).receiptName}-${kind}`);

/** Returns the `count` largest payments in chain order, and the number of all others. */
export function largest(
  { payments, otherPayments }: Pick<Receipt, "payments" | "otherPayments">,
  count: number,
): { shown: Payment[]; others: number } {
  const chosen = new Set(payments.toSorted((a, b) => Number(b.amount - a.amount)).slice(0, count));
  const shown = payments.filter((payment) => chosen.has(payment));
  return { shown, others: payments.length - shown.length + otherPayments };
}

/** `error`: a payment left the chain. */
export type ReceiptRefusal = "void" | "error" | "partial" | "unpaid";

/** Returns why there is no receipt; null if there is one. */
export function refusal({ status }: Pick<Receivable, "status">): ReceiptRefusal | null {
  if (status === "paid" || status === "confirmed" || status === "excess") return null;
  return status === "void" || status === "error" || status === "partial" ? status : "unpaid";
}
