import * as Calendar from "../calendar.ts";

/** Invoices that Till makes again and again. */

export const units = ["days", "weeks", "months", "years"] as const;
export type Unit = (typeof units)[number];

/** The most of one unit between two dates. */
export const everyMax = 366;
export const countMax = 1_000;
export const dueDaysMax = 365;

export type Schedule = {
  every: { unit: Unit; n: number };
  /** The first date, from which every other one is counted. */
  startsOn: string;
  /** No date is later; null for none such. */
  endsOn: string | null;
  /** How many dates there are; null for no end. */
  count: number | null;
  /** The day in months that have it, where that of `startsOn` has not; absent when it is the day of `startsOn`. */
  dayOfMonth?: number;
};

/** Which dates are made that passed while Till was off: each of them, or only the newest. */
export const missedWays = ["all", "newest"] as const;
export type Missed = (typeof missedWays)[number];

export const statuses = ["active", "paused", "ended"] as const;
export type Status = (typeof statuses)[number];

/** What paused a series: the merchant; that its invoice was refused; that a backup was restored, which may lack some. */
export type PauseCause = "merchant" | "refused" | "restored";

/** Why a date is not made: a sentence for the operator, the kind of the refusal, and what is wrong with the invoice. */
export type Reason = { said: string; kind: string; fault?: { field: string; code: string } };

export type Recurring = {
  id: string;
  merchantEmail: string;
  /** The body of POST /api/invoices, without its dates. */
  invoice: Readonly<Record<string, unknown>>;
  /** Each is due so many days after it is made. */
  dueDays: number;
  schedule: Schedule;
  sendNow: boolean;
  missed: Missed;
  status: Status;
  pauseCause: PauseCause | null;
  /** Why Till paused it, or waits. */
  reason: Reason | null;
  /** Dates up to this day are made, or will never be. */
  handledTo: string;
  /** Dates up to this day, before what the merchant asked, resumed or moved, were never promised. */
  leftOutTo: string;
  /** The next date; null when there is none. */
  nextDate: string | null;
  made: number;
  createdAt: number;
};

/** The date of a place, 0 for the first; null after the last one. It is counted from the first, never from the one before. */
export function dateAt(
  { every: { unit, n }, startsOn, endsOn, count, dayOfMonth }: Schedule,
  place: number,
): string | null {
  if (count !== null && place >= count) return null;
  const step = place * n;
  const day =
    unit === "months" || unit === "years"
      ? monthsAfter(startsOn, unit === "years" ? step * 12 : step, dayOfMonth)
      : daysAfter(startsOn, unit === "weeks" ? step * 7 : step);
  return day === null || (endsOn !== null && day > endsOn) ? null : day;
}

/** The first `limit` dates after a day. */
export function nextDates(schedule: Schedule, after: string, limit: number): string[] {
  const dates: string[] = [];
  for (let place = firstAfter(schedule, after); dates.length < limit; place++) {
    const day = dateAt(schedule, place);
    if (day === null) break;
    dates.push(day);
  }
  return dates;
}

/** The newest date after one day and up to another; null when there is none. */
export function newestDate(schedule: Schedule, after: string, to: string): string | null {
  let place = firstAfter(schedule, to) - 1;
  if (schedule.count !== null) place = Math.min(place, schedule.count - 1);
  for (; place >= 0; place--) {
    const day = dateAt(schedule, place);
    if (day !== null) return day > after ? day : null;
  }
  return null;
}

type Turning = Pick<Recurring, "schedule" | "status" | "pauseCause" | "reason" | "handledTo" | "nextDate">;

/** The series as it goes on once all up to a day is done. */
export function handled<R extends Turning>(series: R, to: string): R {
  const handledTo = to > series.handledTo ? to : series.handledTo;
  const [nextDate = null] = nextDates(series.schedule, handledTo, 1);
  return nextDate === null ? ended({ ...series, handledTo }) : { ...series, handledTo, nextDate };
}

export const ended = <R extends Turning>(series: R): R => ({
  ...series,
  status: "ended",
  pauseCause: null,
  reason: null,
  nextDate: null,
});

/** The first place whose date, were there no end, is after a day. */
function firstAfter(schedule: Schedule, after: string): number {
  const { every, startsOn } = schedule;
  if (after < startsOn) return 0;
  const endless = { ...schedule, endsOn: null, count: null };
  // A little too early, as months differ in length.
  const daysMax = { days: 1, weeks: 7, months: 31, years: 366 }[every.unit] * every.n;
  let place = Math.floor((Calendar.dayNumber(after) - Calendar.dayNumber(startsOn)) / daysMax);
  for (;;) {
    const day = dateAt(endless, place);
    if (day === null || day > after) return place;
    place++;
  }
}

/** The same day of a later month, or the last one of a month that has no such day. */
function monthsAfter(day: string, months: number, wanted?: number): string | null {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const place = year * 12 + month - 1 + months;
  const toYear = Math.floor(place / 12);
  const toMonth = (place % 12) + 1;
  if (toYear > Calendar.yearMax) return null;
  return `${toYear}-${two(toMonth)}-${two(Math.min(wanted ?? date, lastOf(toYear, toMonth)))}`;
}

const lastOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Whether a month is too short for a day that others have: the series then begins on its last one. */
export function isShortFor(dayOfMonth: number, startsOn: string): boolean {
  const [year = 0, month = 1, date = 1] = startsOn.split("-").map(Number);
  return date === lastOf(year, month) && date < dayOfMonth;
}

const two = (number: number) => String(number).padStart(2, "0");

const lastDay = Calendar.dayNumber(`${Calendar.yearMax}-12-31`);

function daysAfter(day: string, days: number): string | null {
  const number = Calendar.dayNumber(day) + days;
  return number > lastDay ? null : Calendar.dayOf(number);
}

/** Texts that name the time they are for: `{month}`, `{year}` and `{period}`. Other braces stay as they are. */
export function filledIn(text: string, words: Readonly<Record<"month" | "year" | "period", string>>): string {
  return text.replace(/\{(month|year|period)\}/g, (_, name: keyof typeof words) => words[name]);
}

/** The invoice may name who pays in either way. */
export function customerOf({ invoice }: Pick<Recurring, "invoice">): string {
  return String(invoice["vendor_name"] ?? invoice["customer_name"] ?? "");
}
