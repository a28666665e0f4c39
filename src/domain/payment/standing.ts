import type { Closure } from "../receivable/common.ts";
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
  /** What the merchant was paid beyond `net`, owes the customer, and has not given back; none below a cent. */
  toReturn: Usdc.Usdc;
  /** What of that was credited after it was paid. */
  paidCredit: Usdc.Usdc;
  /** What refunds have given back. */
  refunded: Usdc.Usdc;
  /** What of `toReturn` no refund is under way for. */
  toRefund: Usdc.Usdc;
  /** What more can be given back in USDC, whoever it is owed to: all that came and has not gone back, nor is to. */
  refundable: Usdc.Usdc;
  /** Whether it counts as paid by the merchant's word: money alone has not paid all of it. */
  isMarked: boolean;
};

export type StandingFacts = Pick<Closure, "voidedAt" | "markedPaidAt"> & {
  deposit: Outcome.Amounts & Pick<Deposit, "net" | "elsewhere" | "refunded" | "refunding">;
};

export function of({ deposit, voidedAt, markedPaidAt }: StandingFacts): Standing {
  const { received, elsewhere, refunded, refunding } = deposit;
  const isMarked = voidedAt === null && markedPaidAt !== null && !Outcome.isAll(deposit);
  const net = voidedAt === null ? deposit.net : Usdc.zero;
  // What was paid elsewhere was all that was due: what comes as well, or is credited since, is one too many.
  const owed = Usdc.remaining(Usdc.sum([received, elsewhere]), net);
  const toReturn = Usdc.shown(Usdc.remaining(owed, refunded));
  const toRefund = Usdc.shown(Usdc.remaining(toReturn, refunding));
  const credited = voidedAt === null ? Usdc.remaining(deposit.expected, net) : Usdc.zero;
  return {
    net,
    received,
    due: voidedAt === null && markedPaidAt === null ? Outcome.remaining(deposit) : Usdc.zero,
    toReturn,
    paidCredit: Usdc.least(isMarked ? elsewhere : credited, toReturn),
    refunded,
    toRefund,
    refundable: Usdc.remaining(received, Usdc.sum([refunded, refunding])),
    isMarked,
  };
}
