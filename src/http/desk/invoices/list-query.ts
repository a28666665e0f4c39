import * as Calendar from "../../../domain/calendar.ts";
import type { ListKind } from "../../../pages/desk/invoices/list-props.ts";
import type { Filter } from "../../../store/reports/invoice-list.ts";
import type { HttpDeps } from "../../deps.ts";
import { findInvoice } from "../../invoices/find-invoice.ts";
import type { Visit } from "../gate.ts";
import { lookUp } from "./search.ts";

const kinds: readonly ListKind[] = ["all", "open", "overdue", "paid", "drafts", "void"];

/** What a list of invoices is narrowed to, as the address of the page says it. What makes no sense is left out. */
export type ListQuery = {
  kind: ListKind;
  query: string;
  from: string | null;
  to: string | null;
  /** The number of the last invoice of the page before. */
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

/** The path of a list, with what is not as it is by default. */
export function listHref({ kind, query, from, to, before }: ListQuery, path = "/desk/invoices"): string {
  const params = new URLSearchParams();
  if (kind !== "all") params.set("kind", kind);
  if (query !== "") params.set("q", query);
  if (from !== null) params.set("from", from);
  if (to !== null) params.set("to", to);
  if (before !== null) params.set("before", before);
  return params.size === 0 ? path : `${path}?${params}`;
}

/** The same as the store is asked. */
export function filterOf(
  { db }: Pick<HttpDeps, "db">,
  { kind, query, from, to }: ListQuery,
  { frame }: Pick<Visit, "frame">,
): Filter {
  const found = lookUp(db, query, frame.locale);
  const { today } = frame.when;
  return { kind: kind === "drafts" ? "all" : kind, from, to, found, customer: null, today };
}

/** Where a page begins; null for the first one. */
export function beginningOf(deps: Pick<HttpDeps, "db" | "config">, { before }: ListQuery): number | null {
  return before === null ? null : (findInvoice(deps, before)?.sequence ?? null);
}
