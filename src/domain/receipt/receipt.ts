import * as InvoiceNumber from "../bill/invoice-number.ts";
import type { IssuedReceipt } from "../link/bill.ts";
import type { Transfer } from "../payment/transfer.ts";
import { faceOf, type Receivable } from "../receivable/receivable.ts";

/** `madeAt`: when its block was made, in Unix milliseconds. */
export type Payment = Transfer & { madeAt: number };

/** That an invoice or a link is paid, and by what. */
export type Receipt = {
  of: Receivable;
  /** The largest confirmed transfers, in the order of the chain. */
  payments: readonly Payment[];
  /** How many there are besides. */
  otherPayments: number;
  /** When the transfer that completed the amount was made, in Unix milliseconds; null when money did not complete it. */
  completedAt: number | null;
  /** Its number and who it names, of a link with tax. */
  issued: IssuedReceipt | null;
};

/** So many transfers a receipt proves: anybody can send any number of small ones. */
export const paymentsMax = 200;

/** Unix milliseconds. Money goes before what the merchant says. */
export function paidAt(receipt: Receipt): number {
  const at = receipt.completedAt ?? receipt.of.markedPaidAt;
  if (at === null) throw new RangeError("Nothing says when this was paid");
  return at;
}

/** The name of its PDF: `INV-0001-receipt.pdf`, or that of a refund. */
export const fileName = (of: Receivable, kind: "receipt" | "refund" = "receipt"): string =>
  InvoiceNumber.fileName(`${faceOf(of).receiptName}-${kind}`);

/** The `count` largest payments in the order of the chain, and how many of all are not among them. */
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

/** Why there is no receipt; null when there is one. */
export function refusal({ status }: Pick<Receivable, "status">): ReceiptRefusal | null {
  if (status === "paid" || status === "confirmed" || status === "excess") return null;
  return status === "void" || status === "error" || status === "partial" ? status : "unpaid";
}
