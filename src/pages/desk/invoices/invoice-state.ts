import type { Status } from "../../../domain/bill/invoice.ts";
import * as Invoice from "../../../domain/bill/invoice.ts";
import type { Usdc } from "../../../domain/usdc.ts";
import type { TextKey } from "../../../language/locale.ts";
import type { StateName } from "../parts/state.tsx";

/** How an invoice stands, as a merchant says it. What is on its way is not late: there is nothing to do. */
export function stateOf(
  invoice: { status: Status; dueDate: string; deposit: { pending: Usdc }; sentAt: number | null },
  today: string,
): StateName {
  const { status, deposit } = invoice;
  if (status === "void" || status === "paid" || status === "excess") return status;
  if (deposit.pending > 0n) return "seen";
  if (Invoice.isOverdue(invoice, today)) return "late";
  if (status === "partial") return "partial";
  return invoice.sentAt === null ? "draft" : "open";
}

export const stateTexts = {
  draft: "stateNotSent",
  open: "stateOpen",
  seen: "underWay",
  partial: "partlyPaid",
  late: "overdue",
  paid: "paidInvoice",
  excess: "paidInExcess",
  void: "void",
} as const satisfies Record<StateName, TextKey>;
