import type { LinkRecord, ReusableLinkRecord } from "../api/target.ts";
import { amountText, say, sayFacts, sayTable, statusCell, timeText } from "../terminal/output.ts";

type Price = Pick<ReusableLinkRecord, "expected_amount" | "quantity_max" | "amount_min" | "amount_max">;

/** What one payment of a reusable link costs: `25.00`, `25.00 × 1 to 10`, or `1.00 to 500.00`. */
export function priceText({ expected_amount, quantity_max = 1, amount_min, amount_max }: Price): string {
  if (expected_amount === undefined)
    return `${amountText(amount_min ?? "")} to ${amountText(amount_max ?? "")}`;
  return `${amountText(expected_amount)}${quantity_max > 1 ? ` × 1 to ${quantity_max}` : ""}`;
}

/** A reusable link, the totals of its payments, and the latest of them. */
export function sayReusable(
  link: ReusableLinkRecord,
  payments: readonly LinkRecord[],
  hasMore: boolean,
): void {
  sayFacts([
    ["Reusable link", { text: link.slug, color: "bold" }],
    ["Status", statusCell(link.status)],
    ["Price", `${priceText(link)} USDC`],
    ["Received", `${amountText(link.received_amount)} USDC`],
    ["Payments", `${link.payments_begun} begun, ${link.payments_paid} paid`],
    ["Business", link.business_name],
    ["Product", link.product_description],
    ["Merchant", link.merchant_email],
    ["Reference", link.reference ?? null],
    ["Wallet", `${link.wallet_type} ${link.wallet_address ?? ""}`.trim()],
    ["Page", link.payment_link],
    ["Closes", link.expires_at === undefined ? null : timeText(link.expires_at)],
    ["Voided", link.voided_at === undefined ? null : timeText(link.voided_at)],
    ["Reason", link.void_reason ?? null],
    ["Webhook", link.webhook_url],
  ]);
  if (payments.length === 0) return;
  say("\nPayments");
  sayTable(
    ["SLUG", "STATUS", { right: "QUANTITY" }, { right: "EXPECTED" }, { right: "RECEIVED" }, "BEGUN"],
    payments.map((payment) => [
      payment.slug,
      statusCell(payment.status),
      String(payment.quantity ?? 1),
      amountText(payment.expected_amount),
      amountText(payment.received_amount),
      timeText(payment.created_at),
    ]),
  );
  if (hasMore) say(`There are more: till list links --reusable ${link.slug} --all`);
}
