import type { BookColumns } from "../../books/columns.ts";
import * as Party from "../../domain/party/party.ts";
import { may } from "../../domain/party/person.ts";
import { partyRecord } from "../../domain/record/invoice.ts";
import * as Usdc from "../../domain/usdc.ts";
import { csvRowsAtOnce } from "../../http/answer/csv.ts";
import { seeOther } from "../../http/answer/html.ts";
import { parseSavedParty } from "../../http/customers.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { isLanguageCode } from "../../language/languages.ts";
import type { Db } from "../../store/database.ts";
import * as InvoiceList from "../../store/reports/desk/invoice-list.ts";
import { matchOf } from "../../store/search.ts";
import * as CustomerStore from "../../store/tables/invoicing/customer.ts";
import * as PartyStore from "../../store/tables/invoicing/party.ts";
import { csvAnswer } from "../csv.ts";
import type { Gate } from "../gate.ts";
import type { FormFault } from "../parts/form/form.tsx";
import { seenOf } from "../parts/form/form-key.ts";
import { partyFault, typedParty } from "../parts/form/party-fields.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { countMax, countText, numberIn, queryIn, withQuery } from "../parts/place.ts";
import { type CustomerForm, customerPage } from "./customer-page.tsx";
import { customersPage } from "./customers-page.tsx";

const rowsMax = 50;

/** Customers at the desk: the list, and each of them. */
export function customerDeskRoutes(deps: HttpDeps, gate: Gate): void {
  gate.page("/desk/customers", "read", (visit) => listCustomers(deps, visit));
  gate.page("/desk/customers.csv", "export", (visit) => customersCsv(deps, visit));
  gate.page("/desk/customers/:name", "read", (visit) => showCustomer(deps, visit));
  gate.action("/desk/customers/:name", "issue", "customer.save", (visit, form) =>
    saveCustomer(deps, visit, form),
  );
}

/** Returns the requested customers' order, and how to read them. */
function listIn({ db }: Pick<HttpDeps, "db">, params: URLSearchParams) {
  const query = queryIn(params);
  const owing = params.has("owing") && query === "";
  const match = matchOf(query);
  return {
    query,
    owing,
    placeOf: (row: CustomerStore.ListedCustomer) => (query === "" ? row.lastSequence : row.id),
    async list(after: number | null, limit: number) {
      if (match !== null) return await CustomerStore.search(db, match, { after, limit });
      if (query !== "") return { rows: [], next: null };
      return CustomerStore.list(db, { limit, order: "billed", after, owing });
    },
  };
}

/** Named like the fields of `GET /api/customers`. */
const csvColumns: BookColumns<CustomerStore.ListedCustomer> = {
  email: ({ email }) => email,
  name: ({ name }) => name,
  currency: () => "USDC",
  invoices: ({ invoices }) => invoices,
  open_amount: ({ open }) => Usdc.formatExact(open),
  paid_amount: ({ paid }) => Usdc.formatExact(paid),
  last_invoice_number: ({ lastNumber }) => lastNumber,
  last_issue_date: ({ lastIssueDate }) => lastIssueDate,
};

/** Returns the list's customers from all its pages, as a file. */
function customersCsv(deps: HttpDeps, visit: Visit): Response {
  const { list, placeOf } = listIn(deps, visit.query);
  return csvAnswer("customers", deps.db, visit, csvColumns, (last) =>
    list(last && placeOf(last), csvRowsAtOnce),
  );
}

async function listCustomers(deps: HttpDeps, { frame, query: params, who }: Visit): Promise<string> {
  const { db } = deps;
  const { query, owing, placeOf, list } = listIn(deps, params);
  const after = numberIn(params.get("before"));
  const { rows, next } = await list(after, rowsMax);
  const here = { q: query, owing: owing ? 1 : null };
  const count = (isOwing: boolean) =>
    countText(CustomerStore.count(db, { owing: isOwing, max: countMax + 1 }));
  const counts = { all: count(false), owing: count(true) };
  return customersPage({
    frame,
    query,
    owing,
    counts,
    isEmpty: counts.all === "0",
    rows,
    newest: after === null ? null : withQuery("/desk/customers", here),
    older: next && withQuery("/desk/customers", { ...here, before: placeOf(next) }),
    csv: may(who.role, "export") ? withQuery("/desk/customers.csv", here) : null,
    mayIssue: may(who.role, "issue"),
  });
}

type Refused = { typed?: CustomerForm; faults?: readonly FormFault[]; problem?: string };

/** Shows a customer by id; a mail address redirects there. */
function showCustomer(
  deps: HttpDeps,
  { frame, params, query, who }: Visit,
  refused: Refused = {},
): string | Response | null {
  const { db } = deps;
  const name = params["name"] ?? "";
  const id = numberIn(name);
  const customer = id === null ? CustomerStore.byEmail(db, name) : CustomerStore.byId(db, id);
  if (customer === null) return null;
  const saved = formOf(savedOf(db, customer));
  const here = `/desk/customers/${customer.id}`;
  if (id === null) return seeOther(here);
  const named = query.get("before");
  const before = named === null ? null : (deps.invoices.find(named)?.sequence ?? null);
  const { rows, next } = InvoiceList.list(
    db,
    { kind: "all", from: null, to: null, sequences: null, customer: customer.key, today: frame.when.today },
    { before, limit: rowsMax },
  );
  return customerPage({
    frame,
    customer,
    rows,
    newest: before === null ? null : here,
    older: next && withQuery(here, { before: next.number }),
    mayIssue: may(who.role, "issue"),
    standard: deps.config.language,
    typed: saved,
    seen: seenOf(saved),
    faults: [],
    problem: null,
    ...refused,
  });
}

const savedOf = (db: Db, { email }: CustomerStore.ListedCustomer): Party.SavedParty =>
  PartyStore.find(db, "vendor", email) ?? Party.nothingSaved;

const formOf = ({ details, language }: Party.SavedParty): CustomerForm => ({
  details: details ?? {},
  language,
});

/** Saves the customer's details for future invoices; keeps other details saved by programs. */
function saveCustomer(deps: HttpDeps, visit: Visit, form: URLSearchParams): FormOutcome | null {
  const { db } = deps;
  const id = numberIn(visit.params["name"] ?? "");
  const customer = id === null ? null : CustomerStore.byId(db, id);
  if (customer === null) return null;
  const { locale } = visit.frame;
  const again = (refused: Refused) => String(showCustomer(deps, visit, refused));
  const code = form.get("language") ?? "";
  const typed = { details: typedParty(form, "details"), language: isLanguageCode(code) ? code : null };
  const saved = savedOf(db, customer);
  const isSeen = form.get("seen") === seenOf(formOf(saved));
  if (!isSeen && !Bun.deepEquals(typed, formOf(saved)))
    return again({ problem: locale.say("refundChanged") });
  const parsed = parseSavedParty("vendor", customer.email, { details: partyRecord(typed.details) });
  if (!parsed.ok) {
    const faults = parsed.faults.flatMap((fault) => partyFault(fault, locale) ?? []);
    return again({ typed, faults });
  }
  const party = { ...saved, details: parsed.value.details, language: typed.language };
  PartyStore.save(db, "vendor", customer.email, party, visit.now);
  const to = `/desk/customers/${customer.id}`;
  return { kind: "done", to, did: "didSaveCustomer", subject: customer.email };
}
