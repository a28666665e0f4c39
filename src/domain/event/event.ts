import { hmacSha256, idFrom } from "../../lib/crypto.ts";
import * as Outcome from "../payment/outcome.ts";
import type { Closure, Kind } from "../receivable/common.ts";
import * as Usdc from "../usdc.ts";

/** What can happen to an invoice or a link that others are told of, without which of the two it is. */
export const announcedTypes = [
  "partially_paid",
  "paid",
  "overpaid",
  /** Confirmed money left the chain. */
  "payment_reversed",
  /** Money came to what is void or marked as paid. */
  "unexpected_payment",
  "voided",
  "marked_paid",
  "marked_unpaid",
  /** What is not the bill itself is different from now on. */
  "corrected",
  /** A credit note was made of it. */
  "credited",
  /** Its time is over, and not all of it is paid. */
  "expired",
  /** What becomes of a refund; `refund_failed`: it was on its way, and is not any more. */
  "refund_requested",
  "refund_approved",
  "refund_sent",
  "refunded",
  "refund_failed",
  "refund_cancelled",
] as const;

/** What only the merchant's own timeline has besides. */
export const quietTypes = ["sent", "opened", "reminded", "commented", "quoted"] as const;

const types = [...announcedTypes, ...quietTypes] as const;
export type AnnouncedType = (typeof announcedTypes)[number];
export type Type = (typeof types)[number];

export type FullType = `${Kind}.${Type}`;

/** What happens to invoices alone, and to links alone. */
const never: readonly FullType[] = ["link.credited", "link.corrected", "invoice.expired"];

/** Those of some types, of invoices first. */
export const fullTypesOf = (types: readonly Type[]): readonly FullType[] =>
  (["invoice", "link"] as const)
    .flatMap((kind) => types.map((type): FullType => `${kind}.${type}`))
    .filter((type) => !never.includes(type));

export const fullTypes: readonly FullType[] = fullTypesOf(types);

/** Whether receivers of webhooks in the standard form are told of it. */
export function isAnnounced(type: Type): type is AnnouncedType {
  return (announcedTypes as readonly string[]).includes(type);
}

/** An invoice or a link after money came or went. */
export type MoneyFacts = Outcome.Amounts & Pick<Closure, "voidedAt" | "markedPaidAt">;

/** Since when nobody owes it any more; null as long as somebody does. */
export function closedAt({
  voidedAt,
  markedPaidAt,
}: Pick<Closure, "voidedAt" | "markedPaidAt">): number | null {
  return voidedAt ?? markedPaidAt;
}

/** What a receiver sees of it: nobody is told of less than a cent. */
const cents = (amount: Usdc.Usdc) => amount / Usdc.microPerCent;

/**
 * What confirmed money has made of an invoice or a link that had received `before`: null when it compares with the
 * amount as it did. So nobody can cause many events by many small payments. The first money since it was void or marked
 * as paid is always one, unless there was (`isTold`).
 */
export function ofMoney(before: Usdc.Usdc, after: MoneyFacts, isTold: boolean): AnnouncedType | null {
  const outcome = Outcome.compare(after);
  const isClosed = closedAt(after) !== null;
  if (outcome === Outcome.compare({ ...after, received: before }))
    return isClosed && !isTold && cents(after.received) > cents(before) ? "unexpected_payment" : null;
  if (after.received < before) return "payment_reversed";
  if (isClosed) return "unexpected_payment";
  if (outcome === "excess") return "overpaid";
  return outcome === "full" ? "paid" : "partially_paid";
}

/** What an event of money says for a program. */
export function moneyData({ status, received }: { status: string; received: Usdc.Usdc }) {
  return { status, received_amount: Usdc.formatExact(received) };
}

/**
 * The id of an event of a deposit with this salt. It is the same when a payment is credited once more, as after a backup
 * was restored, so that receivers know it again. `occasion` tells it from others of its type.
 */
export function id(salt: string, type: Type, occasion: string): string {
  return idFrom("evt", hmacSha256(salt, `${type} ${occasion}`));
}
