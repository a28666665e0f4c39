import type { Invoice } from "../../../domain/bill/invoice.ts";
import * as InvoiceDomain from "../../../domain/bill/invoice.ts";
import { checkoutUrl, type Link } from "../../../domain/link/link.ts";
import { type Payable, payableOfInvoice, payableOfLink } from "../../../domain/payment/relay.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../../store/tables/invoicing/link.ts";
import type { HttpDeps } from "../../deps.ts";

/** What a program pays: an invoice or a link, with no more than its public page shows. */
export type Resource = {
  depositIndex: number;
  /** What it asks for now; null when it is gone. */
  payable: () => Payable | null;
  /** As `Links.quote`. */
  quote: () => Promise<unknown> | null;
  /** Where a program pays it. */
  url: string;
  pageUrl: string;
  /** Where its receipt's proof will be. */
  receiptUrl: string;
  description: string;
};

/** In characters. */
const descriptionMax = 200;

/** Where a program pays an invoice or a link. `baseUrl` has no trailing slash. */
export const x402Url = (baseUrl: string, slug: string) => `${baseUrl}/x402/${slug}`;

/** The field in answers to the merchant; absent where x402 is off. */
export function x402Field(
  { config, baseUrl }: Pick<HttpDeps, "config" | "baseUrl">,
  { slug }: { slug: string },
): { x402_url?: string } {
  return config.relay.mode === "off" ? {} : { x402_url: x402Url(baseUrl, slug) };
}

/** The header that tells programs where to pay a page. */
export function x402Link(deps: Pick<HttpDeps, "config" | "baseUrl">, slug: string): Record<string, string> {
  const url = x402Field(deps, { slug }).x402_url;
  return url === undefined ? {} : { link: `<${url}>; rel="payment"` };
}

type SubjectDeps = Pick<HttpDeps, "db" | "now" | "baseUrl" | "links">;

export function bySlug(deps: SubjectDeps, slug: string): Resource | null {
  const link = LinkStore.bySlug(deps.db, slug);
  if (link) return ofLink(deps, link);
  const invoice = InvoiceStore.bySlug(deps.db, slug);
  return invoice && ofInvoice(deps, invoice);
}

/** By id alone: numbers can be guessed. */
export function byInvoiceId(deps: SubjectDeps, id: string): Resource | null {
  const invoice = InvoiceStore.byId(deps.db, id.toLowerCase());
  return invoice && ofInvoice(deps, invoice);
}

function ofLink(deps: SubjectDeps, link: Link): Resource {
  const { slug, deposit, businessName, productDescription } = link;
  return {
    depositIndex: deposit.index,
    payable: payableOf(deps, "link", slug),
    quote: () => deps.links.quote(link),
    url: x402Url(deps.baseUrl, slug),
    pageUrl: checkoutUrl(deps.baseUrl, slug),
    receiptUrl: `${deps.baseUrl}/api/links/${slug}/receipt.json`,
    description: short(productDescription ?? `A payment to ${businessName}`),
  };
}

function ofInvoice(deps: SubjectDeps, invoice: Invoice): Resource {
  return {
    depositIndex: invoice.deposit.index,
    payable: payableOf(deps, "invoice", invoice.slug),
    quote: () => null,
    url: x402Url(deps.baseUrl, invoice.slug),
    pageUrl: InvoiceDomain.pageUrl(deps.baseUrl, invoice),
    receiptUrl: `${deps.baseUrl}/api/invoices/${invoice.id}/receipt.json`,
    description: short(`Invoice ${invoice.number} of ${invoice.merchantName}`),
  };
}

/** By code point: half a surrogate pair has no UTF-8. */
const short = (text: string) => [...text].slice(0, descriptionMax).join("");

/** In bytes of JSON: proxies take a few kilobytes of headers at most, and this goes into two of them. */
const headerTextMax = 150;

/** As much of a text as a header takes. */
export function headerText(text: string): string {
  const points = [...text];
  while (Buffer.byteLength(JSON.stringify(points.join(""))) - 2 > headerTextMax) points.pop();
  return points.join("");
}

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
