import { fill, type Values } from "../../lib/fill.ts";
import type { LanguageCode } from "../../lib/language.ts";
import { type Notation, notationOf } from "../../lib/notation.ts";
import type { MessageKey } from "./en.ts";
import { type Language, language } from "./languages.ts";

/** Who looks at the page: everything is said in this person's language. */
export type Reader = Notation & {
  readonly code: LanguageCode;
  readonly language: Language;
  /** A text with its values filled in, as plain text. */
  say(key: MessageKey, values?: Values): string;
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
  const plural = new Intl.PluralRules(spoken.tag);
  const say = (key: MessageKey, values: Values = {}) => fill(spoken.messages[key], values);
  return {
    code,
    language: spoken,
    say,
    ...notationOf(code),
    confirmations(count, needed) {
      if (needed === null) return say("notFinalYet");
      const key = plural.select(needed) === "one" ? "confirmationsOne" : "confirmationsOther";
      return say(key, { count: Math.min(count, needed), needed });
    },
  };
}
