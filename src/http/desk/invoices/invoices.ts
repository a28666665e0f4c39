import { editPath, formPath } from "../../../pages/desk/invoices/form/props.ts";
import type { HttpDeps } from "../../deps.ts";
import { creditDeskRoutes } from "../credit/credit.ts";
import type { Gate } from "../gate.ts";
import { invoicesCsv } from "./csv.ts";
import { invoiceDeeds } from "./deeds.ts";
import { listInvoices } from "./list.ts";
import { newInvoice } from "./new.ts";

/** By number or id. */
const one = "/desk/invoices/:name";

/** Invoices at the desk: the list, a new one, and each of them. */
export function invoiceDeskRoutes(deps: HttpDeps, gate: Gate): void {
  const form = newInvoice(deps);
  const deeds = invoiceDeeds(deps);
  creditDeskRoutes(deps, gate);
  gate.page("/desk/invoices", "read", (visit) => listInvoices(deps, visit));
  gate.page("/desk/invoices.csv", "export", (visit) => invoicesCsv(deps, visit));
  gate.page(formPath, "issue", form.page);
  gate.edit(editPath, "issue", form.edit);
  gate.action(formPath, "issue", "invoice.make", form.act);
  gate.page(one, "read", deeds.show);
  gate.page(`${one}/e-invoice`, "read", deeds.eInvoice);
  gate.page(`${one}/void`, "close", deeds.askVoid);
  gate.page(`${one}/quote`, "issue", deeds.askQuote);
  gate.action(`${one}/quote`, "issue", "invoice.quote", deeds.quote);
  gate.page(`${one}/mark`, "close", deeds.askMark);
  gate.action(`${one}/send`, "issue", "invoice.send", deeds.send);
  gate.action(`${one}/remind`, "issue", "invoice.remind", deeds.remind);
  gate.action(`${one}/redeliver`, "issue", "webhook.redeliver", deeds.redeliver);
  gate.action(`${one}/void`, "close", "invoice.void", deeds.void);
  gate.action(`${one}/mark`, "close", "invoice.mark", deeds.mark);
  gate.action(`${one}/unmark`, "close", "invoice.unmark", deeds.unmark);
  gate.action(`${one}/note`, "issue", "invoice.note", deeds.note);
}
