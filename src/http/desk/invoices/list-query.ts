import * as Calendar from "../../../domain/calendar.ts";
import type { ListTab } from "../../../pages/desk/invoices/list/props.ts";
import * as InvoiceList from "../../../store/reports/desk/invoice-list.ts";
import type { HttpDeps } from "../../deps.ts";
import type { Visit } from "../gate.ts";
import { searchFor } from "./search.ts";

const kinds: readonly ListTab[] = ["all", "open", "overdue", "paid", "drafts", "void"];

/** An invoice list's filters, from the page's address. Ignores what makes no sense. */
export type ListQuery = {
  kind: ListTab;
  query: string;
  from: string | null;
  to: string | null;
  /** The number of the previous page's last invoice. */
  before: string | null;
};

const queryLengthMax = 200;

export function readListQuery(params: URLSearchParams): ListQuery {
  const day = (name: string) => {
    const value = params.get(name) ?? "";
    return Calendar.isDay(value) ? value : null;
  };
  return {
    kind: kinds.find((kind) => kind === params.get("kind")) ?? "all",
    query: (params.get("q") ?? "").trim().slice(0, queryLengthMax),
    from: day("from"),
    to: day("to"),
    before: params.get("before"),
  };
}

/** A list's path, without filters at their defaults. */
export function listHref({ kind, query, from, to, before }: ListQuery, path = "/desk/invoices"): string {
  const params = new URLSearchParams();
  if (kind !== "all") params.set("kind", kind);
  if (query !== "") params.set("q", query);
  if (from !== null) params.set("from", from);
  if (to !== null) params.set("to", to);
  if (before !== null) params.set("before", before);
  return params.size === 0 ? path : `${path}?${params}`;
}

/** The list's filters for the store; and one page of it. */
type Listing = {
  filter: InvoiceList.Filter;
  page(place: { before: number | null; limit: number }): Promise<ReturnType<typeof InvoiceList.list>>;
};

export async function listingOf(
  deps: Pick<HttpDeps, "db" | "config">,
  { kind, query, from, to }: ListQuery,
  { frame }: Pick<Visit, "frame">,
): Promise<Listing> {
  const search = searchFor(deps, query, frame.locale);
  const filter: InvoiceList.Filter = {
    kind: kind === "drafts" ? "all" : kind,
    from,
    to,
    sequences: search && (await search({ limit: InvoiceList.foundMax + 1 })),
    customer: null,
    today: frame.when.today,
  };
  return {
    filter,
    async page({ before, limit }) {
      const isFurther = search !== null && before !== null && !InvoiceList.isNarrow(filter);
      const sequences = isFurther ? await search({ before, limit: limit + 1 }) : filter.sequences;
      return InvoiceList.list(deps.db, { ...filter, sequences }, { before, limit });
    },
  };
}

/** Where a page begins; null for the first. */
export function beginningOf({ invoices }: Pick<HttpDeps, "invoices">, { before }: ListQuery): number | null {
  return before === null ? null : (invoices.find(before)?.sequence ?? null);
}
