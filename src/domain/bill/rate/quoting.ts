import type { Deposit } from "../../payment/deposit.ts";
import * as Outcome from "../../payment/outcome.ts";
import type { Closure } from "../../receivable/common.ts";
import * as Usdc from "../../usdc.ts";
import type * as Currency from "../currency.ts";

/** Quoting again: recomputes the USDC amount of an invoice or a link in a currency at today's rate. */

/** Why it cannot be quoted again. */
export type QuoteRefusal = "usdc" | "void" | "settled" | "due" | "paying" | "credited" | "unread";

/** An invoice or a link. */
export type QuoteFacts = Pick<Closure, "voidedAt" | "markedPaidAt"> & {
  currency: Currency.InvoiceCurrency | null;
  /** The total in USDC, before credit notes. */
  total: Usdc.Usdc;
  deposit: Deposit;
};

/**
 * Returns why it cannot be quoted again; null when it can: its price no longer holds (`isOver`; for an invoice, when it
 * is overdue), and nothing was paid or is being paid (`isPaying`: a transfer of a cent or more was seen or left the
 * chain, or a signed payment is on its way). A payer can hold the merchant to the amount they were asked for.
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
