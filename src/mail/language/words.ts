import { Html } from "@elysiajs/html";
import { fill, type Values } from "../../lib/fill.ts";
import { type LanguageCode, languages, type Speech } from "../../lib/language.ts";
import { type Notation, notationOf } from "../../lib/notation.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en, type MailKey, type MailMessages } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { pt } from "./pt.ts";
import { zh } from "./zh.ts";

/** Each language's texts. */
export const mailMessages: Readonly<Record<LanguageCode, MailMessages>> = { en, de, es, fr, pt, ja, zh, ar };

/** What a mail is written with. */
export type Words = Notation & {
  readonly speech: Speech;
  /** A text with its values filled in, as plain text. */
  say(key: MailKey, values?: Values): string;
  /** A text as markup: its own words are escaped, its values are markup already. */
  markup(key: MailKey, values: Readonly<Record<string, string>>): string;
  /** A label and its value with the language's colon between them; without a value, the label above it. */
  labelled(label: string, value?: string): string;
  /** `1738.80` → `1,738.80 USDC`. */
  usdc(amount: string): string;
};

export function wordsIn(code: LanguageCode): Words {
  const messages = mailMessages[code];
  const speech = languages[code];
  const notation = notationOf(code);
  return {
    ...notation,
    speech,
    say: (key, values = {}) => fill(messages[key], values),
    markup: (key, values) => fill(Html.escapeHtml(messages[key]), values),
    labelled: (label, value = "") => `${label}${speech.marks.colon}${value}`.trimEnd(),
    usdc: (amount) => `${notation.figure(amount)} USDC`,
  };
}
