import type { LinkRecord, ReusableLinkRecord } from "../api/target.ts";
import type { Columns, Facts } from "../terminal/table.ts";
import { amountText, bold, money, rateText, statusCell, timeText, usdc } from "./format.ts";
import { closing, owed } from "./payable.ts";

/** Links and reusable links. */

type Quoted = Pick<
  LinkRecord,
  "expected_amount" | "currency" | "amount" | "exchange_rate" | "rate_expires_at"
>;

export const expectedFacts: Facts<Quoted> = [["Expected", "expected_amount", usdc]];

/** The amount that a link asks for, with its price in a currency. */
export const priceFacts: Facts<Quoted> = [["Price", "amount", money], ...expectedFacts, ["Rate", rateText]];

export const untilFacts: Facts<Quoted> = [["Holds until", "rate_expires_at", timeText]];

/** Returns the details that the payer gave, on one line. */
function payerText({ payer_details: said }: LinkRecord): string | null {
  if (said === undefined) return null;
  const answers = (said.answers ?? []).map(({ question, answer }) => `${question} ${answer}`);
  const texts = [said.name, said.address, said.tax_id, said.phone, ...answers];
  return texts.filter(Boolean).join(" · ").replaceAll("\n", ", ");
}

export const linkFacts: Facts<LinkRecord> = [
  ["Link", "slug", bold],
  ["Status", "status", statusCell],
  ...priceFacts,
  ...untilFacts,
  ["Received", "received_amount", usdc],
  ...owed,
  ["Reusable", "reusable_slug", (slug, { quantity }) => `${quantity} of link ${slug}`],
  ...closing,
  ["Business", "business_name"],
  ["Product", "product_description"],
  ["Merchant", "merchant_email"],
  ["Reference", "reference"],
  ["Tax", "tax_amount"],
  ["Receipt", "receipt_number"],
  ["Receipt to", "payer_email"],
  ["Payer", payerText],
  ["Wallet", ({ wallet_type, wallet_address }) => `${wallet_type} ${wallet_address}`],
  ["Expires", "expires_at", timeText],
  ["Page", "payment_link"],
  ["Address", "deposit_address"],
  ["Webhook", "webhook_url"],
];

export const links: Columns<LinkRecord> = [
  ["SLUG", "slug"],
  ["STATUS", "status", statusCell],
  [{ right: "EXPECTED" }, "expected_amount", amountText],
  [{ right: "RECEIVED" }, "received_amount", amountText],
  ["MADE", "created_at", (at) => at.slice(0, 10)],
  [{ cut: "BUSINESS" }, "business_name"],
];

type Price = Pick<
  ReusableLinkRecord,
  "currency" | "expected_amount" | "amount" | "quantity_max" | "amount_min" | "amount_max"
>;

/** Returns the price of one payment of a reusable link: `25.00 USDC`, `25.00 × 1 to 10 USDC`, `1.00 to 500.00 EUR`. */
export function priceText(price: Price): string {
  const { currency = "USDC", quantity_max = 1, amount_min, amount_max } = price;
  const each = price.expected_amount ?? price.amount;
  if (each === undefined)
    return `${amountText(amount_min ?? "")} to ${amountText(amount_max ?? "")} ${currency}`;
  return `${amountText(each)}${quantity_max > 1 ? ` × 1 to ${quantity_max}` : ""} ${currency}`;
}

/** The payments of a reusable link. */
export const begun: Columns<LinkRecord> = [
  ["SLUG", "slug"],
  ["STATUS", "status", statusCell],
  [{ right: "QUANTITY" }, ({ quantity = 1 }) => String(quantity)],
  [{ right: "EXPECTED" }, "expected_amount", amountText],
  [{ right: "RECEIVED" }, "received_amount", amountText],
  ["BEGUN", "created_at", timeText],
];

export const reusableFacts: Facts<ReusableLinkRecord> = [
  ["Reusable link", "slug", bold],
  ["Status", "status", statusCell],
  ["Price", priceText],
  ["Received", "received_amount", usdc],
  ["Payments", ({ payments_begun, payments_paid }) => `${payments_begun} begun, ${payments_paid} paid`],
  ["Business", "business_name"],
  ["Product", "product_description"],
  ["Merchant", "merchant_email"],
  ["Reference", "reference"],
  ["Wallet", ({ wallet_type, wallet_address }) => `${wallet_type} ${wallet_address ?? ""}`.trim()],
  ["Page", "payment_link"],
  ["Closes", "expires_at", timeText],
  ...closing,
  ["Webhook", "webhook_url"],
];

export const reusables: Columns<ReusableLinkRecord> = [
  ["SLUG", "slug"],
  ["STATUS", "status", statusCell],
  [{ right: "PRICE" }, (link) => priceText(link).replace(/ USDC$/, "")],
  [{ right: "PAID" }, "payments_paid"],
  [{ right: "RECEIVED" }, "received_amount", amountText],
  ["MADE", "created_at", (at) => at.slice(0, 10)],
  [{ cut: "BUSINESS" }, "business_name"],
];
