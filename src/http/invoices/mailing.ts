import * as Email from "../../domain/party/email.ts";
import type { MailOutcome } from "../../outbox/mailer.ts";
import type { JsonAnswer } from "../access/idempotency.ts";
import type { Limits } from "../access/limits.ts";

/** Mails sent on a merchant's request: their limits and outcomes. */

/** Counts a mail that is about to be sent for an invoice, or refuses one too many; a new invoice has no id yet. */
export function mailRefusal(
  limits: Limits,
  request: Request,
  { id, merchantEmail }: { id: string | null; merchantEmail: string },
): Response | null {
  const reached =
    limits.take("MAILS_INVOICE", id) ?? limits.take("MAILS_MERCHANT", Email.normalize(merchantEmail));
  return reached && limits.refusal(reached, request, "/api/invoices");
}

const anotherInvoice = "Give the customer the link of the invoice, or issue a new one with another address.";

/** The outcome of a mail sent by hand. */
export function sentAnswer(outcome: MailOutcome, instead = anotherInvoice): JsonAnswer {
  if (outcome.kind === "sent") return { status: 200, body: { ok: true } };
  if (outcome.kind === "rejected" && outcome.permanent) {
    const detail = `No mail was sent, and a repetition would be refused as well: ${outcome.reason}. ${instead}`;
    return { status: 200, body: { ok: false, code: "mail_refused", detail } };
  }
  const certainty =
    outcome.kind === "unknown" ? "The email may not have been delivered" : "The email was not sent";
  return { status: 200, body: { ok: false, detail: `${certainty}: ${outcome.reason}.` } };
}
