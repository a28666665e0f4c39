import type { CreditNote } from "../domain/bill/credit-note.ts";
import { amountLines } from "../domain/bill/credited-amounts.ts";
import * as Currency from "../domain/bill/currency.ts";
import * as Invoice from "../domain/bill/invoice.ts";
import * as Quantity from "../domain/bill/quantity.ts";
import * as Tax from "../domain/bill/tax.ts";
import * as Usdc from "../domain/usdc.ts";
import * as ExportStore from "../store/reports/export/export.ts";
import { counts, lessened } from "./credit-notes.ts";
import { type Selection, type Table, table } from "./table.ts";

/** A line of an invoice, or what one of its credit notes takes back of it. */
type Item = Invoice.LineItem & {
  invoice: Omit<ExportStore.ExportedItem, keyof Invoice.LineItem | "position">;
  note: CreditNote | null;
  /** Its place in the invoice, from 0; null for an amount. */
  position: number | null;
};

/** The lines of the invoices issued in the days, then those of the credit notes. */
function* eachItem({ db, days }: Selection): Generator<Item> {
  for (const item of ExportStore.eachItem(db, days)) yield { ...item, invoice: item, note: null };
  for (const { note, invoice } of ExportStore.eachCreditNote(db, days)) {
    const amounts = () => amountLines(note, { withTax: invoice.pricesIncludeTax });
    const lines = note.lines.length > 0 ? note.lines : amounts().map((line) => ({ ...line, position: null }));
    for (const line of lines) yield { ...line, invoice, note };
  }
}

const amountOf = ({ note }: Item, amount: Usdc.Billed) =>
  note === null ? Usdc.format(amount) : lessened(amount);

export const items: Table = table(
  "items",
  "one row for each line item of an invoice or a credit note; quantities and totals of credit notes are below zero",
  eachItem,
  ({ db }) => ({
    invoice_number: ({ invoice }) => invoice.number,
    issue_date: ({ invoice, note }) => (note ?? invoice).issueDate,
    vendor_name: ({ invoice }) => invoice.vendorName,
    position: ({ position }) => (position === null ? null : position + 1),
    description: (item) => item.description,
    quantity: ({ quantity, note }) => `${note === null ? "" : "-"}${Quantity.format(quantity)}`,
    unit_price: (item) => Usdc.format(item.unitPrice),
    line_total: (item) => amountOf(item, item.lineTotal),
    currency: ({ invoice }) => Currency.codeOf(invoice),
    reference: ({ invoice }) => invoice.reference,
    unit: (item) => item.unit,
    discount_amount: (item) =>
      amountOf(item, Usdc.remaining(Invoice.lineTotal(item.quantity, item.unitPrice), item.lineTotal)),
    tax_rate: ({ tax }) => tax && Tax.formatShare(tax.rate),
    tax_category: ({ tax }) => tax?.category ?? null,
    credit_note_number: ({ note }) => note?.number ?? null,
    counts: ({ invoice }) => counts(db, invoice),
  }),
);
