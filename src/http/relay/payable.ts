import { type Payable, payableOfInvoice, payableOfLink } from "../../domain/payment/relay.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import type { HttpDeps } from "../deps.ts";

/** What an invoice or a link asks a payer for now; null when the slug has none. */
export function payableOf({ db, now }: Pick<HttpDeps, "db" | "now">, kind: "invoice" | "link", slug: string) {
  return (): Payable | null => {
    if (kind === "invoice") {
      const invoice = InvoiceStore.bySlug(db, slug);
      return invoice && payableOfInvoice(invoice);
    }
    const link = LinkStore.bySlug(db, slug);
    return link && payableOfLink(link, now());
  };
}
