import type { Invoice } from "../bill/invoice.ts";
import * as Invoices from "../bill/invoice.ts";
import type { Link } from "../link/link.ts";
import * as Links from "../link/link.ts";
import type { Kind } from "./common.ts";
import { faces } from "./faces.ts";

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
  /** The customer's address as the merchant wrote it, and never changed it; null if the payer gave it themselves. */
  issuedEmail: string | null;
  /** The number of the receipt; null if it has none of its own. */
  receiptNumber: string | null;
  /** The name for its receipt's file: that number, or its own name. */
  receiptName: string;
};

export function faceOf(receivable: Receivable): Face {
  if (receivable.kind === "invoice") {
    const { id, number, merchantName, merchantEmail, vendorName, vendorEmail, correctedAt } = receivable;
    return {
      id,
      name: number,
      number,
      product: null,
      seller: merchantName,
      sellerEmail: merchantEmail,
      customerName: vendorName,
      customerEmail: vendorEmail,
      issuedEmail: correctedAt === null ? vendorEmail : null,
      receiptNumber: null,
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
    issuedEmail: null,
    receiptNumber,
    receiptName: receiptNumber ?? slug,
  };
}

/** The path of its page at the desk. A number in the merchant's own pattern may contain a slash. */
export const deskPath = (kind: Kind, name: string): string => `/desk/${kind}s/${encodeURIComponent(name)}`;

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
export function namedFields(receivable: Receivable) {
  const { id, number } = faceOf(receivable);
  return number === null
    ? { invoice_id: null, invoice_number: null, link_slug: id }
    : { invoice_id: id, invoice_number: number, link_slug: null };
}

/** The payer's page; `baseUrl` has no trailing slash. */
export const pageUrl = (baseUrl: string, { kind, slug }: Pick<Receivable, "kind" | "slug">): string =>
  `${baseUrl}${faces[kind].page}${slug}`;
