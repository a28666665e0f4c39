import type { CreditNote } from "../domain/bill/credit-note.ts";
import * as Currency from "../domain/bill/currency.ts";
import { type Invoice, supplyDayOf } from "../domain/bill/invoice.ts";
import * as Tax from "../domain/bill/tax.ts";
import * as TaxCurrency from "../domain/bill/tax-currency.ts";
import { type Counted, counts, isReceiptCounted } from "../store/reports/export/counted.ts";
import type * as ExportStore from "../store/reports/export/export.ts";
import { amountOf, counting, eachSale } from "./credit-notes.ts";
import { eachReceiptSale, type Reversal, saleOf } from "./receipts.ts";
import { type Selection, type Table, table } from "./table.ts";

/** One tax rate of an invoice or a receipt, or, with a `note`, of its reversal. */
type Taxed = OfInvoice | (Row & { receipt: ExportStore.ExportedReceipt; note: Reversal | null });
type OfInvoice = Row & {
  invoice: Counted & Pick<Invoice, "number" | "issueDate" | "vendorName" | "delivery">;
  receipt: null;
  note: CreditNote | null;
};
/** With the tax in the currency of the seller's country; null if unknown. */
type Row = { row: Tax.TaxRow; stated: NonNullable<ReturnType<typeof TaxCurrency.ofRows>>[number] | null };

function rowsOf(
  bill: TaxCurrency.Bill,
  of: { totals: Tax.Totals | null; taxInCurrency: Currency.TaxInCurrency | null },
): Row[] {
  const rows = of.totals?.rows ?? [];
  const stated = TaxCurrency.ofRows(bill, of.taxInCurrency, rows);
  return rows.map((row, at) => ({ row, stated: stated?.[at] ?? null }));
}

/** The taxes of each invoice and credit note. */
function* eachOfInvoices(selection: Selection): Generator<OfInvoice> {
  for (const { invoice, note } of eachSale(selection, selection.taxPeriod))
    for (const row of rowsOf(invoice, note ?? invoice)) yield { invoice, receipt: null, note, ...row };
}

function* eachOfReceipts(selection: Selection): Generator<Taxed> {
  for (const { receipt, note } of eachReceiptSale(selection))
    for (const row of rowsOf(saleOf(receipt), note ?? saleOf(receipt))) yield { receipt, note, ...row };
}

function* eachTax(selection: Selection): Generator<Taxed> {
  yield* eachOfInvoices(selection);
  yield* eachOfReceipts(selection);
}

function* eachCounted(selection: Selection): Generator<Taxed> {
  yield* counting(selection, eachOfInvoices(selection));
  for (const taxed of eachOfReceipts(selection))
    if (taxed.receipt && isReceiptCounted(taxed.receipt)) yield taxed;
}

/** The sale of a row, whether an invoice or a receipt. */
const ofSale = (taxed: Taxed) =>
  taxed.receipt === null ? taxed.invoice : { ...saleOf(taxed.receipt), status: taxed.receipt.link.status };

/** The day that assigns it to a period: for a credit note, a receipt and a refund the issue date. */
function taxDayOf(taxed: Taxed, { taxPeriod }: Pick<Selection, "taxPeriod">): string {
  const { receipt, note } = taxed;
  if (note !== null || receipt !== null)
    return (note ?? saleOf(taxed.receipt as ExportStore.ExportedReceipt)).issueDate;
  return taxPeriod === "issue" ? taxed.invoice.issueDate : supplyDayOf(taxed.invoice);
}

type Sum = {
  tax: Tax.Tax;
  currency: string;
  invoices: number;
  creditNotes: number;
  receipts: number;
  refunds: number;
  taxable: bigint;
  charged: bigint;
  statedCode: Currency.Code | null;
  stated: bigint;
};

/** Adds up each rate in each currency, over everything that counts. */
function taxSums(selection: Selection): Sum[] {
  const sums = new Map<string, Sum>();
  for (const taxed of eachCounted(selection)) {
    const { note, row, stated, receipt } = taxed;
    const currency = Currency.codeOf(ofSale(taxed));
    const statedCode = stated?.code ?? null;
    const key = `${currency} ${row.category} ${row.rate} ${statedCode ?? ""}`;
    const none = {
      tax: row,
      currency,
      invoices: 0,
      creditNotes: 0,
      receipts: 0,
      refunds: 0,
      taxable: 0n,
      charged: 0n,
      statedCode,
      stated: 0n,
    };
    const sum = sums.get(key) ?? none;
    const sign = note === null ? 1n : -1n;
    sums.set(key, {
      ...sum,
      invoices: sum.invoices + (note === null && receipt === null ? 1 : 0),
      receipts: sum.receipts + (note === null && receipt !== null ? 1 : 0),
      creditNotes: sum.creditNotes + (note !== null && receipt === null ? 1 : 0),
      refunds: sum.refunds + (note !== null && receipt !== null ? 1 : 0),
      taxable: sum.taxable + sign * row.taxable,
      charged: sum.charged + sign * row.tax,
      stated: sum.stated + sign * (stated?.tax ?? 0n),
    });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

/** Negative if more was credited than billed. */
const sumText = (sum: bigint, { currency }: Pick<Sum, "currency">) => Currency.format(sum, currency);

/** Taxes charged and taken back, by invoice and credit note, and their sums. */
export const taxTables: readonly Table[] = [
  table(
    "taxes",
    "one row for each tax category and rate of an invoice, a credit note, a receipt or a refund of one; amounts of credit notes and refunds are below zero",
    eachTax,
    ({ db, taxPeriod }) => ({
      invoice_number: (taxed) => (taxed.receipt === null ? taxed.invoice.number : null),
      issue_date: (taxed) => (taxed.note ?? ofSale(taxed)).issueDate,
      status: (taxed) => ofSale(taxed).status,
      vendor_name: (taxed) => ofSale(taxed).vendorName,
      tax_category: ({ row }) => row.category,
      tax_rate: ({ row }) => Tax.formatShare(row.rate),
      tax_reason: ({ row }) => row.reason,
      currency: (taxed) => Currency.codeOf(ofSale(taxed)),
      taxable_amount: (taxed) => amountOf(taxed, taxed.row.taxable, Currency.codeOf(ofSale(taxed))),
      tax_amount: (taxed) => amountOf(taxed, taxed.row.tax, Currency.codeOf(ofSale(taxed))),
      credit_note_number: ({ note, receipt }) => (receipt === null ? (note?.number ?? null) : null),
      counts: (taxed) =>
        taxed.receipt === null ? counts(db, taxed.invoice) : isReceiptCounted(taxed.receipt),
      receipt_number: ({ receipt }) => receipt?.receipt.number ?? null,
      tax_currency: ({ stated }) => stated?.code ?? null,
      tax_currency_amount: (taxed) => taxed.stated && amountOf(taxed, taxed.stated.tax, taxed.stated.code),
      tax_currency_rate: ({ stated }) => stated?.rate ?? null,
      tax_currency_source: ({ stated }) => stated?.source ?? null,
      refund_id: ({ note, receipt }) => (receipt === null ? null : (note?.number ?? null)),
      supply_date: ({ receipt, ...taxed }) =>
        receipt === null && "invoice" in taxed && taxed.invoice.delivery !== null
          ? supplyDayOf(taxed.invoice)
          : null,
      tax_date: (taxed) => taxDayOf(taxed, { taxPeriod }),
    }),
  ),
  table(
    "tax-sums",
    "one row for each tax rate and currency: its sum over the days, less credit notes, void invoices and refunds of payments by link",
    taxSums,
    ({ taxPeriod }) => ({
      tax_category: ({ tax }) => tax.category,
      tax_rate: ({ tax }) => Tax.formatShare(tax.rate),
      currency: (sum) => sum.currency,
      invoices: (sum) => sum.invoices,
      taxable_amount: (sum) => sumText(sum.taxable, sum),
      tax_amount: (sum) => sumText(sum.charged, sum),
      credit_notes: (sum) => sum.creditNotes,
      receipts: (sum) => sum.receipts,
      tax_currency: (sum) => sum.statedCode,
      tax_currency_amount: ({ stated, statedCode }) => statedCode && Currency.format(stated, statedCode),
      refunds: (sum) => sum.refunds,
      counted_by: () => taxPeriod,
    }),
  ),
];
