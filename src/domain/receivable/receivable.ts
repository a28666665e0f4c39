import type { Invoice } from "../bill/invoice.ts";
import * as Invoices from "../bill/invoice.ts";
import * as Links from "../link/link.ts";
import { checkoutUrl, type Link } from "../link/link.ts";
import type { Kind } from "./common.ts";

/**
 * An invoice or a link: something owed at one deposit address. An invoice has a number, parties, lines and terms; a
 * link has a slug and what it asks of its payer. The rest is common to both: merchant, deposit, price, language,
 * reference, webhook, and how it was closed.
 */
export type Receivable = (Invoice & { kind: "invoice" }) | (Link & { kind: "link" });

export const ofInvoice = (invoice: Invoice) => ({ kind: "invoice", ...invoice }) as const;
export const ofLink = (link: Link) => ({ kind: "link", ...link }) as const;

/** Fields that invoices and links have under different names. */
export type Face = {
  /** The id of an invoice, the slug of a link. */
  id: string;
  /** The name people use: the number, or the slug. */
  name: string;
  /** Null for a link. */
  number: string | null;
  /** The product of a link, if given. */
  product: string | null;
  /** The payee, as the payer sees it. A link gives no other details of them. */
  seller: string;
  sellerEmail: string | null;
  /** The payer, if known. */
  customerName: string | null;
  customerEmail: string | null;
  /** The number of a link's receipt; otherwise, and for an invoice, its own name. */
  receiptName: string;
};

export function faceOf(receivable: Receivable): Face {
  if (receivable.kind === "invoice") {
    const { id, number, merchantName, merchantEmail, vendorName, vendorEmail } = receivable;
    return {
      id,
      name: number,
      number,
      product: null,
      seller: merchantName,
      sellerEmail: merchantEmail,
      customerName: vendorName,
      customerEmail: vendorEmail,
      receiptName: number,
    };
  }
  const { slug, productDescription, businessName, payerEmail, receiptNumber } = receivable;
  return {
    id: slug,
    name: slug,
    number: null,
    product: productDescription,
    seller: businessName,
    sellerEmail: null,
    customerName: null,
    customerEmail: payerEmail,
    receiptName: receiptNumber ?? slug,
  };
}

export type Status = Invoices.Status | Links.Status;
export type ReportedStatus = Invoices.ReportedStatus | Links.ReportedStatus;

/** Status rules of each kind. */
const rules = { invoice: Invoices, link: Links };

type StatusFacts = Parameters<typeof Invoices.status>[0] & Parameters<typeof Links.status>[0];

export const statusOf = (kind: Kind, facts: StatusFacts): Status => rules[kind].status(facts);

/** The status as the contract's webhook reports it; null for a status that money alone did not bring about. */
export const reportedStatusOf = (kind: Kind, facts: StatusFacts): ReportedStatus | null =>
  rules[kind].reportedStatus(facts);

/** The fields that identify it to programs. */
export const namedFields = (receivable: Receivable) =>
  receivable.kind === "invoice"
    ? { invoice_id: receivable.id, invoice_number: receivable.number, link_slug: null }
    : { invoice_id: null, invoice_number: null, link_slug: receivable.slug };

/** The public page; `baseUrl` has no trailing slash. */
export const pageUrl = (baseUrl: string, receivable: Receivable): string =>
  receivable.kind === "invoice"
    ? Invoices.pageUrl(baseUrl, receivable)
    : checkoutUrl(baseUrl, receivable.slug);
