import type { Link } from "../domain/link.ts";
import * as Usdc from "../domain/usdc.ts";
import type { PaymentStatus } from "../store/link.ts";

export function paymentLink(baseUrl: string, slug: string): string {
  return `${baseUrl}/pay/${slug}`;
}

/** What anybody may see of a link, SPEC section 2.3. */
export function publicLink(link: Link) {
  return {
    slug: link.slug,
    business_name: link.businessName,
    expected_amount: Usdc.format(link.deposit.expected),
    status: link.status,
    deposit_address: link.deposit.address,
    product_description: link.productDescription,
  };
}

/** The merchant's own view. */
export function linkRecord(baseUrl: string, link: Link) {
  return {
    ...publicLink(link),
    payment_link: paymentLink(baseUrl, link.slug),
    received_amount: Usdc.format(link.deposit.received),
    merchant_email: link.merchantEmail,
    wallet_type: link.walletType,
    wallet_address: link.deposit.payoutWallet,
    success_url: link.successUrl,
    embed_origins: link.embedOrigins,
    webhook_url: link.webhookUrl,
    created_at: new Date(link.createdAt).toISOString(),
  };
}

/** SPEC section 2.4. */
export function paymentStatusRecord({ status, received, expected }: PaymentStatus) {
  return { status, received_amount: Usdc.format(received), expected_amount: Usdc.format(expected) };
}
