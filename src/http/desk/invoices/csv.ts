import { billing, type InvoiceSums, standing } from "../../../books/billing.ts";
import type { BookColumns } from "../../../books/columns.ts";
import * as Currency from "../../../domain/bill/currency.ts";
import * as Invoice from "../../../domain/bill/invoice.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { instant, instantOrNull } from "../../../lib/time.ts";
import type * as InvoiceList from "../../../store/reports/desk/invoice-list.ts";
import * as BilledStore from "../../../store/tables/invoicing/billed.ts";
import type { HttpDeps } from "../../deps.ts";
import { csvAnswer, csvRowsAtOnce } from "../csv.ts";
import type { Visit } from "../gate.ts";
import { listingOf, readListQuery } from "./list-query.ts";

type Listed = InvoiceList.ListedInvoice & InvoiceSums;

/** Named like the columns of `till export invoices`. */
const columnsOn = (today: string): BookColumns<Listed> => ({
  invoice_number: ({ number }) => number,
  issue_date: ({ issueDate }) => issueDate,
  due_date: ({ dueDate }) => dueDate,
  status: ({ status }) => status,
  overdue: (invoice) => Invoice.isOverdue(invoice, today),
  vendor_name: ({ vendorName }) => vendorName,
  vendor_email: ({ vendorEmail }) => vendorEmail,
  currency: Currency.codeOf,
  total_amount: (invoice) => Usdc.format(Invoice.billedTotal(invoice)),
  received_amount: ({ deposit }) => Usdc.formatExact(deposit.received),
  deposit_address: ({ deposit }) => deposit.address,
  created_at: ({ createdAt }) => instant(createdAt),
  sent_at: ({ sentAt }) => instantOrNull(sentAt),
  marked_paid_at: ({ markedPaidAt }) => instantOrNull(markedPaidAt),
  reference: ({ reference }) => reference,
  ...billing,
  ...standing,
});

const plain = { currency: null, totals: null, pricesIncludeTax: false, credited: Usdc.zero };

/** The list's invoices from all its pages, as a file. */
export async function invoicesCsv(deps: HttpDeps, visit: Visit): Promise<Response> {
  const { filter, page } = await listingOf(deps, readListQuery(visit.query), visit);
  return csvAnswer("invoices", deps.db, visit, {
    columns: columnsOn(filter.today),
    async after(last) {
      const { invoices, hasMore } = await page({ before: last?.sequence ?? null, limit: csvRowsAtOnce });
      const billed = BilledStore.billedOf(
        deps.db,
        invoices.map(({ sequence }) => sequence),
      );
      return { rows: invoices.map((row) => ({ ...plain, ...row, ...billed.get(row.sequence) })), hasMore };
    },
  });
}
