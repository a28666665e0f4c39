import { chooseLanguage, type LanguageCode } from "../../language/languages.ts";
import { type Locale, speak } from "../../language/locale.ts";

/** Who reads the answer, in the language that `?lang=` or else the browser asks for, else in `otherwise`. */
export function localeOf({ url, headers }: Request, otherwise: LanguageCode): Locale {
  const lang = queryOf(url)?.get("lang") ?? null;
  return speak(chooseLanguage(lang, headers.get("accept-language"), otherwise));
}

/** What follows the path of a request's URL; null when nothing does. */
export function queryOf(url: string): URLSearchParams | null {
  const start = url.indexOf("?");
  return start === -1 ? null : new URLSearchParams(url.slice(start));
}
