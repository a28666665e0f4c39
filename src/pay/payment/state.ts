import type { Counting } from "../../domain/payment/block.ts";
import type { TextKey } from "../../language/locale.ts";
import { microOf } from "../../pages/text.ts";
import type { PaymentProps } from "./props.ts";

/**
 * What the payer has to know first: that nothing is owed or something is wrong, then that all is done, then what is on
 * its way, then what has arrived. Of a link whose time or whose price is over only that, in place of what is still asked for.
 */
export type Phase =
  | "open"
  | "pending"
  | "partial"
  | "paid"
  | "excess"
  | "error"
  | "expired"
  | "unpriced"
  | "marked"
  | "void";

export function phaseOf(props: PaymentProps): Phase {
  const { status, isMarked, pending, signed, expired, price } = props;
  if (status === "void") return status;
  if (isMarked) return "marked";
  if (status === "paid" || status === "excess" || status === "error") return status;
  if (pending !== null || signed !== null) return "pending";
  if (expired) return "expired";
  if (price?.isOver) return "unpriced";
  return status === "partial" ? "partial" : "open";
}

/** Whether all that is on its way was signed, and is no transfer yet that could be counted. */
export const isOnlySigned = ({ pending, signed }: PaymentProps) => pending === null && signed !== null;

/** Whether all is paid, or was in another way. */
export const isPaid = (phase: Phase) => phase === "paid" || phase === "excess" || phase === "marked";

/** Whether anybody is to pay still. */
export function isClosed(phase: Phase): phase is "marked" | "void" {
  return phase === "marked" || phase === "void";
}

/** Whether the money on its way is all that is still asked for. Unsure means no. */
export function pendingCovers({ pending, leastMicro }: PaymentProps): boolean {
  const onItsWay = pending === null ? null : microOf(pending);
  return onItsWay !== null && onItsWay >= BigInt(leastMicro);
}

const labels = {
  paid: "paid",
  excess: "paidInExcess",
  error: "paymentProblem",
  marked: "paid",
  void: "void",
  pending: "paymentSeen",
  partial: "partlyPaid",
  open: "awaitingPayment",
  expired: "expired",
  unpriced: "rateExpired",
} as const satisfies Record<Phase, TextKey>;

/** The state in two words, for the pill and the title of the tab. */
export function stateLabel(props: PaymentProps): string {
  const { locale, overdue, dueDate } = props;
  const phase = phaseOf(props);
  if (phase === "void" && dueDate === null) return locale.say("voidPayment");
  if (phase === "pending" && isOnlySigned(props)) return locale.say("paymentSigned");
  return locale.say(phase === "open" && overdue ? "overdue" : labels[phase]);
}

const sentences = {
  paid: "sayPaid",
  excess: "sayExcess",
  error: "sayError",
  pending: "sayPending",
  partial: "sayPartial",
  open: "sayOpen",
  expired: "sayExpired",
  unpriced: "sayRateExpired",
} as const satisfies Record<Exclude<Phase, "marked" | "void">, TextKey>;

/** What there is to say of what nobody owes any more; an invoice and a link each have their own words. */
const closedSentences = {
  invoice: { void: "nothingOwed", marked: "markedOfInvoice", unexpected: "unexpectedOfInvoice" },
  link: { void: "nothingOwed", marked: "markedOfLink", unexpected: "unexpectedOfLink" },
} as const satisfies Record<string, Record<"void" | "marked" | "unexpected", TextKey>>;

/** The state for a screen reader, without when it counts, of which it would speak again and again. */
export function stateSentence(props: PaymentProps): string {
  const { locale, owedBack } = props;
  const phase = phaseOf(props);
  if (props.isEven && (isPaid(phase) || isClosed(phase)))
    return locale.say("refundedSum", { amount: locale.figure(props.refunded ?? "") });
  if (owedBack !== null && isPaid(phase)) return owedBack;
  if (isClosed(phase))
    return locale.say(
      closedSentences[props.dueDate === null ? "link" : "invoice"][props.isUnexpected ? "unexpected" : phase],
    );
  if (phase === "pending" && props.signed !== null && props.pending === null)
    return locale.say("saySigned", { amount: locale.figure(props.signed.amount) });
  return locale.say(sentences[phase], {
    total: locale.figure(props.total),
    received: locale.figure(props.received),
    remaining: locale.figure(props.remaining),
    excess: locale.figure(props.excess),
    pending: locale.figure(props.pending ?? ""),
  });
}

/** When all that is on its way counts: as its newest transfer does. Null when nothing is. */
export function countingOf({ transfers }: Pick<PaymentProps, "transfers">): Counting | null {
  const waiting = transfers.filter(({ confirmed }) => !confirmed).map(({ counts }) => counts);
  return waiting.toSorted((a, b) => (b.inMs ?? 0) - (a.inMs ?? 0))[0] ?? null;
}

/** How far a sum has come, in whole percent, rounded down: only all of it is 100. */
export function percentOf(part: string, whole: string): number {
  const partMicro = microOf(part) ?? 0n;
  const wholeMicro = microOf(whole) ?? 0n;
  if (wholeMicro === 0n) return 0;
  const percent = (partMicro * 100n) / wholeMicro;
  return Number(percent > 100n ? 100n : percent);
}
