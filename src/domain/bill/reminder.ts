import * as Calendar from "../calendar.ts";
import type { Closure } from "../receivable/common.ts";
import type * as Usdc from "../usdc.ts";
import { isPaid, type Status } from "./invoice.ts";

/** Reminders of what is due, by days from the due date: −3 is three days before it, 0 the day itself. */

export const daysMin = -60;
export const daysMax = 365;

/** For one invoice. */
export const countMax = 10;

/** The hour of the day at which they go out, in the merchant's time zone. */
export const hour = 9;

const hourMs = 3_600_000;

/** The latest day whose hour has come in a time zone. */
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
 * A reminder that is late by more days is left out: a Till that was off for long, or whose clock was, does not begin
 * with those of last month.
 */
export const lateDaysMax = 7;

/** Reads `-3,0,7`, and the empty text as none; undefined for what is not such a list. In order, without repetitions. */
export function parseDays(text: string): number[] | undefined {
  const parts = text.split(",").map((part) => part.trim());
  if (text.trim() === "") return [];
  if (!parts.every((part) => /^[+-]?\d{1,3}$/.test(part))) return undefined;
  const days = orderedDays(parts.map(Number));
  return days.length <= countMax && days.every(isDays) ? days : undefined;
}

export const isDays = (days: number) => Number.isInteger(days) && days >= daysMin && days <= daysMax;

export const orderedDays = (days: readonly number[]) => [...new Set(days)].sort((a, b) => a - b);

export type ReminderFacts = { status: Status; sentAt: number | null; deposit: { pending: Usdc.Usdc } } & Pick<
  Closure,
  "voidedAt" | "markedPaidAt"
>;

export type ReminderRefusal = "settled" | "unsent" | "in_flight";

/**
 * Why nobody is to be reminded of an invoice now; null when somebody is. Who was never sent it knows of nothing, and who
 * has just paid is not asked again before that counts.
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
 * Which of an invoice's reminders is to go out, when days up to `through` have been seen to and it is `today`: only the
 * latest one that is due, and only when its day comes after the one on which the invoice was last mailed. Days are
 * counted alike, from any beginning. Null when none is.
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
