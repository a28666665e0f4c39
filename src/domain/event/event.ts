import { hmacSha256, idFrom } from "../../lib/crypto.ts";
import * as Outcome from "../payment/outcome.ts";
import type { Closure, Kind } from "../receivable/common.ts";
import * as Usdc from "../usdc.ts";

/** Events of an invoice or a link that others are told of, without the prefix that says which of the two it is. */
export const announcedTypes = [
  "partially_paid",
  "paid",
  "overpaid",
  /** Confirmed money disappeared from the chain. */
  "payment_reversed",
  /** Money arrived for something void or marked as paid. */
  "unexpected_payment",
  "voided",
  "marked_paid",
  "marked_unpaid",
  /** Something other than the amounts was changed. */
  "corrected",
  /** A credit note was issued for it. */
  "credited",
  /** It expired without being fully paid. */
  "expired",
  /** The progress of a refund; `refund_failed`: it was on its way and no longer is. */
  "refund_requested",
  "refund_approved",
  "refund_sent",
  "refunded",
  "refund_failed",
  "refund_cancelled",
] as const;

/** Further events for the merchant's own timeline only. */
export const quietTypes = ["sent", "opened", "reminded", "commented", "quoted"] as const;

const types = [...announcedTypes, ...quietTypes] as const;
export type AnnouncedType = (typeof announcedTypes)[number];
export type Type = (typeof types)[number];

export type FullType = `${Kind}.${Type}`;

/** Combinations that never happen: credits and corrections are for invoices, expiry is for links. */
const never: readonly FullType[] = ["link.credited", "link.corrected", "invoice.expired"];

/** Full names of some types, invoices first. */
export const fullTypesOf = (types: readonly Type[]): readonly FullType[] =>
  (["invoice", "link"] as const)
    .flatMap((kind) => types.map((type): FullType => `${kind}.${type}`))
    .filter((type) => !never.includes(type));

export const fullTypes: readonly FullType[] = fullTypesOf(types);

/** Returns whether receivers of standard webhooks are told of it. */
export function isAnnounced(type: Type): type is AnnouncedType {
  return (announcedTypes as readonly string[]).includes(type);
}

/** An invoice or a link after its money changed. */
export type MoneyFacts = Outcome.Amounts & Pick<Closure, "voidedAt" | "markedPaidAt">;

/** When it stopped being owed; null while it is owed. */
export function closedAt({
  voidedAt,
  markedPaidAt,
}: Pick<Closure, "voidedAt" | "markedPaidAt">): number | null {
  return voidedAt ?? markedPaidAt;
}

/** Receivers see whole cents: less than a cent is never reported. */
const cents = (amount: Usdc.Usdc) => amount / Usdc.microPerCent;

/**
 * Returns the event that a change of confirmed money from `before` causes: null while it compares with the amount as it
 * did, so that many small payments do not cause many events. The first money after it was void or marked as paid always
 * causes one, unless there was one already (`isTold`).
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

/** The data of a money event. */
export function moneyData({ status, received }: { status: string; received: Usdc.Usdc }) {
  return { status, received_amount: Usdc.formatExact(received) };
}

/**
 * The id of an event of the deposit with this salt. It stays the same when a payment is credited again, as after a
 * backup is restored, so that receivers recognise it. `occasion` distinguishes events of one type.
 */
export function id(salt: string, type: Type, occasion: string): string {
  return idFrom("evt", hmacSha256(salt, `${type} ${occasion}`));
}
