import type { Kind } from "../../domain/receivable/common.ts";
import { ofInvoice, ofLink, type Receivable } from "../../domain/receivable/receivable.ts";
import type { Db } from "../database.ts";
import * as InvoiceStore from "../tables/invoicing/invoice.ts";
import * as LinkStore from "../tables/invoicing/link.ts";

/** What is owed at a deposit as it is now. Throws when it belongs to nothing: both are written together. */
export function receivableAt(db: Db, depositIndex: number): Receivable {
  const invoice = InvoiceStore.byDeposit(db, depositIndex);
  if (invoice) return ofInvoice(invoice);
  const link = LinkStore.byDeposit(db, depositIndex);
  if (link) return ofLink(link);
  throw new Error(`Deposit ${depositIndex} belongs to nothing`);
}

/** What the page with this slug asks for; null when there is none. */
export function receivableOf(db: Db, kind: Kind, slug: string): Receivable | null {
  if (kind === "link") {
    const link = LinkStore.bySlug(db, slug);
    return link && ofLink(link);
  }
  const invoice = InvoiceStore.bySlug(db, slug);
  return invoice && ofInvoice(invoice);
}
