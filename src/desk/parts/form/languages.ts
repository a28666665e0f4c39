import { type LanguageCode, languageCodes, languages } from "../../../language/languages.ts";
import type { Locale } from "../../../language/locale.ts";
import type { Options } from "./form.tsx";

/** Till's languages, after an option for no choice. */
export const languagesAfter = (otherwise: string): Options => [
  { value: "", label: otherwise },
  ...languageCodes.map((code) => ({ value: code, label: languages[code].name })),
];

/** The same, where no choice means the installation's language. */
export const languagesAfterStandard = (standard: LanguageCode, { say }: Locale): Options =>
  languagesAfter(say("languageAsSetUp", { language: languages[standard].name }));
