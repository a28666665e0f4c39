import { Elysia } from "elysia";
import { editPath, formPath } from "../../../pages/desk/invoices/form-props.ts";
import type { Limits } from "../../access/limits.ts";
import type { HttpDeps } from "../../deps.ts";
import { createInvoiceCalls } from "../../invoices/invoice-calls.ts";
import { deskForm, type Gate } from "../gate.ts";
import { invoicesCsv } from "./csv.ts";
import { listInvoices } from "./list.ts";
import { newInvoice } from "./new.ts";

/** Invoices at the desk: the list, a new one, and each of them. */
export function invoiceDeskRoutes(deps: HttpDeps, gate: Gate, limits: Limits) {
  const calls = createInvoiceCalls(deps, limits);
  const form = newInvoice(deps, calls);
  return new Elysia()
    .get(
      "/desk/invoices",
      gate.page("read", (visit) => listInvoices(deps, visit)),
    )
    .get(
      "/desk/invoices.csv",
      gate.page("export", (visit) => invoicesCsv(deps, visit)),
    )
    .get(formPath, gate.page("issue", form.page))
    .post(editPath, gate.edit("issue", form.edit), deskForm)
    .post(formPath, gate.action({ duty: "issue", deed: "invoice.make" }, form.act), deskForm);
}
