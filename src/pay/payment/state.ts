import type { Counting } from "../../domain/payment/block.ts";
import type { TextKey } from "../../language/locale.ts";
import { microOf } from "../../pages/text.ts";
import type { PaymentProps } from "./props.ts";

/**
 * The most important thing for the payer: first that nothing is owed or something is wrong, then that all is paid, then
 * what is on its way, then what has arrived. A link that has expired, or whose price has, says only that instead of
 * asking for more.
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

/** True if everything on its way was signed, and is not yet a transfer that could be counted. */
export const isOnlySigned = ({ pending, signed }: PaymentProps) => pending === null && signed !== null;

/** True if it is fully paid, or was in another way. */
export const isPaid = (phase: Phase) => phase === "paid" || phase === "excess" || phase === "marked";

/** True if the merchant closed it: marked it as paid, or voided it. */
export function isClosed(phase: Phase): phase is "marked" | "void" {
  return phase === "marked" || phase === "void";
}

/** True if the money on its way covers all that is still asked for. False if unsure. */
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

/** The state in two words, for the pill and the tab's title. */
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

/** Sentences for states in which nobody owes anything any more; invoices and links have their own. */
const closedSentences = {
  invoice: { void: "nothingOwed", marked: "markedOfInvoice", unexpected: "unexpectedOfInvoice" },
  link: { void: "nothingOwed", marked: "markedOfLink", unexpected: "unexpectedOfLink" },
} as const satisfies Record<string, Record<"void" | "marked" | "unexpected", TextKey>>;

/** Returns the state for a screen reader, without the countdown, which it would read out again and again. */
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

/** Returns when everything on its way counts: with its newest transfer. Null if nothing is on its way. */
export function countingOf({ transfers }: Pick<PaymentProps, "transfers">): Counting | null {
  const waiting = transfers.filter(({ confirmed }) => !confirmed).map(({ counts }) => counts);
  return waiting.toSorted((a, b) => (b.inMs ?? 0) - (a.inMs ?? 0))[0] ?? null;
}

/** Returns the percentage that has arrived, rounded down: only the full sum is 100. */
export function percentOf(part: string, whole: string): number {
  const partMicro = microOf(part) ?? 0n;
  const wholeMicro = microOf(whole) ?? 0n;
  if (wholeMicro === 0n) return 0;
  const percent = (partMicro * 100n) / wholeMicro;
  return Number(percent > 100n ? 100n : percent);
}
