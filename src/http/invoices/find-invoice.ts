import * as Invoice from "../../domain/invoice.ts";
import type { Db } from "../../store/database.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";

/** By its id in any case, or by its number: who may use a number has been decided before. */
export function findInvoice(db: Db, name: string): Invoice.Invoice | null {
  const sequence = Invoice.sequenceOf(name);
  return sequence === null
    ? InvoiceStore.byId(db, name.toLowerCase())
    : InvoiceStore.bySequence(db, sequence);
}
