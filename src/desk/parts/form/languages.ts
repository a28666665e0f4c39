import { type LanguageCode, languageCodes, languages } from "../../../language/languages.ts";
import type { Locale } from "../../../language/locale.ts";
import type { Options } from "./form.tsx";

/** Till's languages, below what holds without a choice. */
export const languagesAfter = (otherwise: string): Options => [
  { value: "", label: otherwise },
  ...languageCodes.map((code) => ({ value: code, label: languages[code].name })),
];

/** The same, where the language of the installation holds without a choice. */
export const languagesAfterStandard = (standard: LanguageCode, { say }: Locale): Options =>
  languagesAfter(say("languageAsSetUp", { language: languages[standard].name }));
