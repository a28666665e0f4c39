import type { Deposit } from "../../payment/deposit.ts";
import * as Outcome from "../../payment/outcome.ts";
import type { Closure } from "../../receivable/common.ts";
import * as Usdc from "../../usdc.ts";
import type * as Currency from "../currency.ts";

/** What is in a currency can be quoted again: what is to be paid of it is computed anew, at a rate of today. */

/** Why it is not quoted again. */
export type QuoteRefusal = "usdc" | "void" | "settled" | "due" | "paying" | "credited" | "unread";

/** An invoice or a link. */
export type QuoteFacts = Pick<Closure, "voidedAt" | "markedPaidAt"> & {
  currency: Currency.InvoiceCurrency | null;
  /** What is to be paid of it in USDC, without credit notes. */
  total: Usdc.Usdc;
  deposit: Deposit;
};

/**
 * Null when it can be quoted again: its price holds no longer (`isOver`: an invoice is overdue), and nothing of it was paid
 * or is being paid (`isPaying`: a transfer of a cent or more was seen or left the chain, or a signed payment is on its way). Who pays holds
 * the merchant to what was asked for then.
 */
export function refusal(
  facts: QuoteFacts,
  { isOver, isPaying }: { isOver: boolean; isPaying: boolean },
): QuoteRefusal | null {
  const { deposit, total } = facts;
  if (facts.currency === null) return "usdc";
  if (facts.voidedAt !== null) return "void";
  if (facts.markedPaidAt !== null || Outcome.isAll(deposit)) return "settled";
  if (isPaying || Usdc.shows(Usdc.sum([deposit.received, deposit.pending]))) return "paying";
  if (deposit.expected !== total) return "credited";
  return isOver ? null : "due";
}
