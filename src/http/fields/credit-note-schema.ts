import { Type } from "@sinclair/typebox";
import { day, exactUsdc, id, instant, number, optional, record, text, url, usdc } from "./answer-parts.ts";
import { InvoiceAnswer } from "./invoice-schemas.ts";

const {
  line_items,
  subtotal_amount,
  discount_amount,
  tax_amount,
  tax_breakdown,
  tax_in_currency,
  ...invoice
} = InvoiceAnswer.properties;
const creditNumber = Type.String({ wants: "CN-0001, CN-0002, …, as TILL_CREDIT_NOTE_NUMBER says" });

export const CreditNoteAnswer = record("CreditNote", {
  id,
  credit_note_number: creditNumber,
  invoice_id: id,
  invoice_number: number,
  invoice_issue_date: day,
  issue_date: day,
  pdf_url: url,
  reason: text("as the customer reads it"),
  currency: text("of its amounts, as of the invoice: USDC, EUR, …"),
  total_amount: { ...usdc, wants: "what is credited, with its tax: a positive amount" },
  subtotal_amount: { ...subtotal_amount, wants: "only when the invoice has it, as the three that follow" },
  discount_amount,
  tax_amount,
  tax_breakdown,
  tax_in_currency,
  line_items: Type.Array(
    record("CreditedLine", {
      line: Type.Integer({ wants: "its place in the invoice, from 1" }),
      ...line_items.items.properties,
    }),
    { wants: "the lines that are credited, with the quantity that is; empty when amounts are" },
  ),
  credited_usdc: { ...usdc, wants: "what it lowers the invoice by, at the rate of the invoice" },
  return_usdc: {
    ...exactUsdc,
    wants: "how much of that was paid before, which the merchant is to return",
  },
  merchant_email: invoice.merchant_email,
  merchant_name_snapshot: invoice.merchant_name_snapshot,
  merchant_address_snapshot: invoice.merchant_address_snapshot,
  vendor_name: invoice.vendor_name,
  vendor_email: invoice.vendor_email,
  vendor_address: invoice.vendor_address,
  created_at: instant,
  sent_at: optional(instant),
});
