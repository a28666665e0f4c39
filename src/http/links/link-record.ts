import type { Static } from "@sinclair/typebox";
import * as Currency from "../../domain/bill/currency.ts";
import { checkoutUrl, type Link } from "../../domain/link/link.ts";
import type { ReusableLink } from "../../domain/link/reusable-link.ts";
import * as Reusable from "../../domain/link/reusable-link.ts";
import { isTheirs } from "../../domain/party/api-key.ts";
import { taxRecord } from "../../domain/record/bill.ts";
import { collectRecord, linkBillRecord, linkCurrencyRecord } from "../../domain/record/link.ts";
import { ownFields } from "../../domain/record/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import { instant } from "../../lib/time.ts";
import { iframeSnippet, widgetSnippet } from "../../pages/snippets.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as ReusableStore from "../../store/tables/invoicing/reusable-link.ts";
import { readableFromAnywhere } from "../answer/html.ts";
import type * as LinkSchemas from "../fields/link-schemas.ts";
import type * as ReusableAnswer from "../fields/reusable-link-schemas.ts";
import { problem } from "../problem/problem.ts";
import type { HttpDeps } from "../route/deps.ts";
import { subjectInPath } from "../route/route.ts";

/** The response to a creation, SPEC section 4.8, without the webhook's secret. */
export function createdLink(baseUrl: string, link: Link): Static<typeof LinkSchemas.CreatedLink> {
  return {
    slug: link.slug,
    payment_link: checkoutUrl(baseUrl, link.slug),
    iframe_snippet: iframeSnippet(baseUrl, link.slug),
    js_widget_snippet: widgetSnippet(baseUrl, link.slug),
    deposit_address: link.deposit.address,
    expected_amount: Usdc.format(link.deposit.expected),
    status: link.status,
    ...linkCurrencyRecord(link),
    ...linkBillRecord(link),
  };
}

/** The response to creating a reusable link, without the webhook's secret. */
export function createdReusableLink(
  baseUrl: string,
  link: ReusableLink,
): Static<typeof ReusableAnswer.CreatedReusableLink> {
  return {
    slug: link.slug,
    payment_link: checkoutUrl(baseUrl, link.slug),
    iframe_snippet: iframeSnippet(baseUrl, link.slug),
    js_widget_snippet: widgetSnippet(baseUrl, link.slug),
    reusable: true,
    ...priceRecord(link),
  };
}

/** The public view of a reusable link; `now` decides whether it is open. */
export function publicReusableLink(
  link: ReusableLink,
  now: number,
): Static<typeof ReusableAnswer.PublicReusableLink> {
  return {
    slug: link.slug,
    business_name: link.businessName,
    product_description: link.productDescription,
    reusable: true,
    status: Reusable.status(link, now),
    ...priceRecord(link),
    ...(link.expiresAt === null ? {} : { expires_at: instant(link.expiresAt) }),
  };
}

/** The merchant's own view, without unused fields. */
export function reusableLinkRecord(
  baseUrl: string,
  { totals, ...link }: ReusableStore.LinkWithTotals,
  now: number,
): Static<typeof ReusableAnswer.ReusableLinkRecord> {
  return {
    ...publicReusableLink(link, now),
    payment_link: checkoutUrl(baseUrl, link.slug),
    payments_begun: totals.begun,
    payments_paid: totals.paid,
    received_amount: Usdc.format(totals.received),
    merchant_email: link.merchantEmail,
    wallet_type: link.walletType,
    wallet_address: link.wallet,
    success_url: link.successUrl,
    embed_origins: link.embedOrigins,
    webhook_url: link.webhookUrl,
    created_at: instant(link.createdAt),
    ...collectRecord(link),
    ...ownFields({ ...link, markedPaidAt: null }),
  };
}

function priceRecord({ price, currency, tax }: Pick<ReusableLink, "price" | "currency" | "tax">) {
  const each = currency === null ? "expected_amount" : "amount";
  const text = (amount: Usdc.Billed) => Currency.formatOf({ currency }, amount);
  return {
    ...(currency === null ? {} : { currency: currency.code }),
    ...(currency === null || currency.rate === null ? {} : { rate: currency.rate }),
    ...(price.kind === "fixed"
      ? { [each]: text(price.each), quantity_max: price.quantityMax }
      : { amount_min: text(price.min), amount_max: text(price.max) }),
    ...(tax === null ? {} : taxRecord(tax)),
  };
}

/** SPEC section 2.4. */
export function paymentStatusRecord({
  status,
  received,
  expected,
}: LinkStore.LinkPoll): Static<typeof LinkSchemas.PaymentStatus> {
  return { status, received_amount: Usdc.format(received), expected_amount: Usdc.format(expected) };
}

/** A one-time link. */
export const linkNamed = subjectInPath(
  "slug",
  ({ db }, slug) => LinkStore.bySlug(db, slug),
  ({ merchantEmail }) => merchantEmail,
  unknownLink,
);

export const anyLinkNamed = subjectInPath(
  "slug",
  ({ links }, slug) => links.find(slug),
  ({ link }) => link.merchantEmail,
  unknownLink,
);

export const reusableNamed = subjectInPath(
  "slug",
  ({ db }, slug) => ReusableStore.bySlug(db, slug),
  ({ merchantEmail }) => merchantEmail,
  unknownLink,
);

export function unknownLink(
  { db }: Pick<HttpDeps, "db">,
  slug: string,
  merchant: string | null = null,
): Response {
  const reusable = ReusableStore.bySlug(db, slug);
  const detail =
    reusable && isTheirs(merchant, reusable.merchantEmail)
      ? `This is a reusable link: each payment of it has a slug of its own. See GET /api/links?reusable_slug=${slug}.`
      : "There is no payment link with this slug.";
  return problem("not_found", detail, { headers: readableFromAnywhere });
}
