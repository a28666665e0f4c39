import { instant } from "../../lib/time.ts";
import * as CreditNote from "../bill/credit-note.ts";
import * as Currency from "../bill/currency.ts";
import type * as Invoice from "../bill/invoice.ts";
import * as Usdc from "../usdc.ts";
import { amountsRecord, lineRecord, taxInCurrencyRecord } from "./bill.ts";

/** A credit note with a reference to its invoice. Its amounts are positive. */
export function creditNoteRecord(baseUrl: string, invoice: Invoice.Invoice, note: CreditNote.CreditNote) {
  return {
    id: note.id,
    credit_note_number: note.number,
    invoice_id: invoice.id,
    invoice_number: invoice.number,
    invoice_issue_date: invoice.issueDate,
    issue_date: note.issueDate,
    pdf_url: CreditNote.pdfUrl(baseUrl, note),
    reason: note.reason,
    currency: Currency.codeOf(invoice),
    total_amount: Currency.formatOf(invoice, note.totals.total),
    ...(invoice.totals === null ? {} : amountsRecord(note.totals, Currency.codeOf(invoice))),
    ...taxInCurrencyRecord(note.taxInCurrency),
    line_items: note.lines.map((line) => ({
      line: line.position + 1,
      ...lineRecord(line, Currency.codeOf(invoice)),
    })),
    credited_usdc: Usdc.format(note.usdc),
    return_usdc: Usdc.formatExact(note.toReturn),
    merchant_email: invoice.merchantEmail,
    merchant_name_snapshot: invoice.merchantName,
    merchant_address_snapshot: invoice.merchantAddress,
    vendor_name: invoice.vendorName,
    vendor_email: invoice.vendorEmail,
    vendor_address: invoice.vendorAddress,
    created_at: instant(note.createdAt),
  };
}
