import type { CreditNote } from "../bill/credit-note.ts";
import { amountLines } from "../bill/credited-amounts.ts";
import type * as Invoice from "../bill/invoice.ts";
import * as Tax from "../bill/tax.ts";
import type { PaymentInstructions, Words } from "./einvoice.ts";

/** What an e-invoice is made of: an invoice as it was issued, or a credit note. */
export type EInvoiceSource = Pick<
  Invoice.Invoice,
  | "number"
  | "issueDate"
  | "merchantName"
  | "merchantAddress"
  | "merchantEmail"
  | "vendorName"
  | "vendorEmail"
  | "vendorAddress"
  | "notes"
  | "reference"
  | "lineItems"
  | "discount"
  | "pricesIncludeTax"
  | "totals"
  | "currency"
  | keyof Invoice.Trade
> & {
  /** Null on a credit note. */
  dueDate: string | null;
  payment: PaymentInstructions | null;
  /** The invoice that a credit note takes back. */
  preceding: { number: string; issueDate: string } | null;
};

export function subjectOf(invoice: Invoice.Invoice, { payTo }: Pick<Words, "payTo">): EInvoiceSource {
  const payment = { text: payTo(invoice), account: invoice.deposit.address };
  return { ...invoice, payment, preceding: null };
}

/** What a credit note takes back, of the invoice that it refers to. Where amounts are credited, each rate is a line. */
export function creditSubjectOf(note: CreditNote, invoice: Invoice.Invoice): EInvoiceSource {
  const { totals, reason } = note;
  const isOfLines = note.lines.length > 0;
  // A line that came to nothing has no row of taxes.
  const isTaxed = ({ tax }: Invoice.LineItem) =>
    tax === null || totals.rows.some((row) => Tax.rowName(row) === Tax.rowName(tax));
  return {
    ...invoice,
    number: note.number,
    issueDate: note.issueDate,
    dueDate: null,
    paymentTerms: null,
    payment: null,
    notes: reason,
    lineItems: isOfLines ? note.lines.filter(isTaxed) : amountLines(note, { withTax: false }),
    discount: isOfLines ? invoice.discount : null,
    pricesIncludeTax: isOfLines && invoice.pricesIncludeTax,
    totals,
    preceding: { number: invoice.number, issueDate: invoice.issueDate },
  };
}
