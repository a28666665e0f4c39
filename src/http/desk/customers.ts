import { Elysia } from "elysia";
import { may } from "../../domain/person.ts";
import { customerPage } from "../../pages/desk/customers/customer-page.tsx";
import { customersPage } from "../../pages/desk/customers/customers-page.tsx";
import * as InvoiceList from "../../store/reports/invoice-list.ts";
import { matchOf } from "../../store/search.ts";
import * as CustomerStore from "../../store/tables/invoicing/customer.ts";
import type { HttpDeps } from "../deps.ts";
import { findInvoice } from "../invoices/find-invoice.ts";
import { seeOther } from "./answer.ts";
import type { Gate, Visit } from "./gate.ts";

const rowsMax = 50;
/** More than this are "many". */
const countMax = 99;
const queryLengthMax = 200;

/** Customers at the desk: who was billed, and one of them. */
export function customerDeskRoutes(deps: HttpDeps, gate: Gate) {
  return new Elysia()
    .get(
      "/desk/customers",
      gate.page("read", (visit) => listCustomers(deps, visit)),
    )
    .get(
      "/desk/customers/:name",
      gate.page("read", (visit) => showCustomer(deps, visit)),
    );
}

const numberOf = (text: string | null) => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null);

const path = (base: string, params: Record<string, string | number | null>) => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== null && value !== "") given.set(name, String(value));
  return given.size === 0 ? base : `${base}?${given}`;
};

async function listCustomers({ db }: HttpDeps, { frame, query: params, who }: Visit): Promise<string> {
  const query = (params.get("q") ?? "").trim().slice(0, queryLengthMax);
  const owing = params.has("owing") && query === "";
  const after = numberOf(params.get("before"));
  const match = matchOf(query);
  const { customers, hasMore } =
    match !== null
      ? await CustomerStore.search(db, match, { after, limit: rowsMax })
      : query !== ""
        ? { customers: [], hasMore: false }
        : CustomerStore.list(db, { limit: rowsMax, order: "billed", after, owing });
  const last = customers.at(-1);
  const here = { q: query, owing: owing ? 1 : null };
  const count = (isOwing: boolean) => {
    const found = CustomerStore.count(db, { owing: isOwing, max: countMax + 1 });
    return found > countMax ? `${countMax}+` : String(found);
  };
  const counts = { all: count(false), owing: count(true) };
  const before = query === "" ? last?.lastSequence : last?.id;
  return customersPage({
    frame,
    query,
    owing,
    counts,
    isEmpty: counts.all === "0",
    rows: customers,
    newest: after === null ? null : path("/desk/customers", here),
    older: hasMore ? path("/desk/customers", { ...here, before: before ?? null }) : null,
    mayIssue: may(who.role, "issue"),
  });
}

/** By the id; who names a mail address is led there. */
function showCustomer(deps: HttpDeps, { frame, params, query, who }: Visit): string | Response | null {
  const { db } = deps;
  const name = params["name"] ?? "";
  const id = numberOf(name);
  const customer = id === null ? CustomerStore.byEmail(db, name) : CustomerStore.byId(db, id);
  if (customer === null) return null;
  const here = `/desk/customers/${customer.id}`;
  if (id === null) return seeOther(here);
  const named = query.get("before");
  const before = named === null ? null : (findInvoice(deps, named)?.sequence ?? null);
  const { invoices, hasMore } = InvoiceList.list(
    db,
    { kind: "all", from: null, to: null, found: null, customer: customer.key, today: frame.when.today },
    { before, limit: rowsMax },
  );
  return customerPage({
    frame,
    customer,
    rows: invoices,
    newest: before === null ? null : here,
    older: hasMore ? path(here, { before: invoices.at(-1)?.number ?? null }) : null,
    mayIssue: may(who.role, "issue"),
  });
}
