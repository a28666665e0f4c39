import * as CreditNote from "../../../domain/bill/credit-note.ts";
import type * as Invoice from "../../../domain/bill/invoice.ts";
import * as Receipt from "../../../domain/receipt/receipt.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Db } from "../../database.ts";
import { type ExportedReceipt, isIssued } from "./export.ts";

/** Which documents count in the books on their day of issue. */

/** The fields of an invoice that decide whether it counts. */
export type Counted = Pick<Invoice.Invoice, "status" | "credited" | "currency" | "total" | "sentAt"> & {
  deposit: { index: number };
};

/**
 * Returns whether an invoice counts, along with its credit notes. A void one counts only if credit notes took back all of
 * it, or left less than can be paid: it is added on its own day and taken off on theirs. A draft counts once somebody may
 * have seen it, which crediting it implies.
 */
export function counts(db: Db, invoice: Counted): boolean {
  if (invoice.status === "void")
    return invoice.credited > 0n && !Usdc.shows(CreditNote.usdcOwed(invoice, invoice.credited));
  return invoice.status !== "draft" || invoice.credited > 0n || isIssued(db, invoice);
}

/** Returns whether a receipt counts: not while its payment has left the chain or its mark was removed. */
export const isReceiptCounted = ({ link }: Pick<ExportedReceipt, "link">): boolean =>
  Receipt.refusal(link) === null;
