import type { MessageKey } from "./en.ts";
import { fill, type Values } from "./fill.ts";
import { type Language, type LanguageCode, language } from "./languages.ts";

/** Who looks at the page: everything is said in this person's language. */
export type Reader = {
  readonly code: LanguageCode;
  readonly language: Language;
  /** A text with its values filled in, as plain text. */
  say(key: MessageKey, values?: Values): string;
  /** `2026-11-30` → `30 November 2026`. A text that is no day stays what it is. */
  day(day: string): string;
  /** An ISO 8601 instant → `21 Nov 2026, 14:05 UTC`. A text that is no instant stays what it is. */
  minute(instant: string): string;
  /** "1 of 5 confirmations". When the chain says itself what is final (`needed` null), there is nothing to count. */
  confirmations(count: number, needed: number | null): string;
};

const readers = new Map<LanguageCode, Reader>();

export function readerOf(code: LanguageCode): Reader {
  let reader = readers.get(code);
  if (!reader) {
    reader = createReader(code);
    readers.set(code, reader);
  }
  return reader;
}

function createReader(code: LanguageCode): Reader {
  const spoken = language(code);
  const longDay = new Intl.DateTimeFormat(spoken.tag, { dateStyle: "long", timeZone: "UTC" });
  const minute = new Intl.DateTimeFormat(spoken.tag, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  const plural = new Intl.PluralRules(spoken.tag);
  const say = (key: MessageKey, values: Values = {}) => fill(spoken.messages[key], values);
  const formatted = (format: Intl.DateTimeFormat, text: string, instant: string) => {
    const date = new Date(instant);
    return Number.isNaN(date.getTime()) ? text : format.format(date);
  };
  return {
    code,
    language: spoken,
    say,
    day: (day) => formatted(longDay, day, `${day}T00:00:00Z`),
    minute(instant) {
      const text = formatted(minute, instant, instant);
      return text === instant ? instant : `${text} UTC`;
    },
    confirmations(count, needed) {
      if (needed === null) return say("notFinalYet");
      const key = plural.select(needed) === "one" ? "confirmationsOne" : "confirmationsOther";
      return say(key, { count: Math.min(count, needed), needed });
    },
  };
}
