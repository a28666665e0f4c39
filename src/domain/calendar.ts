/** Calendar days as `YYYY-MM-DD`, which sort as text. */

const form = /^(\d{4})-(\d{2})-(\d{2})$/;

/** No invoice is older than Unix time, and the format of days ends at 9999. */
export const yearMin = 1970;
export const yearMax = 9999;
export const lastDay = `${yearMax}-12-31`;

/** Returns whether the text is an existing day from 1970 to 9999: `2026-02-30` is not. */
export function isDay(text: string): boolean {
  const match = form.exec(text);
  if (!match || Number(match[1]) < yearMin) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The day on which the instant `ms` (Unix time in milliseconds) falls in an IANA time zone. */
export function dayAt(ms: number, timeZone: string): string {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    // The Swedish form of a date is the ISO form.
    formatter = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
    formatters.set(timeZone, formatter);
  }
  return formatter.format(ms);
}

/** Time since midnight at the instant `ms` in an IANA time zone, in milliseconds, to the second. */
export function timeOfDayAt(ms: number, timeZone: string): number {
  let formatter = clocks.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("sv-SE", { timeZone, timeStyle: "medium" });
    clocks.set(timeZone, formatter);
  }
  const [hours = 0, minutes = 0, seconds = 0] = formatter.format(ms).split(":").map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}

const dayMs = 86_400_000;

/** A day as a number; the next day is one more. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs;

/** The day with a number. */
export const dayOf = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);

/** Creating a formatter takes much longer than using one. There is one per configured time zone: one. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const clocks = new Map<string, Intl.DateTimeFormat>();

/** The end of a day in an IANA time zone, in Unix milliseconds. The day after the last one has no name. */
export const endOf = (day: string, timeZone: string): number =>
  day === lastDay ? startOf(day, timeZone) + dayMs : startOf(dayOf(dayNumber(day) + 1), timeZone);

const quarterMs = 900_000;
const starts = new Map<string, number>();
/** Maximum number of cached starts. */
const startsMax = 1_000;

/**
 * The start of a day in an IANA time zone, in Unix milliseconds. Not always midnight: where clocks go forward at
 * midnight, it is an hour later.
 */
export function startOf(day: string, timeZone: string): number {
  const key = `${day} ${timeZone}`;
  const cached = starts.get(key);
  if (cached !== undefined) return cached;
  const wanted = dayNumber(day) * dayMs;
  let ms = wanted;
  // Twice, as the clocks may change between the first guess and the day.
  for (let i = 0; i < 2; i++)
    ms -= dayNumber(dayAt(ms, timeZone)) * dayMs + timeOfDayAt(ms, timeZone) - wanted;
  while (dayAt(ms, timeZone) < day) ms += quarterMs;
  while (dayAt(ms - quarterMs, timeZone) >= day) ms -= quarterMs;
  if (starts.size >= startsMax) starts.clear();
  starts.set(key, ms);
  return ms;
}

/** The same day in a later month, or the last day of a month that is too short. */
export function monthsAfter(day: string, months: number, wanted?: number): string | null {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const place = year * 12 + month - 1 + months;
  const toYear = Math.floor(place / 12);
  const toMonth = (place % 12) + 1;
  if (toYear > yearMax) return null;
  return `${toYear}-${two(toMonth)}-${two(Math.min(wanted ?? date, lastOf(toYear, toMonth)))}`;
}

/** The last day of a month, 1 to 12. */
export const lastOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

const two = (number: number) => String(number).padStart(2, "0");
