import type { Kind } from "../../domain/receivable/common.ts";
import { ofInvoice, ofLink, type Receivable } from "../../domain/receivable/receivable.ts";
import type { Db } from "../database.ts";
import * as InvoiceStore from "../tables/invoicing/invoice.ts";
import * as LinkStore from "../tables/invoicing/link.ts";

/** The invoice or link of a deposit. Throws if there is none, as both are written together. */
export function receivableAt(db: Db, depositIndex: number): Receivable {
  const invoice = InvoiceStore.byDeposit(db, depositIndex);
  if (invoice) return ofInvoice(invoice);
  const link = LinkStore.byDeposit(db, depositIndex);
  if (link) return ofLink(link);
  throw new Error(`Deposit ${depositIndex} belongs to nothing`);
}

/** The invoice or link with this slug; null if there is none. */
export function receivableOf(db: Db, kind: Kind, slug: string): Receivable | null {
  if (kind === "link") {
    const link = LinkStore.bySlug(db, slug);
    return link && ofLink(link);
  }
  const invoice = InvoiceStore.bySlug(db, slug);
  return invoice && ofInvoice(invoice);
}
