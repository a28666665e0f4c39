import * as Invoice from "../../../domain/invoice.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { byteOrderMark, cell, line } from "../../../lib/text/csv.ts";
import { instant, instantOrNull } from "../../../lib/time.ts";
import type * as InvoiceList from "../../../store/reports/invoice-list.ts";
import type { HttpDeps } from "../../deps.ts";
import type { Visit } from "../gate.ts";
import { listingOf, readListQuery } from "./list-query.ts";

/** So many are read at a time: others are answered in between. */
const rowsAtOnce = 200;

type Cell = (invoice: InvoiceList.ListedInvoice, today: string) => string | boolean | null;

/** Named as `till export invoices` names them. */
const columns: Readonly<Record<string, Cell>> = {
  invoice_number: ({ number }) => number,
  issue_date: ({ issueDate }) => issueDate,
  due_date: ({ dueDate }) => dueDate,
  status: ({ status }) => status,
  overdue: (invoice, today) => Invoice.isOverdue(invoice, today),
  vendor_name: ({ vendorName }) => vendorName,
  vendor_email: ({ vendorEmail }) => vendorEmail,
  currency: () => "USDC",
  total_amount: ({ total }) => Usdc.format(total),
  received_amount: ({ received }) => Usdc.formatExact(received),
  deposit_address: ({ depositAddress }) => depositAddress,
  created_at: ({ createdAt }) => instant(createdAt),
  sent_at: ({ sentAt }) => instantOrNull(sentAt),
  marked_paid_at: ({ markedPaidAt }) => instantOrNull(markedPaidAt),
  reference: ({ reference }) => reference,
};

/** Every invoice that the list shows on all its pages, as a file. */
export async function invoicesCsv(deps: HttpDeps, visit: Visit): Promise<Response> {
  const { filter, page } = await listingOf(deps, readListQuery(visit.query), visit);
  const { today } = filter;
  const encoder = new TextEncoder();
  let before: number | null = null;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(byteOrderMark + line(Object.keys(columns)))),
    async pull(controller) {
      const { invoices, hasMore } = await page({ before, limit: rowsAtOnce });
      before = invoices.at(-1)?.sequence ?? null;
      const rows = invoices.map((invoice) =>
        line(Object.values(columns).map((of) => cell(of(invoice, today)))),
      );
      if (rows.length > 0) controller.enqueue(encoder.encode(rows.join("")));
      if (!hasMore) controller.close();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="invoices-${today}.csv"`,
      "cache-control": "no-store",
    },
  });
}
