import { billing, standing } from "../../books/columns.ts";
import { invoiceColumns } from "../../books/tables.ts";
import { may } from "../../domain/party/person.ts";
import { csvRowsAtOnce } from "../../http/answer/csv.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import * as InvoiceList from "../../store/reports/desk/invoice-list.ts";
import * as DraftStore from "../../store/tables/desk/draft.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import { csvAnswer } from "../csv.ts";
import type { Visit } from "../parts/page/visit.ts";
import { countMax } from "../parts/place.ts";
import { draftRow } from "./form/like.ts";
import { invoiceListPage } from "./list-page.tsx";
import { beginningOf, listHref, listingOf, readListQuery } from "./list-query.ts";

const rowsMax = 50;
/** Maximum results that are summed; beyond that only the page is. */
const sumMax = 200;
const draftsMax = 200;

/** The list of invoices. */
export async function listInvoices(deps: HttpDeps, visit: Visit): Promise<string> {
  const { db } = deps;
  const { frame, query: params, who } = visit;
  const listQuery = readListQuery(params);
  const { kind, query, from, to } = listQuery;
  const { filter, page } = await listingOf(deps, listQuery, visit);
  const before = beginningOf(deps, listQuery);
  const isDrafts = kind === "drafts";
  const { rows, next } = isDrafts
    ? { rows: [], next: null }
    : await page(InvoiceList.list, { before, limit: rowsMax });
  const { counts, sum } = InvoiceList.overview(db, filter, { countMax: countMax + 1, sumMax });
  const drafts = DraftStore.count(db, countMax + 1);
  const foundTooMany = (filter.sequences?.length ?? 0) > InvoiceList.foundMax;
  const first = { ...listQuery, before: null };
  return invoiceListPage({
    frame,
    ...listQuery,
    isSearching: params.has("search"),
    counts: { ...counts, drafts },
    isEmpty: counts.all + drafts === 0 && query === "" && from === null && to === null,
    rows,
    drafts: isDrafts ? DraftStore.list(db, draftsMax).map((draft) => draftRow(draft, frame.locale)) : [],
    sum: sum ?? { count: rows.length, total: InvoiceList.totalOf(rows) },
    isSumOfAll: sum !== null,
    foundMax: foundTooMany && InvoiceList.isNarrow(filter) ? InvoiceList.foundMax : null,
    href: (other) => listHref({ ...first, ...other }),
    newest: listQuery.before === null ? null : listHref(first),
    older: next && listHref({ ...listQuery, before: next.number }),
    csv: may(who.role, "export") && !isDrafts ? listHref(first, "/desk/invoices.csv") : null,
    mayIssue: may(who.role, "issue"),
  });
}

/** The books' columns in the list's file. */
const csvColumns = [
  ..."invoice_number issue_date due_date status overdue vendor_name vendor_email currency total_amount".split(
    " ",
  ),
  ..."received_amount deposit_address created_at sent_at marked_paid_at reference".split(" "),
  ...Object.keys({ ...billing, ...standing }),
];

/** Returns the list's invoices from all its pages, as a file. */
export async function invoicesCsv(deps: HttpDeps, visit: Visit): Promise<Response> {
  const { filter, page } = await listingOf(deps, readListQuery(visit.query), visit);
  const books = Object.entries(invoiceColumns(filter.today, deps.baseUrl));
  const columns = Object.fromEntries(books.filter(([name]) => csvColumns.includes(name)));
  return csvAnswer("invoices", deps.db, visit, columns, async (before: number | null) => {
    const { rows, next } = await page(InvoiceList.sequences, { before, limit: csvRowsAtOnce });
    return { rows: InvoiceStore.heads(deps.db, rows), next };
  });
}
