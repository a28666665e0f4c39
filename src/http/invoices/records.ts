import type { Static } from "@sinclair/typebox";
import * as Currency from "../../domain/bill/currency.ts";
import * as Invoice from "../../domain/bill/invoice.ts";
import type { Warning } from "../../domain/bill/warning.ts";
import { currencyRecord } from "../../domain/record/bill.ts";
import { sayFault } from "../../language/faults.ts";
import { instantOrNull } from "../../lib/time.ts";
import type { MailOutcome } from "../../outbox/mailer.ts";
import type { CreatedInvoice } from "../fields/invoice-schemas.ts";
import { problem } from "../problem/problem.ts";
import type { JsonAnswer } from "../route/act.ts";
import { subjectInPath } from "../route/route.ts";

/** The response to a creation, SPEC section 4.1; `refusal` is why the mail server refused its mail for good. */
export function createdRecord(
  baseUrl: string,
  invoice: Invoice.Invoice,
  {
    webhookSecret,
    refusal,
    warnings,
  }: { webhookSecret: string | null; refusal: string | null; warnings: readonly Warning[] },
): Static<typeof CreatedInvoice> {
  return {
    invoice_id: invoice.id,
    invoice_number: invoice.number,
    slug: invoice.slug,
    invoice_url: Invoice.pageUrl(baseUrl, invoice),
    pdf_url: Invoice.pdfUrl(baseUrl, invoice),
    deposit_address: invoice.deposit.address,
    total_amount: Currency.formatOf(invoice, Invoice.billedTotal(invoice)),
    ...currencyRecord(invoice),
    sent_at: instantOrNull(invoice.sentAt),
    ...(webhookSecret === null ? {} : { webhook_secret: webhookSecret }),
    ...(refusal === null ? {} : { mail: { state: "refused", reason: refusal } }),
    ...(warnings.length === 0 ? {} : { warnings: warnings.map(saidWarning) }),
  };
}

const saidWarning = (warning: Warning) => ({ code: warning.code, ...sayFault(warning) });

export const unknownInvoice = () => problem("not_found", "There is no invoice with this id or number.");

/** Finds it by id or number. */
export const invoiceNamed = subjectInPath(
  "id",
  ({ invoices }, name) => invoices.find(name),
  ({ merchantEmail }) => merchantEmail,
  unknownInvoice,
);

const anotherInvoice = "Give the customer the link of the invoice, or issue a new one with another address.";

/** Advice if the mail server refuses a credit note for good. */
export const creditPdfInstead = "Give the customer the PDF of the credit note.";

const isRefused = (outcome: MailOutcome) => outcome.kind === "rejected" && outcome.permanent;

/** Returns why a mail sent by hand may not have arrived; null if it was sent. */
export function unsentReason(outcome: MailOutcome, instead = anotherInvoice): string | null {
  if (outcome.kind === "sent") return null;
  const { reason } = outcome;
  if (isRefused(outcome))
    return `No mail was sent, and a repetition would be refused as well: ${reason}. ${instead}`;
  const isUnknown = outcome.kind === "unknown";
  return `${isUnknown ? "The email may not have been delivered" : "The email was not sent"}: ${reason}.`;
}

/** Responds with the outcome of a mail sent by hand. */
export function sentAnswer(outcome: MailOutcome, instead?: string): JsonAnswer {
  const detail = unsentReason(outcome, instead);
  if (detail === null) return { status: 200, body: { ok: true } };
  const code = isRefused(outcome) ? { code: "mail_refused" } : {};
  return { status: 200, body: { ok: false, ...code, detail } };
}
