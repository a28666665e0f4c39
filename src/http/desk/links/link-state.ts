import { isExpired, type Link } from "../../../domain/link/link.ts";
import type { ReusableLink } from "../../../domain/link/reusable-link.ts";
import * as Reusable from "../../../domain/link/reusable-link.ts";
import type { Locale } from "../../../language/locale.ts";
import type { StateName } from "../../../pages/desk/parts/state.tsx";

/** A link's state as an icon and a word: by its money, by what the merchant declared, by its expiry. */
export function linkState(
  link: Pick<Link, "status" | "deposit" | "expiresAt" | "markedPaidAt">,
  now: number,
  locale: Locale,
): { name: StateName; word: string } {
  const { status, deposit } = link;
  if (status === "void") return { name: "void", word: locale.say("voidPayment") };
  if (status === "excess") return { name: "excess", word: locale.say("paidInExcess") };
  if (status === "confirmed")
    return {
      name: "paid",
      word: locale.say(deposit.received === 0n ? "stateElsewhere" : "paid"),
    };
  if (status === "error") return { name: "late", word: locale.say("paymentProblem") };
  if (deposit.pending > 0n) return { name: "seen", word: locale.say("underWay") };
  if (status === "partial") return { name: "partial", word: locale.say("partlyPaid") };
  if (isExpired(link, now)) return { name: "void", word: locale.say("linkEnded") };
  return { name: "open", word: locale.say("linkOpen") };
}

/** The same for a reusable link. */
export function reusableState(
  link: Pick<ReusableLink, "voidedAt" | "expiresAt">,
  now: number,
  locale: Locale,
): { name: StateName; word: string } {
  if (link.voidedAt !== null) return { name: "void", word: locale.say("voidPayment") };
  if (Reusable.status(link, now) === "closed") return { name: "void", word: locale.say("linkEnded") };
  return { name: "open", word: locale.say("linkOpen") };
}
