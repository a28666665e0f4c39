import * as Invoice from "../bill/invoice.ts";
import * as InvoiceNumber from "../bill/invoice-number.ts";
import type { IssuedReceipt } from "../link/bill.ts";
import { checkoutUrl, type Link } from "../link/link.ts";
import type { Transfer } from "../payment/transfer.ts";

/** What a receipt is for. */
export type ReceiptSubject = { kind: "invoice"; invoice: Invoice.Invoice } | { kind: "link"; link: Link };

/** `madeAt`: when its block was made, in Unix milliseconds. */
export type Payment = Transfer & { madeAt: number };

/** That an invoice or a link is paid, and by what. */
export type Receipt = ReceiptSubject & {
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

/** The invoice or the link itself. */
export const recordOf = (subject: ReceiptSubject): Invoice.Invoice | Link =>
  subject.kind === "invoice" ? subject.invoice : subject.link;

/** The page that people open; `baseUrl` without a trailing slash. */
export const pageUrl = (baseUrl: string, subject: ReceiptSubject): string =>
  subject.kind === "invoice"
    ? Invoice.pageUrl(baseUrl, subject.invoice)
    : checkoutUrl(baseUrl, subject.link.slug);

/** Unix milliseconds. Money goes before what the merchant says. */
export function paidAt(receipt: Receipt): number {
  const at = receipt.completedAt ?? recordOf(receipt).markedPaidAt;
  if (at === null) throw new RangeError("Nothing says when this was paid");
  return at;
}

/** The name of its PDF: `INV-0001-receipt.pdf`, or that of a refund. */
export function fileName(subject: ReceiptSubject, of: "receipt" | "refund" = "receipt"): string {
  const name =
    subject.kind === "invoice" ? subject.invoice.number : (subject.link.receiptNumber ?? subject.link.slug);
  return InvoiceNumber.fileName(`${name}-${of}`);
}

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
export function refusal(subject: ReceiptSubject): ReceiptRefusal | null {
  const { status } = recordOf(subject);
  if (status === "paid" || status === "confirmed" || status === "excess") return null;
  return status === "void" || status === "error" || status === "partial" ? status : "unpaid";
}
