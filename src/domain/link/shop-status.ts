import type { Status } from "./link.ts";

/** The status of a payment link in the terms of BTCPay's Greenfield API, which shop plugins read. */
export type ShopStatus = {
  status: "New" | "Processing" | "Expired" | "Invalid" | "Settled";
  additionalStatus: "None" | "PaidLate" | "PaidPartial" | "Marked" | "PaidOver";
};

/** Times are Unix milliseconds. */
type Facts = {
  status: Status;
  /** When it was marked as paid in another way; null if it was not. */
  markedPaidAt: number | null;
  /** When it was fully paid by transfers in any block, confirmed or not; null if it was not. */
  completedAt: number | null;
  /** Whether any money arrived, confirmed or not. */
  hasMoney: boolean;
  expiresAt: number | null;
  now: number;
};

/**
 * Plugins complete an order when it is `Settled` and treat `PaidLate` as paid, so neither is reported before the money
 * is confirmed. Late money never makes it `Settled`: the shop may have sold the goods to somebody else.
 */
export function shopStatus(facts: Facts): ShopStatus {
  const { status, completedAt, expiresAt, hasMoney } = facts;
  const isLate = isPaidLate(facts);
  const isOver = expiresAt !== null && facts.now >= expiresAt;
  const some = hasMoney ? "PaidPartial" : "None";
  if (status === "void") return { status: "Invalid", additionalStatus: "Marked" };
  if (status === "error") return { status: "Invalid", additionalStatus: "None" };
  if (isSettled(status)) {
    if (facts.markedPaidAt !== null) return { status: "Settled", additionalStatus: "Marked" };
    if (isLate) return { status: "Expired", additionalStatus: "PaidLate" };
    return { status: "Settled", additionalStatus: status === "excess" ? "PaidOver" : "None" };
  }
  if (completedAt !== null && !isLate) return { status: "Processing", additionalStatus: "None" };
  return { status: isOver ? "Expired" : "New", additionalStatus: some };
}

/** Returns whether a plugin's order counts as paid when its link has this status. */
export const isSettled = (status: string): boolean => status === "confirmed" || status === "excess";

/** Returns whether it was fully paid only after it expired. */
export const isPaidLate = ({ completedAt, expiresAt }: Pick<Facts, "completedAt" | "expiresAt">): boolean =>
  completedAt !== null && expiresAt !== null && completedAt >= expiresAt;
