import * as Outcome from "../payment/outcome.ts";
import * as Usdc from "../usdc.ts";
import type { Closure } from "./common.ts";

export const marks = ["paid", "unpaid"] as const;

/** A merchant's statement about an invoice or a link: that nobody owes it, or whether it was paid in another way. */
export type Closing =
  | { kind: "void"; reason: string }
  | { kind: "mark"; as: (typeof marks)[number]; note: string | null };

/**
 * Why it is refused. `received`, `paid`: because of money; `unchanged`: the mark is already set so; `credited`: credit
 * notes left nothing to pay; `refunded`: something was refunded while it was marked; `closed`, `closed_mark`: the books
 * are closed.
 */
export type ClosingRefusal =
  | "received"
  | "marked"
  | "void"
  | "paid"
  | "unchanged"
  | "credited"
  | "refunded"
  | "closed"
  | "closed_mark";

/** The current state by confirmed money and the merchant's statements. */
export type ClosingFacts = Outcome.Amounts & Closure;

/**
 * Returns null if the statement is allowed. Anything with confirmed money or a mark cannot be voided; a void one stays
 * void, and voiding it again changes nothing. A mark can be removed if that leaves something to pay, and nothing was or
 * is being given back (`given`).
 */
export function refusal(closing: Closing, facts: ClosingFacts & { given: bigint }): ClosingRefusal | null {
  const isMarked = facts.markedPaidAt !== null;
  if (closing.kind === "void") {
    if (facts.voidedAt !== null) return null;
    if (isMarked) return "marked";
    return Usdc.shows(facts.received) ? "received" : null;
  }
  if (facts.voidedAt !== null) return "void";
  if (isMarked === (closing.as === "paid")) return "unchanged";
  if (closing.as === "unpaid") {
    if (facts.expected === 0n) return "credited";
    return facts.given > 0n ? "refunded" : null;
  }
  return Outcome.isAll(facts) ? "paid" : null;
}

/** Returns the state from `now` on, in Unix milliseconds. */
export function applied(closing: Closing, closed: Closure, now: number): Closure {
  if (closing.kind === "mark") return { ...closed, markedPaidAt: closing.as === "paid" ? now : null };
  return { ...closed, voidedAt: now, voidReason: closing.reason };
}

/** Returns whether credit notes took off everything and no money is there: it is neither owed nor paid. */
export function isCreditedWhole({ expected, received, voidedAt, markedPaidAt }: ClosingFacts): boolean {
  return !Usdc.shows(expected) && !Usdc.shows(received) && voidedAt === null && markedPaidAt === null;
}

/** Returns whether money alone has paid it in full, without a mark, so that the payer is owed a receipt. */
export function isPaidByMoney({ voidedAt, markedPaidAt, ...facts }: ClosingFacts): boolean {
  return voidedAt === null && markedPaidAt === null && Outcome.isAll(facts);
}

/** The type of the event that reports it. */
export function eventOf(closing: Closing): "voided" | "marked_paid" | "marked_unpaid" {
  if (closing.kind === "void") return "voided";
  return closing.as === "paid" ? "marked_paid" : "marked_unpaid";
}
