import type { Closure } from "../receivable/common.ts";
import * as Usdc from "../usdc.ts";
import type { Deposit } from "./deposit.ts";
import * as Outcome from "./outcome.ts";

/** The balance between the parties of an invoice or a link, in USDC. All that anybody is told of it follows from it. */
export type Standing = {
  /** The total to pay: as issued, less credit notes; zero once void. */
  net: Usdc.Usdc;
  /** Confirmed. */
  received: Usdc.Usdc;
  /** The amount left to pay; zero when what arrived counts as full payment, or nothing is owed any more. */
  due: Usdc.Usdc;
  /** The excess over `net` that the merchant owes the customer and has not given back; zero below a cent. */
  toReturn: Usdc.Usdc;
  /** The part of that credited after it was paid. */
  paidCredit: Usdc.Usdc;
  /** The sum given back by refunds. */
  refunded: Usdc.Usdc;
  /** The part of `toReturn` that no refund under way covers. */
  toRefund: Usdc.Usdc;
  /**
   * The maximum that can still be given back in USDC, whoever it is owed to: what arrived and neither went back nor is
   * about to, on the chain and in all.
   */
  refundable: Usdc.Usdc;
  /** Whether it counts as paid only because the merchant marked it: money alone has not paid it in full. */
  isMarked: boolean;
};

export type StandingFacts = Pick<Closure, "voidedAt" | "markedPaidAt"> & {
  deposit: Outcome.Amounts &
    Pick<Deposit, "net" | "elsewhere" | "refunded" | "refunding" | "refundedElsewhere">;
};

export function of({ deposit, voidedAt, markedPaidAt }: StandingFacts): Standing {
  const { received, elsewhere, refunded, refunding, refundedElsewhere } = deposit;
  const isMarked = voidedAt === null && markedPaidAt !== null && !Outcome.isAll(deposit);
  const net = voidedAt === null ? deposit.net : Usdc.zero;
  // The amount paid elsewhere was everything due, so further money or later credit notes are in excess.
  const owed = Usdc.remaining(Usdc.sum([received, elsewhere]), net);
  const toReturn = Usdc.shown(Usdc.remaining(owed, refunded));
  const toRefund = Usdc.shown(Usdc.remaining(toReturn, refunding));
  const given = Usdc.sum([refunded, refunding]);
  const credited = voidedAt === null ? Usdc.remaining(deposit.expected, net) : Usdc.zero;
  return {
    net,
    received,
    due: voidedAt === null && markedPaidAt === null ? Outcome.remaining(deposit) : Usdc.zero,
    toReturn,
    paidCredit: Usdc.least(isMarked ? elsewhere : credited, toReturn),
    refunded,
    toRefund,
    // What went back outside of Till was first of what was paid there.
    refundable: Usdc.remaining(Usdc.sum([received, Usdc.least(elsewhere, refundedElsewhere)]), given),
    isMarked,
  };
}
