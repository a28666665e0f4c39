import { chooseLanguage, type LanguageCode } from "../../language/languages.ts";
import { type Locale, speak } from "../../language/locale.ts";

/** The reader's locale, by `?lang=`, else by the browser's languages, else `otherwise`. */
export function localeOf({ url, headers }: Request, otherwise: LanguageCode): Locale {
  const lang = queryOf(url)?.get("lang") ?? null;
  return speak(chooseLanguage(lang, headers.get("accept-language"), otherwise));
}

/** A request's query; null when it has none. */
export function queryOf(url: string): URLSearchParams | null {
  const start = url.indexOf("?");
  return start === -1 ? null : new URLSearchParams(url.slice(start));
}
