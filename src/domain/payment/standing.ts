import type { Closure } from "../bill/invoice.ts";
import * as Usdc from "../usdc.ts";
import type { Deposit } from "./deposit.ts";
import * as Outcome from "./outcome.ts";

/** How the two parties of an invoice or a link stand, in USDC: all that anybody is told of it is said from this. */
export type Standing = {
  /** What is to be paid in all: as issued, less credit notes; nothing once it is void. */
  net: Usdc.Usdc;
  /** Confirmed. */
  received: Usdc.Usdc;
  /** What is left to pay; zero when what has arrived counts as all of it, or nobody owes it any more. */
  due: Usdc.Usdc;
  /** What the merchant was paid beyond `net` and owes the customer: overpaid, or credited after it was paid. */
  toReturn: Usdc.Usdc;
  /** What of that was credited after it was paid. */
  paidCredit: Usdc.Usdc;
  /** Whether it counts as paid by the merchant's word: money alone has not paid all of it. */
  isMarked: boolean;
};

export type StandingFacts = Pick<Closure, "voidedAt" | "markedPaidAt"> & {
  deposit: Outcome.Amounts & Pick<Deposit, "net" | "creditedMarked">;
};

export function of({ deposit, voidedAt, markedPaidAt }: StandingFacts): Standing {
  const { received } = deposit;
  const isMarked = voidedAt === null && markedPaidAt !== null && !Outcome.isAll(deposit);
  const net = voidedAt === null ? deposit.net : Usdc.zero;
  const ofMoney = voidedAt === null ? Usdc.remaining(deposit.expected, net) : Usdc.zero;
  // What was paid elsewhere was all that was due, and a credit since then returns as much of it as it takes off.
  const paidCredit = isMarked ? deposit.creditedMarked : ofMoney;
  return {
    net,
    received,
    due: voidedAt === null && markedPaidAt === null ? Outcome.remaining(deposit) : Usdc.zero,
    toReturn: isMarked ? paidCredit : Usdc.remaining(received, net),
    paidCredit,
    isMarked,
  };
}
