import * as Tax from "../domain/tax.ts";
import * as Usdc from "../domain/usdc.ts";
import * as ExportStore from "../store/reports/export.ts";
import { currencyOf } from "./billing.ts";
import { type Table, table } from "./table.ts";

function* eachTax(invoices: Iterable<ExportStore.ExportedInvoice>) {
  for (const invoice of invoices) for (const row of invoice.totals?.rows ?? []) yield { invoice, row };
}

type Sum = { tax: Tax.Tax; currency: string; invoices: number; taxable: bigint; charged: bigint };

/** What each rate comes to in each currency, over all invoices that count. */
function taxSums(invoices: Iterable<ExportStore.ExportedInvoice>): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { invoice, row } of eachTax(invoices)) {
    if (invoice.status === "void") continue;
    const currency = currencyOf(invoice);
    const key = `${currency} ${row.category} ${row.rate}`;
    const sum = sums.get(key) ?? { tax: row, currency, invoices: 0, taxable: 0n, charged: 0n };
    sums.set(key, {
      ...sum,
      invoices: sum.invoices + 1,
      taxable: sum.taxable + row.taxable,
      charged: sum.charged + row.tax,
    });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

/** What tax was charged: on each invoice, and in all. */
export const taxTables: readonly Table[] = [
  table(
    "taxes",
    "one row for each tax category and rate of an invoice",
    ({ db, days }) => eachTax(ExportStore.eachInvoice(db, days)),
    () => ({
      invoice_number: ({ invoice }) => invoice.number,
      issue_date: ({ invoice }) => invoice.issueDate,
      status: ({ invoice }) => invoice.status,
      vendor_name: ({ invoice }) => invoice.vendorName,
      tax_category: ({ row }) => row.category,
      tax_rate: ({ row }) => Tax.formatShare(row.rate),
      tax_reason: ({ row }) => row.reason,
      currency: ({ invoice }) => currencyOf(invoice),
      taxable_amount: ({ row }) => Usdc.format(row.taxable),
      tax_amount: ({ row }) => Usdc.format(row.tax),
    }),
  ),
  table(
    "tax-sums",
    "one row for each tax rate and currency: what it comes to over the days, without void invoices",
    ({ db, days }) => taxSums(ExportStore.eachInvoice(db, days)),
    () => ({
      tax_category: ({ tax }) => tax.category,
      tax_rate: ({ tax }) => Tax.formatShare(tax.rate),
      currency: (sum) => sum.currency,
      invoices: (sum) => sum.invoices,
      taxable_amount: (sum) => Usdc.format(Usdc.fromMicro(sum.taxable)),
      tax_amount: (sum) => Usdc.format(Usdc.fromMicro(sum.charged)),
    }),
  ),
];
