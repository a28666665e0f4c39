import type { PaymentProps, PaymentTransfer } from "./payment-props.ts";
import { microOf } from "./text.ts";

/**
 * What the payer has to know first: that something is wrong, then that all is done, then what is on its way, then what
 * has arrived.
 */
export type Phase = "open" | "pending" | "partial" | "paid" | "excess" | "error";

export function phaseOf({ status, pending }: PaymentProps): Phase {
  if (status === "paid" || status === "excess" || status === "error") return status;
  if (pending !== null) return "pending";
  return status === "partial" ? "partial" : "open";
}

/** Whether the money on its way is all that is still asked for. Unsure means no. */
export function pendingCovers({ pending, remaining }: PaymentProps): boolean {
  const onItsWay = pending === null ? null : microOf(pending);
  const asked = microOf(remaining);
  return onItsWay !== null && asked !== null && onItsWay >= asked;
}

/** The state in two words, for the pill and the title of the tab. */
export function stateWord(props: PaymentProps): string {
  switch (phaseOf(props)) {
    case "paid":
      return "Paid";
    case "excess":
      return "Paid in excess";
    case "error":
      return "Payment problem";
    case "pending":
      return "Payment seen";
    case "partial":
      return "Partly paid";
    case "open":
      return props.overdue ? "Overdue" : "Awaiting payment";
  }
}

/**
 * The state in a sentence, for a screen reader when it changes. Without the count of confirmations, which would
 * speak every two seconds.
 */
export function stateSentence(props: PaymentProps): string {
  const { total, received, remaining, excess, pending } = props;
  switch (phaseOf(props)) {
    case "paid":
      return `Paid. ${received} USDC has been received.`;
    case "excess":
      return `Paid. ${received} USDC has been received, ${excess} USDC more than asked.`;
    case "error":
      return "Something went wrong with this payment on the network. Do not pay again.";
    case "pending":
      return `A payment of ${pending ?? ""} USDC has been seen and is being confirmed.`;
    case "partial":
      return `${received} of ${total} USDC has been received. ${remaining} USDC is still to pay.`;
    case "open":
      return `Awaiting payment of ${remaining} USDC.`;
  }
}

/** "1 of 5 confirmations". When the chain says itself what is final, there is nothing to count. */
export function confirmationCount({ confirmations, confirmationsNeeded: needed }: PaymentTransfer): string {
  if (needed === null) return "Not final yet";
  return `${Math.min(confirmations, needed)} of ${needed} ${needed === 1 ? "confirmation" : "confirmations"}`;
}

/** How far a sum has come, in whole percent, rounded down: only all of it is 100. */
export function percentOf(part: string, whole: string): number {
  const partMicro = microOf(part) ?? 0n;
  const wholeMicro = microOf(whole) ?? 0n;
  if (wholeMicro === 0n) return 0;
  const percent = (partMicro * 100n) / wholeMicro;
  return Number(percent > 100n ? 100n : percent);
}
