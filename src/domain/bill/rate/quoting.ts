import type { Deposit } from "../../payment/deposit.ts";
import * as Invoice from "../invoice.ts";

/** An invoice in a currency can be quoted again: what is to be paid of it is computed anew, at a rate of today. */

/** Why it is not quoted again. */
export type QuoteRefusal = "usdc" | "void" | "settled" | "due" | "paying" | "credited" | "unread";

type QuoteFacts = Pick<
  Invoice.Invoice,
  "currency" | "status" | "dueDate" | "total" | "voidedAt" | "markedPaidAt"
> & { deposit: Deposit };

/**
 * Null when it can be quoted again: it is overdue, and nothing of it was paid or is being paid (`isPaying`: a transfer was
 * seen or left the chain, or a signed payment is on its way). Who pays holds the merchant to what was asked for then.
 */
export function refusal(
  facts: QuoteFacts,
  { today, isPaying }: { today: string; isPaying: boolean },
): QuoteRefusal | null {
  const { deposit, total } = facts;
  if (facts.currency === null) return "usdc";
  if (facts.voidedAt !== null) return "void";
  if (facts.markedPaidAt !== null || Invoice.isPaid(facts.status)) return "settled";
  if (isPaying || deposit.received > 0n || deposit.pending > 0n) return "paying";
  if (deposit.expected !== total) return "credited";
  return Invoice.isOverdue(facts, today) ? null : "due";
}
