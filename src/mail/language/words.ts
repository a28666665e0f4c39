import { Html } from "@elysiajs/html";
import { fill, type Values } from "../../lib/fill.ts";
import { type Dates, datesIn, type LanguageCode, languages, type Speech } from "../../lib/language.ts";
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
export type Words = Dates & {
  readonly speech: Speech;
  /** What stands between two sentences: nothing where the full stop is as wide as a letter. */
  readonly gap: "" | " ";
  /** A text with its values filled in, as plain text. */
  say(key: MailKey, values?: Values): string;
  /** A text as markup: its own words are escaped, its values are markup already. */
  markup(key: MailKey, values: Readonly<Record<string, string>>): string;
};

export function wordsIn(code: LanguageCode): Words {
  const messages = mailMessages[code];
  return {
    ...datesIn(code),
    speech: languages[code],
    gap: code === "ja" || code === "zh" ? "" : " ",
    say: (key, values = {}) => fill(messages[key], values),
    markup: (key, values) => fill(Html.escapeHtml(messages[key]), values),
  };
}
