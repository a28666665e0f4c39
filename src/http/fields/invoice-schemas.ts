import { Type } from "@sinclair/typebox";
import { byName } from "../../domain/bill/buyer-references.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import * as Warning from "../../domain/bill/warning.ts";
import { called, oneOf } from "../../invoicing/request/validation.ts";
import {
  address,
  billed,
  closed,
  DepositProof,
  day,
  email,
  exactUsdc,
  id,
  instant,
  merchantEmail,
  number,
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
import { breakdownFields, currencyFields, lineItems, only, share, taxInCurrency } from "./bill-schemas.ts";
import { partyParts } from "./customer-schemas.ts";

const overdue = Type.Boolean({ wants: "whether its due date is over and it is not paid" });

const invoiceStatus = called("InvoiceState", oneOf(Invoice.statuses, "the invoice's status"));

export const Status = record("InvoiceStatus", { status: invoiceStatus, overdue });

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
  ...byName(({ meaning }) => Type.Optional(text(meaning))),
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
