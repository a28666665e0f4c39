import { type BookColumns, billing, type InvoiceSums, standing } from "../../books/columns.ts";
import * as Currency from "../../domain/bill/currency.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import { may } from "../../domain/party/person.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { instant, instantOrNull } from "../../lib/time.ts";
import * as InvoiceList from "../../store/reports/desk/invoice-list.ts";
import * as DraftStore from "../../store/tables/desk/draft.ts";
import * as BilledStore from "../../store/tables/invoicing/billed.ts";
import { csvAnswer, csvRowsAtOnce } from "../csv.ts";
import type { Visit } from "../gate.ts";
import type { Days } from "../parts/days-menu.tsx";
import { draftRow } from "./form/typed.ts";
import { type DraftRow, invoiceListPage, type ListTab } from "./list-page.tsx";
import { beginningOf, type ListQuery, listHref, listingOf, readListQuery } from "./list-query.ts";

const rowsMax = 50;
/** More are shown as "many". */
const countMax = 99;
/** Up to this many results are summed; beyond that only the page is. */
const sumMax = 200;
const draftsMax = 200;

const shortCount = (count: number) => (count > countMax ? `${countMax}+` : String(count));

/** The list of invoices. */
export async function listInvoices(deps: HttpDeps, visit: Visit): Promise<string> {
  const { db } = deps;
  const { frame, query: params, who } = visit;
  const listQuery = readListQuery(params);
  const { kind } = listQuery;
  const { filter, page } = await listingOf(deps, listQuery, visit);
  const before = beginningOf(deps, listQuery);
  const { invoices, hasMore } =
    kind === "drafts" ? { invoices: [], hasMore: false } : await page({ before, limit: rowsMax });
  const { counts: totals, sum } = InvoiceList.overview(db, filter, { countMax: countMax + 1, sumMax });
  const counts = countsOf(deps, totals);
  const foundTooMany = (filter.sequences?.length ?? 0) > InvoiceList.foundMax;
  return invoiceListPage({
    frame,
    ...listQuery,
    isSearching: params.has("search"),
    counts,
    isEmpty: counts.all === "0" && counts.drafts === "0" && isUnfiltered(listQuery),
    rows: invoices,
    drafts: kind === "drafts" ? listDrafts(deps, frame.locale.decimalMark) : [],
    sum:
      sum === null
        ? { count: invoices.length, total: InvoiceList.totalOf(invoices), isAll: false }
        : { ...sum, isAll: true },
    foundMax: foundTooMany && InvoiceList.isNarrow(filter) ? InvoiceList.foundMax : null,
    links: linksOf(listQuery, {
      older: hasMore ? (invoices.at(-1)?.number ?? null) : null,
      mayExport: may(who.role, "export"),
    }),
    mayIssue: may(who.role, "issue"),
  });
}

const isUnfiltered = ({ query, from, to }: ListQuery) => query === "" && from === null && to === null;

/** How many there are of each kind in the search and between the days. */
function countsOf({ db }: HttpDeps, of: Record<InvoiceList.InvoiceFilter, number>): Record<ListTab, string> {
  return {
    all: shortCount(of.all),
    open: shortCount(of.open),
    overdue: shortCount(of.overdue),
    paid: shortCount(of.paid),
    drafts: shortCount(DraftStore.count(db, countMax + 1)),
    void: shortCount(of.void),
  };
}

function linksOf(listQuery: ListQuery, { older, mayExport }: { older: string | null; mayExport: boolean }) {
  const first = { ...listQuery, before: null };
  const kind = (kind: ListTab) => listHref({ ...first, kind });
  return {
    kinds: {
      all: kind("all"),
      open: kind("open"),
      overdue: kind("overdue"),
      paid: kind("paid"),
      drafts: kind("drafts"),
      void: kind("void"),
    },
    days: (days: Days) => listHref({ ...first, ...days }),
    newest: listQuery.before === null ? null : listHref(first),
    older: older === null ? null : listHref({ ...listQuery, before: older }),
    csv: mayExport && listQuery.kind !== "drafts" ? listHref(first, "/desk/invoices.csv") : null,
  };
}

function listDrafts({ db }: HttpDeps, mark: string): DraftRow[] {
  return DraftStore.list(db, draftsMax).map((draft) => draftRow(draft, mark));
}

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
