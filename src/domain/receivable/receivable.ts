import type { Invoice } from "../bill/invoice.ts";
import * as Invoices from "../bill/invoice.ts";
import * as Links from "../link/link.ts";
import { checkoutUrl, type Link } from "../link/link.ts";
import type { Kind } from "./common.ts";

/**
 * What is owed at one deposit address. An invoice has a number, parties, lines and terms; a link has a slug and what it asks
 * of its payer. All else is the same of both: merchant, deposit, price, language, reference, webhook, and how it was closed.
 */
export type Receivable = (Invoice & { kind: "invoice" }) | (Link & { kind: "link" });

export const ofInvoice = (invoice: Invoice) => ({ kind: "invoice", ...invoice }) as const;
export const ofLink = (link: Link) => ({ kind: "link", ...link }) as const;

/** What invoices and links have under different names. */
export type Face = {
  /** The id of an invoice, the slug of a link. */
  id: string;
  /** What people call it: the number, or the slug. */
  name: string;
  /** Null for a link. */
  number: string | null;
  /** What a link sells, as far as it says. */
  product: string | null;
  /** Who is paid, as the payer reads it. A link says nothing else of them. */
  seller: string;
  sellerEmail: string | null;
  /** Who pays, as far as that is known. */
  customerName: string | null;
  customerEmail: string | null;
  /** The number of a link's receipt; without one, and of an invoice, its own name. */
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

/** What each kind calls its statuses. */
const rules = { invoice: Invoices, link: Links };

type StatusFacts = Parameters<typeof Invoices.status>[0] & Parameters<typeof Links.status>[0];

export const statusOf = (kind: Kind, facts: StatusFacts): Status => rules[kind].status(facts);

/** The status as the contract's webhook reports it: null for one that money alone has not made. */
export const reportedStatusOf = (kind: Kind, facts: StatusFacts): ReportedStatus | null =>
  rules[kind].reportedStatus(facts);

/** By which fields programs find it. */
export const namedFields = (receivable: Receivable) =>
  receivable.kind === "invoice"
    ? { invoice_id: receivable.id, invoice_number: receivable.number, link_slug: null }
    : { invoice_id: null, invoice_number: null, link_slug: receivable.slug };

/** The page that people open; `baseUrl` without a trailing slash. */
export const pageUrl = (baseUrl: string, receivable: Receivable): string =>
  receivable.kind === "invoice"
    ? Invoices.pageUrl(baseUrl, receivable)
    : checkoutUrl(baseUrl, receivable.slug);
