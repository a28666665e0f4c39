import * as Calendar from "../domain/calendar.ts";
import type { Locale } from "./locale.ts";

const formats = new Map<string, Intl.RelativeTimeFormat>();

/** How far a day is from today: "in 13 days", "yesterday". Days are `YYYY-MM-DD`. */
export function daysAway({ tag }: Pick<Locale, "tag">, day: string, today: string): string {
  const format = formats.get(tag) ?? new Intl.RelativeTimeFormat(tag, { numeric: "auto" });
  formats.set(tag, format);
  return format.format(Calendar.dayNumber(day) - Calendar.dayNumber(today), "day");
}
