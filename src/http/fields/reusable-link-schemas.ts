import { Type } from "@sinclair/typebox";
import * as Reusable from "../../domain/link/reusable-link.ts";
import { oneOf } from "../../invoicing/request/validation.ts";
import * as Answer from "./answer-parts.ts";
import { taxFields } from "./bill-schemas.ts";
import { collectFields } from "./link-schemas.ts";

/** The API's responses about reusable links. */

const shared = {
  reusable: Type.Literal(true, { wants: "true: it can be paid many times" }),
  currency: Type.Optional(Type.String({ wants: "of the amounts; only when it is not USDC" })),
  rate: Type.Optional(Type.String({ wants: "what 1 USDC costs in the currency; only when given" })),
  expected_amount: Type.Optional(
    Type.String({ wants: 'USDC for one piece, "25.00"; not with amount_min or currency' }),
  ),
  amount: Type.Optional(Type.String({ wants: "for one piece, in the currency; only with currency" })),
  quantity_max: Type.Optional(Type.Integer({ wants: "the most pieces in one payment; not with amount_min" })),
  amount_min: Type.Optional(Type.String({ wants: "the least that the payer can choose" })),
  amount_max: Type.Optional(Type.String({ wants: "the most that the payer can choose" })),
  tax_rate: Type.Optional(
    Type.String({ wants: "of the tax in each price; only with tax, as the two that follow" }),
  ),
  tax_category: Type.Optional(taxFields.tax_category),
  tax_reason: taxFields.tax_reason,
};

export const CreatedReusableLink = Answer.record("CreatedReusableLink", {
  slug: Answer.slug,
  payment_link: Answer.url,
  iframe_snippet: Type.String({ wants: "an HTML iframe tag" }),
  js_widget_snippet: Type.String({ wants: "an HTML script tag" }),
  ...shared,
  webhook_secret: Answer.secret,
});

const publicView = {
  slug: Answer.slug,
  business_name: Answer.text("as it was given"),
  product_description: Answer.optional(Answer.text("as it was given")),
  status: oneOf(Reusable.statuses, "whether payments can be begun"),
  ...shared,
  expires_at: Answer.expiresAt,
};

export const PublicReusableLink = Answer.record("PublicReusableLink", publicView);

export const ReusableLinkRecord = Answer.record("ReusableLink", {
  ...publicView,
  payment_link: Answer.url,
  payments_begun: Type.Integer({ wants: "how many payments were begun" }),
  payments_paid: Type.Integer({ wants: "how many of them are paid" }),
  received_amount: Answer.usdc,
  merchant_email: Answer.merchantEmail,
  wallet_type: Answer.walletType,
  wallet_address: Answer.optional(Answer.address),
  success_url: Answer.optional(Answer.url),
  embed_origins: Type.Array(Type.String(), { wants: "the only sites that may frame it; any if empty" }),
  webhook_url: Answer.optional(Answer.url),
  created_at: Answer.instant,
  ...collectFields,
  ...Answer.ownFields,
});
