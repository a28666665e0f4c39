import type { Static } from "@sinclair/typebox";
import * as Invoice from "../../domain/invoice.ts";
import * as Quantity from "../../domain/quantity.ts";
import * as Usdc from "../../domain/usdc.ts";
import { proofOf } from "../../domain/wallet/deposit-proof.ts";
import { instantOrNull } from "../../lib/time.ts";
import type { CreatedInvoice, InvoiceRecord } from "../fields/answer-schemas.ts";

/** The answer to a creation, SPEC section 4.1; `refusal` is why the mail server refused its mail for good. */
export function createdRecord(
  baseUrl: string,
  invoice: Invoice.Invoice,
  { webhookSecret, refusal }: { webhookSecret: string | null; refusal: string | null },
): Static<typeof CreatedInvoice> {
  return {
    invoice_id: invoice.id,
    invoice_number: Invoice.number(invoice.sequence),
    slug: invoice.slug,
    invoice_url: Invoice.pageUrl(baseUrl, invoice),
    pdf_url: Invoice.pdfUrl(baseUrl, invoice),
    deposit_address: invoice.deposit.address,
    total_amount: Usdc.format(invoice.total),
    sent_at: instantOrNull(invoice.sentAt),
    ...(webhookSecret === null ? {} : { webhook_secret: webhookSecret }),
    ...(refusal === null ? {} : { mail: { state: "refused", reason: refusal } }),
  };
}

/** The full record, SPEC section 2.1; `today` is the day that overdue is judged by. */
export function invoiceRecord(
  baseUrl: string,
  invoice: Invoice.Invoice,
  today: string,
): Static<typeof InvoiceRecord> {
  return {
    id: invoice.id,
    invoice_number: Invoice.number(invoice.sequence),
    slug: invoice.slug,
    invoice_url: Invoice.pageUrl(baseUrl, invoice),
    pdf_url: Invoice.pdfUrl(baseUrl, invoice),
    deposit_address: invoice.deposit.address,
    merchant_email: invoice.merchantEmail,
    merchant_name_snapshot: invoice.merchantName,
    merchant_address_snapshot: invoice.merchantAddress,
    vendor_name: invoice.vendorName,
    vendor_email: invoice.vendorEmail,
    vendor_address: invoice.vendorAddress,
    issue_date: invoice.issueDate,
    due_date: invoice.dueDate,
    total_amount: Usdc.format(invoice.total),
    received_amount: Usdc.format(invoice.deposit.received),
    status: invoice.status,
    overdue: Invoice.isOverdue(invoice, today),
    notes: invoice.notes,
    line_items: invoice.lineItems.map((item) => ({
      description: item.description,
      quantity: Quantity.toNumber(item.quantity),
      unit_price: Usdc.format(item.unitPrice),
      line_total: Usdc.format(item.lineTotal),
    })),
    sent_at: instantOrNull(invoice.sentAt),
    wallet_type: invoice.walletType,
    wallet_address: invoice.deposit.payoutWallet,
    deposit_proof: proofOf(invoice.deposit),
    webhook_url: invoice.webhookUrl,
  };
}
