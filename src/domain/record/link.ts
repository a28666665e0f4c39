import { instant } from "../../lib/time.ts";
import * as Currency from "../bill/currency.ts";
import { checkoutUrl, type Link, priceEndsAt } from "../link/link.ts";
import * as Usdc from "../usdc.ts";
import { proofOf } from "../wallet/deposit-proof.ts";
import { amountsRecord, lineRecord, rateRecord } from "./bill.ts";
import { ownFields } from "./receivable.ts";

/** The price of a link in another currency, and how long it holds; empty for one in USDC. */
export function linkCurrencyRecord({ currency, expiresAt }: Pick<Link, "currency" | "expiresAt">) {
  if (currency === null) return {};
  const endsAt = priceEndsAt({ currency, expiresAt });
  return {
    currency: currency.code,
    amount: Currency.format(currency.total, currency.code),
    ...rateRecord(currency),
    ...(endsAt === null ? {} : { rate_expires_at: instant(endsAt) }),
  };
}

/** The public part of a link, SPEC section 2.3. */
export function publicLink(link: Link) {
  return {
    slug: link.slug,
    business_name: link.businessName,
    expected_amount: Usdc.format(link.deposit.expected),
    status: link.status,
    deposit_address: link.deposit.address,
    product_description: link.productDescription,
    ...linkCurrencyRecord(link),
    ...linkBillRecord(link),
    ...(link.expiresAt === null ? {} : { expires_at: instant(link.expiresAt) }),
  };
}

/** What is left of it once its page has closed: what the contract requires. */
export const closedLink = (link: Link) => ({
  slug: link.slug,
  business_name: link.businessName,
  expected_amount: Usdc.format(link.deposit.expected),
  status: link.status,
  deposit_address: link.deposit.address,
  product_description: null,
});

/** The lines of a link and the tax in its price; empty when neither was given. */
export function linkBillRecord({ bill, currency }: Pick<Link, "bill" | "currency">) {
  if (bill === null) return {};
  const code = Currency.codeOf({ currency });
  const { discount_amount: _, ...amounts } = amountsRecord(bill.totals, code);
  return {
    line_items: bill.lines.map((line) => lineRecord(line, code)),
    ...(bill.totals.rows.length === 0 ? {} : { ...amounts, prices_include_tax: bill.pricesIncludeTax }),
  };
}

/** The details that the payer is asked for; absent where not asked. */
export function collectRecord({ collect }: Pick<Link, "collect">) {
  if (collect === null) return {};
  const { fields, questions } = collect;
  return {
    ...(fields.length === 0 ? {} : { collect: fields }),
    ...(questions.length === 0 ? {} : { questions }),
  };
}

/** A link as its merchant sees it. Unused fields are absent. */
export function linkRecord(baseUrl: string, link: Link) {
  return {
    ...publicLink(link),
    payment_link: checkoutUrl(baseUrl, link.slug),
    received_amount: Usdc.format(link.deposit.received),
    ...(link.deposit.refunded === 0n ? {} : { refunded_amount: Usdc.formatExact(link.deposit.refunded) }),
    merchant_email: link.merchantEmail,
    wallet_type: link.walletType,
    wallet_address: link.deposit.payoutWallet,
    deposit_proof: proofOf(link.deposit),
    success_url: link.successUrl,
    embed_origins: link.embedOrigins,
    webhook_url: link.webhookUrl,
    created_at: instant(link.createdAt),
    ...collectRecord(link),
    ...(link.receiptNumber === null ? {} : { receipt_number: link.receiptNumber }),
    ...(link.payerDetails === null ? {} : { payer_details: link.payerDetails }),
    ...(link.payerEmail === null ? {} : { payer_email: link.payerEmail }),
    ...(link.reusableSlug === null ? {} : { reusable_slug: link.reusableSlug, quantity: link.quantity }),
    ...ownFields(link),
  };
}
