import { type LanguageCode, languages } from "./languages.ts";

/** "1er décembre": Unicode's data (CLDR) writes the first of a month in French like every other day. */
export const firstOfMonth = (written: string, tag: string): string =>
  tag.startsWith("fr") ? written.replace(/(?<=^|\s)1 (?=\p{L})/u, "1er ") : written;

const plainDecimal = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * How people of one language write days, instants and numbers. What is none of these stays as it is. Takes half a
 * millisecond: keep it.
 */
export function notationOf(code: LanguageCode) {
  const { tag } = languages[code];
  const longDay = new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone: "UTC" });
  const monthName = new Intl.DateTimeFormat(tag, { month: "long", timeZone: "UTC" });
  // The medium style of some languages is all numbers: which of them is the month, nobody knows.
  const minute = new Intl.DateTimeFormat(tag, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    // As explorers write it, also where people say "two in the afternoon".
    hourCycle: "h23",
    timeZone: "UTC",
  });
  // Spanish alone would leave 1500 without its point, in a column with 15.000.
  const whole = new Intl.NumberFormat(tag, { useGrouping: "always" });
  const decimalMark = whole.formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";

  function dated(format: Intl.DateTimeFormat, instant: string): string | null {
    const date = new Date(instant);
    if (Number.isNaN(date.getTime())) return null;
    const written = format.format(date);
    return firstOfMonth(written, tag);
  }

  return {
    /** What stands before the decimals: a point or a comma. */
    decimalMark,
    /** `2026-11-30` → `30 November 2026`. */
    day: (day: string) => dated(longDay, `${day}T00:00:00Z`) ?? day,
    /** `2026-11-30` → `November`. */
    month: (day: string) => monthName.format(new Date(`${day}T00:00:00Z`)),
    /** Two days → `1–31 October 2026`. */
    days(from: string, to: string): string {
      // Of a period these two have numbers alone.
      if (code === "ja" || code === "zh")
        return [from, to].map((day) => dated(longDay, `${day}T00:00:00Z`)).join("～");
      const [first, last] = [from, to].map((day) => new Date(`${day}T00:00:00Z`)) as [Date, Date];
      return longDay.formatRange(first, last).replaceAll("\u2009", " ");
    },
    /** An ISO 8601 instant → `21 Nov 2026, 14:05 UTC`. */
    minute(instant: string): string {
      const written = dated(minute, instant);
      return written === null ? instant : `${written} UTC`;
    },
    /**
     * `1738.80` → `1,738.80`, `1.738,80` or `1 738,80`, for reading: what is copied, scanned or computed with stays a
     * plain decimal. Exact at any size, with as many decimals as were given, and a minus that is one.
     */
    figure(decimal: string): string {
      const [, minus, digits, fraction] = plainDecimal.exec(decimal) ?? [];
      if (digits === undefined) return decimal;
      const grouped = `${minus ? "−" : ""}${whole.format(BigInt(digits))}`;
      return fraction === undefined ? grouped : `${grouped}${decimalMark}${fraction}`;
    },
  };
}
