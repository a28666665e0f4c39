import * as Calendar from "../calendar.ts";
import type { Closure } from "../receivable/common.ts";
import type * as Usdc from "../usdc.ts";
import { isPaid, type Status } from "./invoice.ts";

/** Payment reminders, by days from the due date: −3 is three days before it, 0 the due date itself. */

export const daysMin = -60;
export const daysMax = 365;

/** Per invoice. */
export const countMax = 10;

/** The hour of day at which they are sent, in the merchant's time zone. */
export const hour = 9;

const hourMs = 3_600_000;

/** The latest day whose reminder hour has passed in a time zone. */
export function lastDay(at: number, timeZone: string): string {
  const today = Calendar.dayAt(at, timeZone);
  const isEarly = Calendar.timeOfDayAt(at, timeZone) < hour * hourMs;
  return isEarly ? Calendar.dayOf(Calendar.dayNumber(today) - 1) : today;
}

export function msUntilHour(at: number, timeZone: string): number {
  const left = hour * hourMs - Calendar.timeOfDayAt(at, timeZone);
  return left > 0 ? left : left + 24 * hourMs;
}

/**
 * Reminders that are more days late are skipped, so that a Till that was off for long, or whose clock was wrong, does
 * not begin with last month's.
 */
export const lateDaysMax = 7;

/** Parses a list such as `-3,0,7`; empty for an empty text, undefined for anything else. Sorted, without duplicates. */
export function parseDays(text: string): number[] | undefined {
  const parts = text.split(",").map((part) => part.trim());
  if (text.trim() === "") return [];
  if (!parts.every((part) => /^[+-]?\d{1,3}$/.test(part))) return undefined;
  const days = orderedDays(parts.map(Number));
  return days.length <= countMax && days.every(isDays) ? days : undefined;
}

export const isDays = (days: number) => Number.isInteger(days) && days >= daysMin && days <= daysMax;

/** What a reminder is about: there is never a second one of these days for this due date. */
export const occasionOf = (days: number, dueDate: string) => `${days}.${dueDate}`;

/** The days of such an occasion; null for that of a reminder sent on request. */
export const daysIn = (occasion: string): number | null => {
  const days = /^(-?\d+)\./.exec(occasion)?.[1];
  return days === undefined ? null : Number(days);
};

export const orderedDays = (days: readonly number[]) => [...new Set(days)].sort((a, b) => a - b);

export type ReminderFacts = { status: Status; sentAt: number | null; deposit: { pending: Usdc.Usdc } } & Pick<
  Closure,
  "voidedAt" | "markedPaidAt"
>;

export type ReminderRefusal = "settled" | "unsent" | "in_flight";

/**
 * Returns why no reminder may be sent now; null if one may. A customer who was never sent the invoice is not reminded,
 * nor is one whose payment is still pending.
 */
export function refusal({
  status,
  sentAt,
  deposit,
  voidedAt,
  markedPaidAt,
}: ReminderFacts): ReminderRefusal | null {
  if (voidedAt !== null || markedPaidAt !== null || isPaid(status)) return "settled";
  if (sentAt === null) return "unsent";
  return deposit.pending > 0n ? "in_flight" : null;
}

/**
 * Returns which reminder to send when days up to `through` are handled and it is `today`: only the latest that is due,
 * and only if its day is after the one on which the invoice was last mailed. All days are day numbers from the same
 * origin. Null if none is due.
 */
export function dueNow(
  reminders: readonly number[],
  {
    dueDay,
    sentDay,
    through,
    today,
  }: { dueDay: number; sentDay: () => number; through: number; today: number },
): number | null {
  const latest = Math.max(...reminders.filter((days) => dueDay + days <= today));
  const day = dueDay + latest;
  return day > Math.max(through, today - lateDaysMax - 1) && day > sentDay() ? latest : null;
}
