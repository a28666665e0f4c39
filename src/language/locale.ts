import { readFileSync } from "node:fs";
import { fill, type ValuesOf } from "../lib/text/english.ts";
import { type Language, type LanguageCode, languages } from "./languages.ts";
import { notationOf } from "./notation.ts";
import ar from "./texts/ar.json" with { type: "file" };
import de from "./texts/de.json" with { type: "file" };
import { english } from "./texts/english/english.ts";
import es from "./texts/es.json" with { type: "file" };
import fr from "./texts/fr.json" with { type: "file" };
import ja from "./texts/ja.json" with { type: "file" };
import pt from "./texts/pt.json" with { type: "file" };
import zh from "./texts/zh.json" with { type: "file" };

export type TextKey = keyof typeof english;
type Texts = Readonly<Record<TextKey, string>>;

/** The compiler sees these as texts, to check that none is missing; at run time each is a file name. */
const files: Readonly<Record<Exclude<LanguageCode, "en">, Texts>> = { de, es, fr, pt, ja, zh, ar };

/** Reads a language's texts when somebody uses it: reading all would take memory and time at each start. */
const textsOf = (code: LanguageCode): Texts =>
  code === "en" ? english : (JSON.parse(readFileSync(String(files[code]), "utf8")) as Texts);

/** Longer times are given in minutes. */
const secondsMax = 90;

/** How Till speaks to people of one language: its texts, and how it writes money and dates. */
export type Locale = Readonly<ReturnType<typeof createLocale>>;

/** Isolates a left-to-right text, for a sentence of either direction. */
export const fromTheLeft = (text: string, { dir }: Pick<Locale, "dir">) =>
  dir === "rtl" ? `\u2066${text}\u2069` : text;

/** The values that fill a text: anything in plain text, markup in markup. */
export type TextValues<K extends TextKey, Value> = ValuesOf<(typeof english)[K], Value>;

const locales = new Map<LanguageCode, Locale>();

/** Returns the locale of a language. Created once, because its date formats take half a millisecond. */
export function speak(code: LanguageCode): Locale {
  const known = locales.get(code);
  if (known) return known;
  const locale = createLocale(code);
  locales.set(code, locale);
  return locale;
}

function createLocale(code: LanguageCode) {
  const language: Language = languages[code];
  const { colon, brackets } = language.marks;
  const texts = textsOf(code);
  const notation = notationOf(code);
  const list = new Intl.ListFormat(language.tag);
  /** Returns a text with its values filled in, as plain text. */
  const say = <K extends TextKey>(key: K, ...values: TextValues<K, string | number>): string =>
    fill(texts[key].replace(/\*\*|[[\]]/g, ""), values[0] ?? {});
  return {
    code,
    ...language,
    ...notation,
    /** With their marks for bold and links, as shown by `Rich`. */
    texts,
    say,
    /** A label, the language's colon and a value; without a value, the label to put above one. */
    labelled: (label: string, value = "") => `${label}${colon}${value}`.trimEnd(),
    /** A remark after a text, with the space before it: ` (Base)`. */
    bracketed: (remark: string) => `${brackets[0]}${remark}${brackets[1]}`,
    /** `1738.80` → `1,738.80 USDC`. */
    usdc: (amount: string) => `${notation.figure(amount)} USDC`,
    /** `1738.80`, `EUR` → `1,738.80 EUR`. */
    money: (amount: string, unit: string) => `${notation.figure(amount)} ${unit}`,
    /** The heading of a column of amounts: "Amount (EUR)". */
    amountIn: (unit: string) => say("amountInUsdc").replace("USDC", unit),
    /** "Kraken, Coinbase, and Bitstamp". */
    listed: (names: readonly string[]) => list.format(names),
    /** "Confirmed in 7 s". For null, the chain decides what is final, so there is nothing to count. */
    confirmedIn(ms: number | null): string {
      if (ms === null) return say("notFinalYet");
      if (ms <= 0) return say("beingConfirmed");
      const seconds = Math.ceil(ms / 1_000);
      return seconds < secondsMax
        ? say("confirmedInSeconds", { seconds })
        : say("confirmedInMinutes", { minutes: Math.ceil(seconds / 60) });
    },
  };
}
