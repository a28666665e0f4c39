import type { Static } from "@sinclair/typebox";
import * as Usdc from "../../domain/usdc.ts";
import type { ListedCustomer } from "../../store/tables/invoicing/customer.ts";
import type { CustomerRecord } from "../fields/customer-schemas.ts";

/** Somebody who was billed, as the API answers it. */
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
