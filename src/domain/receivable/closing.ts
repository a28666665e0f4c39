import * as Outcome from "../payment/outcome.ts";
import * as Usdc from "../usdc.ts";
import type { Closure } from "./common.ts";

export const marks = ["paid", "unpaid"] as const;

/** What a merchant says of an invoice or a link: that nobody owes it, or whether it was paid in another way. */
export type Closing =
  | { kind: "void"; reason: string }
  | { kind: "mark"; as: (typeof marks)[number]; note: string | null };

/**
 * Why it cannot be said: `received` and `paid` are of money, `unchanged` of a mark that is so already, `credited` of
 * credit notes that left nothing to pay, `refunded` of what went back as it was marked, `closed` and `closed_mark` of books.
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

/** What confirmed money and the merchant have made of it so far. */
export type ClosingFacts = Outcome.Amounts & Closure;

/**
 * Null when it can be said. What has confirmed money or a mark is never voided, and what is void stays so: voiding it
 * once more changes nothing. A mark can be taken back as long as that leaves something to pay, and nothing was given back, or
 * is to be: `given`.
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

/** What is so from `now` on (Unix milliseconds). */
export function applied(closing: Closing, closed: Closure, now: number): Closure {
  if (closing.kind === "mark") return { ...closed, markedPaidAt: closing.as === "paid" ? now : null };
  return { ...closed, voidedAt: now, voidReason: closing.reason };
}

/** Whether credit notes took all of it off and no money is there: nobody owes it, and nobody has paid it. */
export function isCreditedWhole({ expected, received, voidedAt, markedPaidAt }: ClosingFacts): boolean {
  return !Usdc.shows(expected) && !Usdc.shows(received) && voidedAt === null && markedPaidAt === null;
}

/** Whether money has paid all of it, and not only the merchant's word: then the payer is owed a receipt. */
export function isPaidByMoney({ voidedAt, markedPaidAt, ...facts }: ClosingFacts): boolean {
  return voidedAt === null && markedPaidAt === null && Outcome.isAll(facts);
}

/** The name of the event that tells of it. */
export function eventOf(closing: Closing): "voided" | "marked_paid" | "marked_unpaid" {
  if (closing.kind === "void") return "voided";
  return closing.as === "paid" ? "marked_paid" : "marked_unpaid";
}
