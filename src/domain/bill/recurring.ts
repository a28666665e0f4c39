import * as Calendar from "../calendar.ts";

/** Recurring invoices. */

export const units = ["days", "weeks", "months", "years"] as const;
export type Unit = (typeof units)[number];

/** Maximum number of units between two dates. */
export const everyMax = 366;
export const countMax = 1_000;
export const dueDaysMax = 365;

export type Schedule = {
  every: { unit: Unit; n: number };
  /** The first date, from which all others are counted. */
  startsOn: string;
  /** Dates after this are left out; null for no limit. */
  endsOn: string | null;
  /** Number of dates; null for no end. */
  count: number | null;
  /**
   * The preferred day of the month, if the month of `startsOn` is too short for it; absent when it is the day of
   * `startsOn`.
   */
  dayOfMonth?: number;
};

/** Which dates that passed while Till was off are made: all of them, or only the newest. */
export const missedWays = ["all", "newest"] as const;
export type Missed = (typeof missedWays)[number];

export const statuses = ["active", "paused", "ended"] as const;
export type Status = (typeof statuses)[number];

/** The cause of a pause: the merchant, a refused invoice, or a restored backup, which may lack invoices. */
export type PauseCause = "merchant" | "refused" | "restored";

/** Why a date is not made: a sentence for the operator, the kind of refusal, and the fault in the invoice. */
export type Reason = { said: string; kind: string; fault?: { field: string; code: string } };

export type Recurring = {
  id: string;
  merchantEmail: string;
  /** The body of POST /api/invoices, without dates. */
  invoice: Readonly<Record<string, unknown>>;
  /** Days from creation to the due date. */
  dueDays: number;
  schedule: Schedule;
  sendNow: boolean;
  missed: Missed;
  status: Status;
  pauseCause: PauseCause | null;
  /** Why Till paused it or is waiting. */
  reason: Reason | null;
  /** Dates up to this day have been made, or never will be. */
  handledTo: string;
  /** Dates up to this day were never promised: they precede the merchant's creating, resuming or moving the series. */
  leftOutTo: string;
  /** The next date; null when there is none. */
  nextDate: string | null;
  made: number;
  createdAt: number;
};

/** The date at an index, from 0; null after the last. Counted from the first date, never from the previous one. */
export function dateAt(
  { every: { unit, n }, startsOn, endsOn, count, dayOfMonth }: Schedule,
  place: number,
): string | null {
  if (count !== null && place >= count) return null;
  const step = place * n;
  const day =
    unit === "months" || unit === "years"
      ? Calendar.monthsAfter(startsOn, unit === "years" ? step * 12 : step, dayOfMonth)
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

type SeriesProgress = Pick<
  Recurring,
  "schedule" | "status" | "pauseCause" | "reason" | "handledTo" | "nextDate"
>;

/** Returns the series after all dates up to `to` are handled. */
export function handled<R extends SeriesProgress>(series: R, to: string): R {
  const handledTo = to > series.handledTo ? to : series.handledTo;
  const [nextDate = null] = nextDates(series.schedule, handledTo, 1);
  return nextDate === null ? { ...series, ...over, handledTo } : { ...series, handledTo, nextDate };
}

const over = { status: "ended", pauseCause: null, reason: null, nextDate: null } as const;

/** Ends it for good: all days are left out, so that no clock that is put back makes it active again. */
export const ended = <R extends SeriesProgress & Pick<Recurring, "leftOutTo">>(series: R): R => ({
  ...series,
  ...over,
  leftOutTo: Calendar.lastDay,
});

/** Index of the first date after a day, ignoring the end of the series. */
function firstAfter(schedule: Schedule, after: string): number {
  const { every, startsOn } = schedule;
  if (after < startsOn) return 0;
  const endless = { ...schedule, endsOn: null, count: null };
  // Deliberately a little early, as months differ in length.
  const daysMax = { days: 1, weeks: 7, months: 31, years: 366 }[every.unit] * every.n;
  let place = Math.floor((Calendar.dayNumber(after) - Calendar.dayNumber(startsOn)) / daysMax);
  for (;;) {
    const day = dateAt(endless, place);
    if (day === null || day > after) return place;
    place++;
  }
}

/** Returns whether the month of `startsOn` is too short for `dayOfMonth`, so that the series begins on its last day. */
export function isShortFor(dayOfMonth: number, startsOn: string): boolean {
  const [year = 0, month = 1, date = 1] = startsOn.split("-").map(Number);
  return date === Calendar.lastOf(year, month) && date < dayOfMonth;
}

const lastNumber = Calendar.dayNumber(Calendar.lastDay);

function daysAfter(day: string, days: number): string | null {
  const number = Calendar.dayNumber(day) + days;
  return number > lastNumber ? null : Calendar.dayOf(number);
}

/** Fills in `{month}`, `{year}` and `{period}`, which name the time a text is for. Other braces stay as they are. */
export function filledIn(text: string, words: Readonly<Record<"month" | "year" | "period", string>>): string {
  return text.replace(/\{(month|year|period)\}/g, (_, name: keyof typeof words) => words[name]);
}

/** The customer's name. The invoice may use either field. */
export function customerOf({ invoice }: Pick<Recurring, "invoice">): string {
  return String(invoice["vendor_name"] ?? invoice["customer_name"] ?? "");
}
