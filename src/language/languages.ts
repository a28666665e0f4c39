import { type LanguageCode, languageCodes } from "../domain/language.ts";

/** Punctuation between joined texts. */
export type Marks = Readonly<{
  /** Between two sentences: empty where the full stop is as wide as a letter. */
  gap: "" | " ";
  /** Between a label and its value. */
  colon: string;
  comma: string;
  /** Around an addition to a text, with the space before them. */
  brackets: readonly [string, string];
}>;

const western: Marks = { gap: " ", colon: ": ", comma: ", ", brackets: [" (", ")"] };
const wide: Marks = { gap: "", colon: "：", comma: "，", brackets: ["（", "）"] };

/** The languages that Till writes in. */
export type Language = Readonly<{
  /** BCP 47 tag, for `lang`, dates and numbers. Digits stay Latin: amounts are compared with a wallet's. */
  tag: string;
  /** The language's name for its readers. */
  name: string;
  dir: "ltr" | "rtl";
  marks: Marks;
}>;

export const languages = {
  en: { tag: "en-GB", name: "English", dir: "ltr", marks: western },
  de: { tag: "de", name: "Deutsch", dir: "ltr", marks: western },
  es: { tag: "es", name: "Español", dir: "ltr", marks: western },
  fr: { tag: "fr", name: "Français", dir: "ltr", marks: { ...western, colon: "\u00a0: " } },
  pt: { tag: "pt-BR", name: "Português", dir: "ltr", marks: western },
  ja: { tag: "ja", name: "日本語", dir: "ltr", marks: { ...wide, comma: "、" } },
  zh: { tag: "zh-Hans", name: "简体中文", dir: "ltr", marks: wide },
  ar: { tag: "ar-u-nu-latn", name: "العربية", dir: "rtl", marks: { ...western, comma: "، " } },
} as const satisfies Record<LanguageCode, Language>;

export { type LanguageCode, languageCodes };

export function isLanguageCode(code: string): code is LanguageCode {
  return Object.hasOwn(languages, code);
}

const preferencesMax = 20;

/**
 * Chooses the language of a page: the requested one, else the first available one that the browser prefers (the
 * Accept-Language header, RFC 9110 section 12.5.4), else `otherwise`.
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
      const [tag = "", ...parameters] = part.split(";").map((each) => each.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
  for (const tag of [asked ?? "", ...wanted]) {
    const code = tag.toLowerCase().split("-")[0] ?? "";
    if (isLanguageCode(code)) return code;
  }
  return otherwise;
}
