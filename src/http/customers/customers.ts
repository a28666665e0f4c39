import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as Usdc from "../../domain/usdc.ts";
import { matchOf } from "../../store/search.ts";
import type { ListedCustomer } from "../../store/tables/invoicing/customer.ts";
import * as CustomerStore from "../../store/tables/invoicing/customer.ts";
import type { HttpDeps } from "../deps.ts";
import type { CustomerRecord } from "../fields/customer-schemas.ts";
import { listLimitDefault } from "../fields/list-limit.ts";
import { CustomerListQuery, queryFaults } from "../fields/list-query.ts";
import { validationProblem } from "../problem/problem.ts";

/** The customers that the invoices name. */
export function customerRoutes({ db }: HttpDeps) {
  return new Elysia().get("/api/customers", async ({ query, request }) => {
    const faults = queryFaults(CustomerListQuery, query, request.url);
    if (faults.length > 0) return validationProblem(faults);
    const filter = query as Static<typeof CustomerListQuery>;
    const named = (email: string | undefined) =>
      email === undefined ? null : CustomerStore.byEmail(db, email);
    const after = named(filter.starting_after);
    if (filter.starting_after !== undefined && after === null)
      return validationProblem([{ field: "starting_after", message: "must be the email of a customer" }]);
    if (filter.email !== undefined) {
      const customer = named(filter.email);
      const isBefore = customer !== null && (after === null || customer.id < after.id);
      return { data: isBefore ? [customerRecord(customer)] : [], has_more: false };
    }
    const limit = Number(filter.limit ?? listLimitDefault);
    const page = { after: after?.id ?? null, limit };
    if (filter.search === undefined) return listOf(CustomerStore.list(db, { ...page, order: "id" }));
    const match = matchOf(filter.search);
    return listOf(
      match === null ? { customers: [], hasMore: false } : await CustomerStore.search(db, match, page),
    );
  });
}

const listOf = ({ customers, hasMore }: ReturnType<typeof CustomerStore.list>) => ({
  data: customers.map(customerRecord),
  has_more: hasMore,
});

/** A customer as the API answers it. */
export function customerRecord(customer: ListedCustomer): Static<typeof CustomerRecord> {
  return {
    email: customer.email,
    name: customer.name,
    invoices: customer.invoices,
    open_amount: Usdc.format(customer.open),
    paid_amount: Usdc.format(customer.paid),
    last_invoice_number: customer.lastNumber,
    last_issue_date: customer.lastIssueDate,
  };
}
