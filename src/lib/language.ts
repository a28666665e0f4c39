/** The languages that Till writes in. */
export type Speech = Readonly<{
  /** BCP 47, for `lang` and for dates. Digits stay Latin: amounts are compared with a wallet's. */
  tag: string;
  /** What its readers call it. */
  name: string;
  dir: "ltr" | "rtl";
}>;

/** In the order in which a choice of them is shown. */
export const languages = {
  en: { tag: "en-GB", name: "English", dir: "ltr" },
  de: { tag: "de", name: "Deutsch", dir: "ltr" },
  es: { tag: "es", name: "Español", dir: "ltr" },
  fr: { tag: "fr", name: "Français", dir: "ltr" },
  pt: { tag: "pt-PT", name: "Português", dir: "ltr" },
  ja: { tag: "ja", name: "日本語", dir: "ltr" },
  zh: { tag: "zh-Hans", name: "简体中文", dir: "ltr" },
  ar: { tag: "ar-u-nu-latn", name: "العربية", dir: "rtl" },
} as const satisfies Record<string, Speech>;

export type LanguageCode = keyof typeof languages;

export const languageCodes = Object.keys(languages) as LanguageCode[];

export function isLanguageCode(code: string): code is LanguageCode {
  return Object.hasOwn(languages, code);
}

const preferencesMax = 20;

/**
 * The language to show a page in: the one that was asked for, else the first that the browser prefers (the
 * Accept-Language header, RFC 9110 section 12.5.4) and that there is, else the one given last.
 */
export function chooseLanguage(
  asked: string | null,
  acceptLanguage: string | null,
  otherwise: LanguageCode = "en",
): LanguageCode {
  const wanted = (acceptLanguage ?? "")
    .split(",")
    .slice(0, preferencesMax)
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().split(/\s*;\s*/);
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
  for (const tag of [asked ?? "", ...wanted]) {
    const code = tag.toLowerCase().split("-")[0] ?? "";
    if (isLanguageCode(code)) return code;
  }
  return otherwise;
}

export type Dates = Readonly<{
  /** `2026-11-30` → `30 November 2026`. A text that is no day stays what it is. */
  day(day: string): string;
  /** An ISO 8601 instant → `21 Nov 2026, 14:05 UTC`. A text that is no instant stays what it is. */
  minute(instant: string): string;
}>;

/** Days and instants as people of this language write them out. */
export function datesIn(code: LanguageCode): Dates {
  const { tag } = languages[code];
  const longDay = new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone: "UTC" });
  // The medium style of some languages is all numbers: which of them is the month, nobody knows.
  const minute = new Intl.DateTimeFormat(tag, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: "UTC",
  });
  const formatted = (format: Intl.DateTimeFormat, text: string, instant: string) => {
    const date = new Date(instant);
    return Number.isNaN(date.getTime()) ? text : format.format(date);
  };
  return {
    day: (day) => formatted(longDay, day, `${day}T00:00:00Z`),
    minute(instant) {
      const text = formatted(minute, instant, instant);
      return text === instant ? instant : `${text} UTC`;
    },
  };
}
