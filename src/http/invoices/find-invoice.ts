import type { Invoice } from "../../domain/bill/invoice.ts";
import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import type { HttpDeps } from "../deps.ts";
import { problem } from "../problem/problem.ts";

/** By its id in any case, or by its number: who may use a number has been decided before. */
export function findInvoice({ db, config }: Pick<HttpDeps, "db" | "config">, name: string): Invoice | null {
  const sequence = InvoiceNumber.sequenceOf(config.invoiceNumber, name);
  return sequence === null
    ? InvoiceStore.byId(db, name.toLowerCase())
    : InvoiceStore.bySequence(db, sequence);
}

export const unknownInvoice = () => problem("not_found", "There is no invoice with this id or number.");
