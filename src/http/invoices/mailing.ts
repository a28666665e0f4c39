import type { MailOutcome } from "../../outbox/mailer.ts";
import type { JsonAnswer } from "../access/idempotency.ts";

const anotherInvoice = "Give the customer the link of the invoice, or issue a new one with another address.";

/** The advice when a credit note's mail server refuses it for good. */
export const creditPdfInstead = "Give the customer the PDF of the credit note.";

const isRefused = (outcome: MailOutcome) => outcome.kind === "rejected" && outcome.permanent;

/** Why a mail sent by hand may not have arrived; null when it was sent. */
export function unsentReason(outcome: MailOutcome, instead = anotherInvoice): string | null {
  if (outcome.kind === "sent") return null;
  const { reason } = outcome;
  if (isRefused(outcome))
    return `No mail was sent, and a repetition would be refused as well: ${reason}. ${instead}`;
  const isUnknown = outcome.kind === "unknown";
  return `${isUnknown ? "The email may not have been delivered" : "The email was not sent"}: ${reason}.`;
}

/** The outcome of a mail sent by hand. */
export function sentAnswer(outcome: MailOutcome, instead?: string): JsonAnswer {
  const detail = unsentReason(outcome, instead);
  if (detail === null) return { status: 200, body: { ok: true } };
  const code = isRefused(outcome) ? { code: "mail_refused" } : {};
  return { status: 200, body: { ok: false, ...code, detail } };
}
