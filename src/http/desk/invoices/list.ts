import { may } from "../../../domain/party/person.ts";
import { invoiceListPage } from "../../../pages/desk/invoices/list/page.tsx";
import type { DraftRow, ListKind } from "../../../pages/desk/invoices/list/props.ts";
import type { Days } from "../../../pages/desk/parts/list/days-menu.tsx";
import * as InvoiceList from "../../../store/reports/desk/invoice-list.ts";
import * as DraftStore from "../../../store/tables/desk/draft.ts";
import type { HttpDeps } from "../../deps.ts";
import type { Visit } from "../gate.ts";
import { draftRow } from "./draft-form.ts";
import { beginningOf, type ListQuery, listHref, listingOf, readListQuery } from "./list-query.ts";

const rowsMax = 50;
/** More than this are "many". */
const countMax = 99;
/** Of so many the sum is told, otherwise that of the page. */
const sumMax = 200;
const draftsMax = 200;

const shortCount = (count: number) => (count > countMax ? `${countMax}+` : String(count));

/** The list of invoices. */
export async function listInvoices(deps: HttpDeps, visit: Visit): Promise<string> {
  const { db } = deps;
  const { frame, query: params, who } = visit;
  const asked = readListQuery(params);
  const { kind } = asked;
  const { filter, page } = await listingOf(deps, asked, visit);
  const before = beginningOf(deps, asked);
  const { invoices, hasMore } =
    kind === "drafts" ? { invoices: [], hasMore: false } : await page({ before, limit: rowsMax });
  const { counts: found, sum } = InvoiceList.overview(db, filter, { countMax: countMax + 1, sumMax });
  const counts = countsOf(deps, found);
  const foundTooMany = (filter.found?.length ?? 0) > InvoiceList.foundMax;
  return invoiceListPage({
    frame,
    ...asked,
    isSearching: params.has("search"),
    counts,
    isEmpty: counts.all === "0" && counts.drafts === "0" && isUnfiltered(asked),
    rows: invoices,
    drafts: kind === "drafts" ? listDrafts(deps, frame.locale.decimalMark) : [],
    sum:
      sum === null
        ? { count: invoices.length, total: InvoiceList.totalOf(invoices), isAll: false }
        : { ...sum, isAll: true },
    foundMax: foundTooMany && InvoiceList.isNarrow(filter) ? InvoiceList.foundMax : null,
    links: linksOf(asked, {
      older: hasMore ? (invoices.at(-1)?.number ?? null) : null,
      mayExport: may(who.role, "export"),
    }),
    mayIssue: may(who.role, "issue"),
  });
}

const isUnfiltered = ({ query, from, to }: ListQuery) => query === "" && from === null && to === null;

/** How many there are of each kind, among what is searched and between the days. */
function countsOf({ db }: HttpDeps, of: Record<InvoiceList.Kind, number>): Record<ListKind, string> {
  return {
    all: shortCount(of.all),
    open: shortCount(of.open),
    overdue: shortCount(of.overdue),
    paid: shortCount(of.paid),
    drafts: shortCount(DraftStore.count(db, countMax + 1)),
    void: shortCount(of.void),
  };
}

function linksOf(asked: ListQuery, { older, mayExport }: { older: string | null; mayExport: boolean }) {
  const first = { ...asked, before: null };
  const kind = (kind: ListKind) => listHref({ ...first, kind });
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
    newest: asked.before === null ? null : listHref(first),
    older: older === null ? null : listHref({ ...asked, before: older }),
    csv: mayExport && asked.kind !== "drafts" ? listHref(first, "/desk/invoices.csv") : null,
  };
}

function listDrafts({ db }: HttpDeps, mark: string): DraftRow[] {
  return DraftStore.list(db, draftsMax).map((draft) => draftRow(draft, mark));
}
