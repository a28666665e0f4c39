import type { AnnouncedType } from "../domain/event/event.ts";
import type { Locale, TextKey } from "./locale.ts";

/** What happened to an invoice or a link: texts with one amount, or none. A credit note has its own. */
export const toldTexts = {
  partially_paid: "toldPart",
  paid: "toldPaid",
  overpaid: "toldOver",
  payment_reversed: "toldReversed",
  unexpected_payment: "toldUnexpected",
  voided: "toldVoided",
  marked_paid: "toldMarked",
  marked_unpaid: "toldUnmarked",
  expired: "toldExpired",
  corrected: "toldCorrected",
  refund_requested: "toldRefundBegun",
  refund_approved: "toldRefundApproved",
  refund_sent: "toldRefundSent",
  refunded: "toldRefunded",
  refund_failed: "toldRefundFailed",
  refund_cancelled: "toldRefundCancelled",
} as const satisfies Record<Exclude<AnnouncedType, "credited">, TextKey>;

/** The data of an event, as programs get it. */
type Data = Readonly<Record<string, unknown>>;

/** The amount in USDC that an event is about, as it is written; empty if it is about none. */
export function toldAmount(data: Data, { figure }: Pick<Locale, "figure">): string {
  const { amount: refunded } = (data["refund"] ?? {}) as { amount?: string };
  const amount = data["amount"] ?? refunded ?? data["received_amount"];
  return amount === undefined ? "" : figure(String(amount));
}

/** The number of a credit note, and its sum as it is written. */
export function toldCredit(data: Data, { money }: Pick<Locale, "money">) {
  const note = data["credit_note"] as Record<"credit_note_number" | "total_amount" | "currency", unknown>;
  return {
    number: String(note.credit_note_number),
    amount: money(String(note.total_amount), String(note.currency)),
  };
}
