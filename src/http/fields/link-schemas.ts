import { Type } from "@sinclair/typebox";
import { askable } from "../../domain/link/bill.ts";
import * as Link from "../../domain/link/link.ts";
import { called, oneOf } from "../../invoicing/request/validation.ts";
import {
  address,
  closed,
  DepositProof,
  email,
  exactUsdc,
  expiresAt,
  instant,
  merchantEmail,
  optional,
  ownFields,
  payable,
  record,
  secret,
  slug,
  text,
  url,
  usdc,
  walletType,
} from "./answer-parts.ts";
import { linkBillFields, linkCurrencyFields, only } from "./bill-schemas.ts";

const linkStatus = called("LinkState", oneOf(Link.statuses, "the payment's status"));

export const collectFields = {
  collect: Type.Optional(Type.Array(oneOf(askable, "what"), { wants: "what the payer is asked for" })),
  questions: Type.Optional(Type.Array(Type.String(), { wants: "the merchant's own questions to the payer" })),
};

const detail = Type.Optional(Type.String());

export const CreatedLink = record("CreatedLink", {
  slug,
  payment_link: url,
  iframe_snippet: Type.String({ wants: "an HTML iframe tag" }),
  js_widget_snippet: Type.String({ wants: "an HTML script tag" }),
  deposit_address: address,
  expected_amount: usdc,
  status: linkStatus,
  ...linkCurrencyFields,
  ...linkBillFields,
  webhook_secret: secret,
  ...payable,
});

const publicLink = {
  slug,
  business_name: text("as it was given"),
  expected_amount: usdc,
  status: linkStatus,
  deposit_address: address,
  product_description: optional(text("as it was given")),
  ...linkCurrencyFields,
  ...linkBillFields,
  expires_at: expiresAt,
};

export const PublicLink = record("PublicLink", publicLink);

export const LinkAnswer = record("Link", {
  ...publicLink,
  payment_link: url,
  received_amount: usdc,
  refunded_amount: only("what refunds gave back; only with one", exactUsdc),
  merchant_email: merchantEmail,
  wallet_type: walletType,
  wallet_address: address,
  deposit_proof: DepositProof,
  success_url: optional(url),
  embed_origins: Type.Array(Type.String(), { wants: "the only sites that may frame it; any if empty" }),
  webhook_url: optional(url),
  created_at: instant,
  ...collectFields,
  receipt_number: Type.Optional(text("of its receipt; only with tax, once it is paid")),
  payer_details: Type.Optional(
    closed(
      {
        name: detail,
        address: detail,
        tax_id: detail,
        phone: detail,
        answers: Type.Optional(
          Type.Array(record("PayerAnswer", { question: Type.String(), answer: Type.String() })),
        ),
      },
      { wants: "what the payer said of themselves; only when anything" },
    ),
  ),
  payer_email: Type.Optional(email("where the payer wants a receipt; only when given")),
  reusable_slug: Type.Optional(text("the slug of the reusable link that it is a payment of; only then")),
  quantity: Type.Optional(Type.Integer({ wants: "how many pieces; only with reusable_slug" })),
  ...ownFields,
  ...payable,
});

export const PaymentStatus = record("PaymentStatus", {
  status: linkStatus,
  received_amount: usdc,
  expected_amount: usdc,
});
