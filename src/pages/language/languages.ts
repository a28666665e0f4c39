import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en, type Messages } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { pt } from "./pt.ts";
import { zh } from "./zh.ts";

export type Language = {
  /** BCP 47, for `lang` and for dates. Digits stay Latin: amounts are compared with a wallet's. */
  tag: string;
  /** What its readers call it. */
  name: string;
  dir: "ltr" | "rtl";
  messages: Messages;
};

/** In the order in which the switch shows them. */
const languages = {
  en: { tag: "en-GB", name: "English", dir: "ltr", messages: en },
  de: { tag: "de", name: "Deutsch", dir: "ltr", messages: de },
  es: { tag: "es", name: "Español", dir: "ltr", messages: es },
  fr: { tag: "fr", name: "Français", dir: "ltr", messages: fr },
  pt: { tag: "pt-PT", name: "Português", dir: "ltr", messages: pt },
  ja: { tag: "ja", name: "日本語", dir: "ltr", messages: ja },
  zh: { tag: "zh-Hans", name: "简体中文", dir: "ltr", messages: zh },
  ar: { tag: "ar-u-nu-latn", name: "العربية", dir: "rtl", messages: ar },
} as const satisfies Record<string, Language>;

export type LanguageCode = keyof typeof languages;

export const languageCodes = Object.keys(languages) as LanguageCode[];

export function language(code: LanguageCode): Language {
  return languages[code];
}

const preferencesMax = 20;

/**
 * The language to show a page in: the one that was asked for, else the first that the browser prefers (the
 * Accept-Language header, RFC 9110 section 12.5.4) and that there is, else English.
 */
export function chooseLanguage(asked: string | null, acceptLanguage: string | null): LanguageCode {
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
  return "en";
}

function isLanguageCode(code: string): code is LanguageCode {
  return Object.hasOwn(languages, code);
}
