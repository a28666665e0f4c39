import type { Status } from "./link.ts";

/** The status of a payment link in the words of BTCPay's Greenfield API, which plugins of shops read. */
export type ShopStatus = {
  status: "New" | "Processing" | "Expired" | "Invalid" | "Settled";
  additionalStatus: "None" | "PaidLate" | "PaidPartial" | "Marked" | "PaidOver";
};

/** Times are Unix milliseconds. */
type Facts = {
  status: Status;
  /** Since when it counts as paid in another way. */
  markedPaidAt: number | null;
  /** When all of it was paid, as far as any block shows, confirmed or not; null when it was not. */
  completedAt: number | null;
  /** Whether some of it was, confirmed or not. */
  hasMoney: boolean;
  expiresAt: number | null;
  now: number;
};

/**
 * Plugins complete an order when it is `Settled`, and take `PaidLate` for paid: neither is said before the money is
 * confirmed. Money that came too late is never `Settled`: the shop may have given the goods to somebody else.
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

/** Whether a plugin's order of a link with this status is paid. */
export const isSettled = (status: string): boolean => status === "confirmed" || status === "excess";

/** Whether all of it was there only once its time was over. */
export const isPaidLate = ({ completedAt, expiresAt }: Pick<Facts, "completedAt" | "expiresAt">): boolean =>
  completedAt !== null && expiresAt !== null && completedAt >= expiresAt;
