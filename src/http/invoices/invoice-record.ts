import type { Static } from "@sinclair/typebox";
import * as Invoice from "../../domain/bill/invoice.ts";
import { currencyRecord } from "../../domain/record.ts";
import * as Usdc from "../../domain/usdc.ts";
import { instantOrNull } from "../../lib/time.ts";
import type { CreatedInvoice } from "../fields/answer-schemas.ts";
import { problem } from "../problem/problem.ts";

/** The answer to a creation, SPEC section 4.1; `refusal` is why the mail server refused its mail for good. */
export function createdRecord(
  baseUrl: string,
  invoice: Invoice.Invoice,
  { webhookSecret, refusal }: { webhookSecret: string | null; refusal: string | null },
): Static<typeof CreatedInvoice> {
  return {
    invoice_id: invoice.id,
    invoice_number: invoice.number,
    slug: invoice.slug,
    invoice_url: Invoice.pageUrl(baseUrl, invoice),
    pdf_url: Invoice.pdfUrl(baseUrl, invoice),
    deposit_address: invoice.deposit.address,
    total_amount: Usdc.format(Invoice.billedTotal(invoice)),
    ...currencyRecord(invoice),
    sent_at: instantOrNull(invoice.sentAt),
    ...(webhookSecret === null ? {} : { webhook_secret: webhookSecret }),
    ...(refusal === null ? {} : { mail: { state: "refused", reason: refusal } }),
  };
}

export const unknownInvoice = () => problem("not_found", "There is no invoice with this id or number.");
