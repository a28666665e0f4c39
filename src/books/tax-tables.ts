import type { CreditNote } from "../domain/bill/credit-note.ts";
import * as Currency from "../domain/bill/currency.ts";
import type { Invoice } from "../domain/bill/invoice.ts";
import * as Tax from "../domain/bill/tax.ts";
import * as Usdc from "../domain/usdc.ts";
import { amountOf, type Counted, counting, counts, eachSale, lessened } from "./credit-notes.ts";
import { type Selection, type Table, table } from "./table.ts";

/** One rate of an invoice's taxes, or of its credit note's when there is a `note`. */
type Taxed = {
  invoice: Counted & Pick<Invoice, "number" | "issueDate" | "vendorName">;
  note: CreditNote | null;
  row: Tax.TaxRow;
};

/** The taxes of each. */
function* eachTax(selection: Selection): Generator<Taxed> {
  for (const { invoice, note } of eachSale(selection))
    for (const row of (note ?? invoice).totals?.rows ?? []) yield { invoice, note, row };
}

type Sum = {
  tax: Tax.Tax;
  currency: string;
  invoices: number;
  creditNotes: number;
  taxable: bigint;
  charged: bigint;
};

/** What each rate comes to in each currency, over all that counts. */
function taxSums(selection: Selection): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { invoice, note, row } of counting(selection, eachTax(selection))) {
    const currency = Currency.codeOf(invoice);
    const key = `${currency} ${row.category} ${row.rate}`;
    const none = { tax: row, currency, invoices: 0, creditNotes: 0, taxable: 0n, charged: 0n };
    const sum = sums.get(key) ?? none;
    const sign = note === null ? 1n : -1n;
    sums.set(key, {
      ...sum,
      invoices: sum.invoices + (note === null ? 1 : 0),
      creditNotes: sum.creditNotes + (note === null ? 0 : 1),
      taxable: sum.taxable + sign * row.taxable,
      charged: sum.charged + sign * row.tax,
    });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

/** Below zero when more was credited than billed. */
const sumText = (sum: bigint) =>
  sum < 0n ? lessened(Usdc.fromMicro(-sum)) : Usdc.format(Usdc.fromMicro(sum));

/** The tax that was charged and taken back, by invoice and credit note, and its sums. */
export const taxTables: readonly Table[] = [
  table(
    "taxes",
    "one row for each tax category and rate of an invoice or a credit note; amounts of credit notes are below zero",
    eachTax,
    ({ db }) => ({
      invoice_number: ({ invoice }) => invoice.number,
      issue_date: ({ invoice, note }) => (note ?? invoice).issueDate,
      status: ({ invoice }) => invoice.status,
      vendor_name: ({ invoice }) => invoice.vendorName,
      tax_category: ({ row }) => row.category,
      tax_rate: ({ row }) => Tax.formatShare(row.rate),
      tax_reason: ({ row }) => row.reason,
      currency: ({ invoice }) => Currency.codeOf(invoice),
      taxable_amount: (taxed) => amountOf(taxed, taxed.row.taxable),
      tax_amount: (taxed) => amountOf(taxed, taxed.row.tax),
      credit_note_number: ({ note }) => note?.number ?? null,
      counts: ({ invoice }) => counts(db, invoice),
    }),
  ),
  table(
    "tax-sums",
    "one row for each tax rate and currency: its sum over the days, less credit notes and void invoices",
    taxSums,
    () => ({
      tax_category: ({ tax }) => tax.category,
      tax_rate: ({ tax }) => Tax.formatShare(tax.rate),
      currency: (sum) => sum.currency,
      invoices: (sum) => sum.invoices,
      taxable_amount: (sum) => sumText(sum.taxable),
      tax_amount: (sum) => sumText(sum.charged),
      credit_notes: (sum) => sum.creditNotes,
    }),
  ),
];
