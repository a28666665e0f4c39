import { type TSchema, Type } from "@sinclair/typebox";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Tax from "../../domain/bill/tax.ts";
import * as Warning from "../../domain/bill/warning.ts";
import { askable } from "../../domain/link/bill.ts";
import * as Link from "../../domain/link/link.ts";
import { called, oneOf } from "../../invoicing/request/validation.ts";
import { problemCodes } from "../problem/problem.ts";
import {
  address,
  addressOf,
  billed,
  closed,
  DepositProof,
  day,
  email,
  exactUsdc,
  expiresAt,
  hash,
  id,
  instant,
  merchantEmail,
  number,
  optional,
  ownFields,
  record,
  secret,
  slug,
  text,
  unitPrice,
  url,
  urlOf,
  usdc,
  walletType,
} from "./answer-parts.ts";
import { partyParts } from "./customer-schemas.ts";

/** The API's answers as schemas: they describe it to callers, and the compiler holds the code to them. */

const overdue = Type.Boolean({ wants: "whether its due date is over and it is not paid" });
const invoiceStatus = called("InvoiceState", oneOf(Invoice.statuses, "the invoice's status"));
const linkStatus = called("LinkState", oneOf(Link.statuses, "the payment's status"));
const payable = {
  x402_url: Type.Optional(
    urlOf("where a program pays it by x402 or MPP; not with TILL_RELAY=off, and not in webhooks"),
  ),
};

export const Status = record("InvoiceStatus", { status: invoiceStatus, overdue });

const exchangeRate = closed(
  {
    rate: text("what 1 USDC costs in the currency; for a tax, 1 of the invoice's"),
    source: text("who said so"),
    fetched_at: instant,
  },
  { noun: "ExchangeRate", wants: "how the amount came about" },
);

const currencyFields = {
  currency: Type.Optional(
    text("of all other amounts but received_amount; only when it is not USDC, as the two that follow"),
  ),
  expected_usdc: Type.Optional({ ...usdc, wants: "what is to be paid, in USDC" }),
  exchange_rate: Type.Optional(exchangeRate),
};

const linkCurrencyFields = {
  currency: Type.Optional(text("of amount; only when it is not USDC, as the three that follow")),
  amount: Type.Optional(text("the price in the currency")),
  exchange_rate: currencyFields.exchange_rate,
  rate_expires_at: Type.Optional(
    text("until when expected_amount holds unless money comes before, ISO 8601; not with a rate for good"),
  ),
};

const tradeFields = {
  merchant_details: Type.Optional({
    ...partyParts,
    wants: "the seller in parts; only when given, as all that follow",
  }),
  vendor_details: Type.Optional({ ...partyParts, wants: "the buyer in parts" }),
  payment_terms: Type.Optional(text("in words")),
  delivery_date: Type.Optional(day),
  delivery_from: Type.Optional(day),
  delivery_to: Type.Optional(day),
  buyer_reference: Type.Optional(text("whom or what the buyer wants named")),
  purchase_order: Type.Optional(text("the number of the buyer's order")),
};

export const CreatedInvoice = record("CreatedInvoice", {
  invoice_id: id,
  invoice_number: number,
  slug,
  invoice_url: url,
  pdf_url: url,
  deposit_address: address,
  total_amount: billed,
  ...currencyFields,
  sent_at: optional(instant),
  webhook_secret: secret,
  mail: Type.Optional(
    closed(
      {
        state: oneOf(
          ["refused"],
          "refused: the same mail would be refused again, so Till does not try again",
        ),
        reason: Type.String({ wants: "what the mail server said, for a person" }),
      },
      { wants: "what became of the mail; only when the mail server refused it for good" },
    ),
  ),
  warnings: Type.Optional(
    Type.Array(
      record("Warning", {
        code: oneOf(Warning.codes, "for a program"),
        field: text("of the request"),
        message: text("what"),
      }),
      {
        wants: "what is allowed and usually wrong; only when something is",
      },
    ),
  ),
  ...payable,
});

const share = Type.String({ wants: "a percentage with two decimals" });
const only = <S extends TSchema>(wants: string, schema: S) => Type.Optional({ ...schema, wants });
export const taxFields = {
  tax_rate: share,
  tax_category: called("TaxCategory", oneOf(Tax.categories, "why tax is charged, or not")),
  tax_reason: Type.Optional(text("why no tax is charged; only when given")),
};

const breakdownFields = {
  prices_include_tax: Type.Optional(Type.Boolean({ wants: "whether the prices have the tax in them" })),
  tax_breakdown: Type.Optional(
    Type.Array(
      record("TaxRow", {
        ...taxFields,
        taxable_amount: billed,
        tax_amount: billed,
      }),
      { wants: "a row for each category and rate; empty without tax" },
    ),
  ),
};

export const taxInCurrency = Type.Optional(
  closed(
    { currency: text("ISO 4217"), tax_amount: text("in it"), exchange_rate: exchangeRate },
    {
      noun: "TaxInCurrency",
      wants: "the tax in the currency of the seller's country, where its law asks for it",
    },
  ),
);

const lineItems = Type.Array(
  record("LineItem", {
    description: text("as it was given"),
    quantity: Type.Number({ wants: "as it was given" }),
    unit_price: unitPrice,
    line_total: billed,
    unit: Type.Optional(text("what is counted; only when given")),
    discount_percent: only("only when given, as all that follow", share),
    discount_amount: only("what is taken off", billed),
    tax_rate: Type.Optional(taxFields.tax_rate),
    tax_category: Type.Optional(taxFields.tax_category),
    tax_reason: taxFields.tax_reason,
  }),
  { wants: "in the order of the request; line_total is less the discount" },
);

export const InvoiceAnswer = record("Invoice", {
  id,
  invoice_number: number,
  slug,
  invoice_url: url,
  pdf_url: url,
  deposit_address: address,
  merchant_email: merchantEmail,
  merchant_name_snapshot: text("as it was at creation"),
  merchant_address_snapshot: text("as it was at creation"),
  vendor_name: text("the customer's name"),
  vendor_email: email("where the invoice is mailed"),
  vendor_address: optional(text("the customer's address")),
  issue_date: day,
  due_date: day,
  total_amount: billed,
  ...currencyFields,
  subtotal_amount: only("the sum of the lines; only with a discount or tax, as the five that follow", billed),
  discount_percent: only("as it was given, of the whole", share),
  discount_amount: only("what is taken off the subtotal", billed),
  tax_amount: only("what all taxes come to", billed),
  ...breakdownFields,
  tax_in_currency: taxInCurrency,
  credited_amount: only("what its credit notes come to; only with one, as the two that follow", billed),
  due_amount: only("what is left to pay, in USDC", exactUsdc),
  return_amount: only("what was paid beyond that, and you owe the customer, in USDC", exactUsdc),
  refunded_amount: only("what refunds gave back, in USDC; only with one", exactUsdc),
  received_amount: usdc,
  status: invoiceStatus,
  overdue,
  notes: optional(text("at the bottom of the invoice")),
  ...tradeFields,
  line_items: lineItems,
  sent_at: optional(instant),
  corrected_at: only("when what is not the bill itself was last corrected", instant),
  wallet_type: walletType,
  wallet_address: address,
  deposit_proof: DepositProof,
  webhook_url: optional(url),
  reminders: Type.Optional(
    Type.Array(Type.Integer(), {
      wants: "days from the due date on which the customer is reminded; only when given",
    }),
  ),
  ...ownFields,
  ...payable,
});

export const Sent = record("Sent", {
  ok: Type.Boolean({ wants: "whether the mail server has accepted the mail" }),
  code: Type.Optional(oneOf(["mail_refused"], "for a program: the same mail would be refused again")),
  detail: Type.Optional(Type.String({ wants: "what went wrong and what to do, for a person" })),
});

export const TransferRecord = record("Transfer", {
  tx_hash: hash,
  from: addressOf("the address that paid"),
  block_number: Type.Integer({ wants: "the block of the transfer" }),
  amount: exactUsdc,
  confirmations: Type.Integer({ wants: "how many blocks deep it is" }),
  confirmed: Type.Boolean({ wants: "whether it counts" }),
  seen_at: instant,
});

export const EventRecord = record("WebhookEvent", {
  id: text("what it is sent again by; the webhook-id of its deliveries, unless there is event_id"),
  endpoint_id: Type.Optional(text("the webhook endpoint that it goes to")),
  event_id: Type.Optional(text("the event, which is the webhook-id of deliveries to an endpoint")),
  status: Type.String({ wants: "the status that it reports" }),
  url,
  state: oneOf(
    ["pending", "delivered", "failed", "ended"],
    "what became of it; ended: its endpoint was deleted before",
  ),
  created_at: instant,
  next_attempt_at: optional(instant),
  body: Type.String({ wants: "the exact bytes that are signed and sent" }),
  attempts: Type.Array(
    record("DeliveryAttempt", {
      attempt: Type.Integer({ wants: "1, 2, 3, …" }),
      started_at: instant,
      duration_ms: Type.Integer({ wants: "to the status of the answer" }),
      http_status: optional(Type.Integer({ wants: "what was answered" })),
      reason: optional(text("why it failed")),
    }),
  ),
});

export const linkBillFields = {
  line_items: only("what is sold; only with lines or tax", lineItems),
  subtotal_amount: only("the sum of the lines; only with tax, as the three that follow", billed),
  tax_amount: only("what all taxes come to", billed),
  ...breakdownFields,
};

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
        ...{ name: detail, address: detail, tax_id: detail, phone: detail },
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

export const Done = record("Done", { ok: Type.Boolean({ wants: "true: it is on its way" }) });

export const Problem = record("Problem", {
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ wants: "what is wrong and what to do, for a person" }),
  code: called("ProblemCode", oneOf(problemCodes, "what is wrong, for a program")),
  errors: Type.Optional(Type.Array(record("Fault", { field: Type.String(), message: Type.String() }))),
  message: Type.Optional(
    Type.String({ wants: "the same for a payer, in the language of ?lang= or of the browser" }),
  ),
});

export const listOf = <T extends TSchema>(schema: T) =>
  record(`${schema["noun"]}List`, {
    data: Type.Array(schema, { wants: "a list" }),
    has_more: Type.Boolean({ wants: "whether there are older ones" }),
  });
export const allOf = <T extends TSchema>(schema: T) =>
  record(`Every${schema["noun"]}`, { data: Type.Array(schema, { wants: "a list" }) });
