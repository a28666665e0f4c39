import * as Calendar from "../calendar.ts";
import type { FullType, Type } from "../event/event.ts";
import { isExpired } from "../link/link.ts";
import { payableOf } from "../payment/relay.ts";
import type { Receivable } from "./receivable.ts";

/** When something stopped being owed, and when its page then closes, for those who want that. */

const ends: readonly Type[] = ["paid", "overpaid", "voided", "marked_paid", "expired"];
const undoes: readonly Type[] = ["payment_reversed", "marked_unpaid"];
/** Events that decide it. A credit note may take off what was left. */
export const deciding: readonly Type[] = [...ends, ...undoes, "credited"];

type Decided = { type: FullType; createdAt: number };

/** Returns whether nothing is asked for any more: paid, marked as paid, credited, void or expired. */
export function hasEnded(receivable: Receivable, now: number): boolean {
  const { kind } = payableOf(receivable, now).demand;
  if (kind === "paid" || kind === "void") return true;
  // A link whose payment left the chain is closed as well, but owed.
  return receivable.kind === "link" && receivable.status !== "error" && isExpired(receivable, now);
}

/**
 * Returns when what has ended did so, in Unix milliseconds; null if no event says. `events` are the deciding ones,
 * oldest first. It is the first end since the last one that was undone: what happens after it, such as a late payment,
 * moves nothing.
 */
export function endedAt(events: readonly Decided[]): number | null {
  const is = (types: readonly Type[]) => (event: Decided) =>
    types.some((type) => event.type.endsWith(`.${type}`));
  const since = events.slice(events.findLastIndex(is(undoes)) + 1);
  return (since.find(is(ends)) ?? events.at(-1))?.createdAt ?? null;
}

/** Returns whether so many months have passed since then, in days of this time zone. */
export function isOver(
  endedAt: number,
  { months, timeZone, now }: { months: number; timeZone: string; now: number },
): boolean {
  const closesOn = Calendar.monthsAfter(Calendar.dayAt(endedAt, timeZone), months);
  return closesOn !== null && Calendar.dayAt(now, timeZone) >= closesOn;
}
