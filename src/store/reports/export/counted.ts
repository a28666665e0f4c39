import * as Invoice from "../../../domain/bill/invoice.ts";
import * as Receipt from "../../../domain/receipt/receipt.ts";
import type { Db } from "../../database.ts";
import { type ExportedReceipt, isIssued } from "./export.ts";

/** What counts in the books of the day on which it was issued. */

/** Of an invoice, what decides whether it counts. */
export type Counted = Pick<Invoice.Invoice, "status" | "credited" | "currency" | "total" | "sentAt"> & {
  deposit: { index: number };
};

/**
 * Whether an invoice counts, with its credit notes. A void one counts only when credit notes took back all of it: it is
 * added on its day and taken off on theirs. A draft counts once somebody may have seen it; who credits it says so.
 */
export function counts(db: Db, invoice: Counted): boolean {
  if (invoice.status === "void") return invoice.credited === Invoice.billedTotal(invoice);
  return invoice.status !== "draft" || invoice.credited > 0n || isIssued(db, invoice);
}

/** Whether a receipt counts: not while its payment has left the chain, or its mark was taken back. */
export const isReceiptCounted = ({ link }: Pick<ExportedReceipt, "link">): boolean =>
  Receipt.refusal(link) === null;
