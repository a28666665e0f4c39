import * as Calendar from "../domain/calendar.ts";
import type { Locale } from "./locale.ts";
import { firstOfMonth } from "./notation.ts";

export type When = Readonly<ReturnType<typeof whenFor>>;

type Style = Intl.DateTimeFormatOptions;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached, because creating one takes half a millisecond. */
function format(tag: string, timeZone: string, style: Style): Intl.DateTimeFormat {
  const key = `${tag} ${timeZone} ${JSON.stringify(style)}`;
  const known = formats.get(key);
  if (known) return known;
  const created = new Intl.DateTimeFormat(tag, { ...style, timeZone });
  formats.set(key, created);
  return created;
}

const time: Style = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const dayLong: Style = { day: "numeric", month: "long" };
const dayShort: Style = { day: "numeric", month: "short" };
const withYear: Style = { year: "numeric" };

/** How one reader sees times: in their language, calendar and time zone, relative to `now`. */
export function whenFor(locale: Locale, timeZone: string, now: number) {
  const { tag } = locale;
  const today = Calendar.dayAt(now, timeZone);
  const yesterday = Calendar.dayOf(Calendar.dayNumber(today) - 1);
  const written = (style: Style, at: Date | number, zone = timeZone) =>
    firstOfMonth(format(tag, zone, style).format(at), tag);
  const alone = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(tag));
  const yearOf = (day: string) => day.slice(0, 4);
  const ofDay = (day: string, style: Style) => {
    const other = yearOf(day) !== yearOf(today);
    return written(other ? { ...style, ...withYear } : style, new Date(`${day}T00:00:00Z`), "UTC");
  };
  function momentInText(ms: number): string {
    const day = Calendar.dayAt(ms, timeZone);
    const clock = format(tag, timeZone, time).format(ms);
    if (day === today) return locale.say("todayAt", { time: clock });
    if (day === yesterday) return locale.say("yesterdayAt", { time: clock });
    if (yearOf(day) !== yearOf(today)) return ofDay(day, dayShort);
    return written({ ...dayShort, ...time }, ms);
  }
  return {
    /** Today, as `2026-11-30`. */
    today,
    /** The hour of the day, 0 to 23. */
    hour: Number(format("en", timeZone, { hour: "numeric", hourCycle: "h23" }).format(now)),
    /** A time in Unix milliseconds → "Today, 09:41", "8 Jul, 14:02" or, in another year, "8 Jul 2025". */
    moment: (ms: number) => alone(momentInText(ms)),
    /** The same in the middle of a sentence: "today, 09:41". */
    momentInText,
    /** `2026-07-24` → "24 July", with the year if it is not this one. */
    day: (day: string) => ofDay(day, dayLong),
    /** `2026-07` → "July", with the year if it is not this one. */
    month: (month: string) =>
      format(
        tag,
        "UTC",
        yearOf(month) === yearOf(today) ? { month: "long" } : { month: "long", ...withYear },
      ).format(new Date(`${month}-01T00:00:00Z`)),
    /** "Thursday, 16 July": today, in full. */
    todayInFull: () => alone(written({ weekday: "long", ...dayLong }, now)),
  };
}

const relativeFormats = new Map<string, Intl.RelativeTimeFormat>();

function relativeFormat(tag: string): Intl.RelativeTimeFormat {
  const format = relativeFormats.get(tag) ?? new Intl.RelativeTimeFormat(tag, { numeric: "auto" });
  relativeFormats.set(tag, format);
  return format;
}

/** Returns the distance of a day from today: "in 13 days", "yesterday". Days are `YYYY-MM-DD`. */
export function daysAway({ tag }: Pick<Locale, "tag">, day: string, today: string): string {
  return relativeFormat(tag).format(Calendar.dayNumber(day) - Calendar.dayNumber(today), "day");
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Returns the time left, rounded down: "in 3 hours", "in 25 minutes", "this minute". Null from a day on. */
export function timeLeft({ tag }: Pick<Locale, "tag">, ms: number): string | null {
  if (ms >= 24 * hourMs) return null;
  return ms < hourMs
    ? relativeFormat(tag).format(Math.floor(ms / minuteMs), "minute")
    : relativeFormat(tag).format(Math.floor(ms / hourMs), "hour");
}
