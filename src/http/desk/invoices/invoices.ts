import { Elysia } from "elysia";
import { editPath, formPath } from "../../../pages/desk/invoices/form/props.ts";
import type { Limits } from "../../access/limits.ts";
import type { HttpDeps } from "../../deps.ts";
import { createInvoiceCalls } from "../../invoices/invoice-calls.ts";
import { creditDeskRoutes } from "../credit/credit.ts";
import { deskForm, type Gate } from "../gate.ts";
import { invoicesCsv } from "./csv.ts";
import { invoiceDeeds } from "./deeds.ts";
import { listInvoices } from "./list.ts";
import { newInvoice } from "./new.ts";

/** By number or id. */
const one = "/desk/invoices/:name";

/** Invoices at the desk: the list, a new one, and each of them. */
export function invoiceDeskRoutes(deps: HttpDeps, gate: Gate, limits: Limits) {
  const calls = createInvoiceCalls(deps, limits);
  const form = newInvoice(deps, calls);
  const deeds = invoiceDeeds(deps, calls);
  return new Elysia()
    .use(creditDeskRoutes(deps, gate, limits))
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
    .post(formPath, gate.action({ duty: "issue", deed: "invoice.make" }, form.act), deskForm)

    .get(one, gate.page("read", deeds.show))
    .get(`${one}/e-invoice`, gate.page("read", deeds.eInvoice))
    .get(`${one}/void`, gate.page("close", deeds.askVoid))
    .get(`${one}/quote`, gate.page("issue", deeds.askQuote))
    .post(`${one}/quote`, gate.action({ duty: "issue", deed: "invoice.quote" }, deeds.quote), deskForm)
    .get(`${one}/mark`, gate.page("close", deeds.askMark))
    .post(`${one}/send`, gate.action({ duty: "issue", deed: "invoice.send" }, deeds.send), deskForm)
    .post(`${one}/remind`, gate.action({ duty: "issue", deed: "invoice.remind" }, deeds.remind), deskForm)
    .post(
      `${one}/redeliver`,
      gate.action({ duty: "issue", deed: "webhook.redeliver" }, deeds.redeliver),
      deskForm,
    )
    .post(`${one}/void`, gate.action({ duty: "close", deed: "invoice.void" }, deeds.void), deskForm)
    .post(`${one}/mark`, gate.action({ duty: "close", deed: "invoice.mark" }, deeds.mark), deskForm)
    .post(`${one}/unmark`, gate.action({ duty: "close", deed: "invoice.unmark" }, deeds.unmark), deskForm)
    .post(`${one}/note`, gate.action({ duty: "read", deed: "invoice.note" }, deeds.note), deskForm);
}
