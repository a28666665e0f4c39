import { type Payable, payableOf } from "../../../domain/payment/relay.ts";
import type { Kind } from "../../../domain/receivable/common.ts";
import { faceOf, ofInvoice, pageUrl, type Receivable } from "../../../domain/receivable/receivable.ts";
import { isPageClosed } from "../../../store/reports/closed-page.ts";
import { crossingAmount } from "../../../store/reports/on-its-way.ts";
import { receivableOf } from "../../../store/reports/receivable.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import type { HttpDeps } from "../../route/deps.ts";

/** The thing that a program pays: an invoice or a link, with no more than its public page shows. */
export type Resource = {
  depositIndex: number;
  /** The amount it asks for now; null if it is gone. */
  payable: () => Payable | null;
  /** Like `Links.quote`. */
  quote: () => Promise<unknown> | null;
  /** The URL where a program pays it. */
  url: string;
  pageUrl: string;
  /** The future URL of its receipt's proof. */
  receiptUrl: string;
  description: string;
};

/** In characters. */
const descriptionMax = 200;

/** Returns the URL where a program pays an invoice or a link. `baseUrl` has no trailing slash. */
export const x402Url = (baseUrl: string, slug: string) => `${baseUrl}/x402/${slug}`;

/** The field in responses to the merchant; absent if x402 is off. */
export function x402Field(
  { config, baseUrl }: Pick<HttpDeps, "config" | "baseUrl">,
  { slug }: { slug: string },
): { x402_url?: string } {
  return config.relay.mode === "off" ? {} : { x402_url: x402Url(baseUrl, slug) };
}

/** The header that tells programs where to pay a page's invoice or link. */
export function x402Link(deps: Pick<HttpDeps, "config" | "baseUrl">, slug: string): Record<string, string> {
  const url = x402Field(deps, { slug }).x402_url;
  return url === undefined ? {} : { link: `<${url}>; rel="payment"` };
}

type SubjectDeps = Pick<HttpDeps, "config" | "db" | "now" | "baseUrl" | "links" | "isDelayed">;

export function bySlug(deps: SubjectDeps, slug: string): Resource | null {
  const found = receivableOf(deps.db, "link", slug) ?? receivableOf(deps.db, "invoice", slug);
  return found && resourceIfOpen(deps, found);
}

/** Finds an invoice by id alone: numbers can be guessed. */
export function byInvoiceId(deps: SubjectDeps, id: string): Resource | null {
  const invoice = InvoiceStore.byId(deps.db, id.toLowerCase());
  return invoice && resourceIfOpen(deps, ofInvoice(invoice));
}

const resourceIfOpen = (deps: SubjectDeps, receivable: Receivable) =>
  isPageClosed(deps, receivable) ? null : resourceOf(deps, receivable);

function resourceOf(deps: SubjectDeps, receivable: Receivable): Resource {
  const { kind, slug, deposit } = receivable;
  const { id, number, product, seller } = faceOf(receivable);
  const what = number === null ? `A payment to ${seller}` : `Invoice ${number} of ${seller}`;
  return {
    depositIndex: deposit.index,
    payable: payableBySlug(deps, kind, slug),
    quote: () => (kind === "link" ? deps.links.quote(receivable) : null),
    url: x402Url(deps.baseUrl, slug),
    pageUrl: pageUrl(deps.baseUrl, receivable),
    receiptUrl: `${deps.baseUrl}/api/${kind}s/${id}/receipt.json`,
    description: short(product ?? what),
  };
}

/** Cuts by code point: half a surrogate pair has no UTF-8. */
const short = (text: string) => [...text].slice(0, descriptionMax).join("");

/** In bytes of JSON: proxies accept a few kilobytes of headers at most, and this goes into two of them. */
const headerTextMax = 150;

/** Cuts a text to fit a header. */
export function headerText(text: string): string {
  const points = [...text];
  while (Buffer.byteLength(JSON.stringify(points.join(""))) - 2 > headerTextMax) points.pop();
  return points.join("");
}

/** Returns what an invoice or a link asks a payer for now; null if the slug has none. */
export const payableBySlug =
  (deps: Pick<HttpDeps, "db" | "now" | "isDelayed">, kind: Kind, slug: string) => (): Payable | null => {
    const receivable = receivableOf(deps.db, kind, slug);
    return receivable && payableOf(receivable, deps.now(), crossingAmount(deps, receivable.deposit.index));
  };
