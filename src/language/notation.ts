import { type LanguageCode, languages } from "./languages.ts";

/** "1er décembre": Unicode's data (CLDR) writes the first of a month in French like every other day. */
export const firstOfMonth = (written: string, tag: string): string =>
  tag.startsWith("fr") ? written.replace(/(?<=^|\s)1 (?=\p{L})/u, "1er ") : written;

const plainDecimal = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * How people of one language write days, instants and numbers. Other text is returned as it is. Takes half a
 * millisecond to create, so keep it.
 */
export function notationOf(code: LanguageCode) {
  const { tag } = languages[code];
  const longDay = new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone: "UTC" });
  const monthName = new Intl.DateTimeFormat(tag, { month: "long", timeZone: "UTC" });
  // Some languages' medium style is all numbers, so nobody knows which is the month.
  const minute = new Intl.DateTimeFormat(tag, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    // As explorers write it, even where people say "two in the afternoon".
    hourCycle: "h23",
    timeZone: "UTC",
  });
  // Only Spanish would write 1500 without a point, in a column with 15.000.
  const whole = new Intl.NumberFormat(tag, { useGrouping: "always" });
  const decimalMark = whole.formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";

  function dated(format: Intl.DateTimeFormat, instant: string): string | null {
    const date = new Date(instant);
    if (Number.isNaN(date.getTime())) return null;
    const written = format.format(date);
    return firstOfMonth(written, tag);
  }

  return {
    /** The decimal point or comma. */
    decimalMark,
    /** `2026-11-30` → `30 November 2026`. */
    day: (day: string) => dated(longDay, `${day}T00:00:00Z`) ?? day,
    /** `2026-11-30` → `November`. */
    month: (day: string) => monthName.format(new Date(`${day}T00:00:00Z`)),
    /** Two days → `1–31 October 2026`. */
    days(from: string, to: string): string {
      // For a period these two have only numeric forms.
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
     * `1738.80` → `1,738.80`, `1.738,80` or `1 738,80`, for reading; text to copy, scan or compute with stays a plain
     * decimal. Exact at any size, keeps the number of decimals, and writes a real minus sign.
     */
    figure(decimal: string): string {
      const [, minus, digits, fraction] = plainDecimal.exec(decimal) ?? [];
      if (digits === undefined) return decimal;
      const grouped = `${minus ? "−" : ""}${whole.format(BigInt(digits))}`;
      return fraction === undefined ? grouped : `${grouped}${decimalMark}${fraction}`;
    },
  };
}
