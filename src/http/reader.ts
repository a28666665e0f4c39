import { chooseLanguage, type LanguageCode } from "../lib/language.ts";
import { type Reader, readerOf } from "../pages/language/reader.ts";

/** Who reads the answer, in the language that `?lang=` or else the browser asks for, else in `otherwise`. */
export function readerOfRequest({ url, headers }: Request, otherwise: LanguageCode): Reader {
  const asked = queryOf(url)?.get("lang") ?? null;
  return readerOf(chooseLanguage(asked, headers.get("accept-language"), otherwise));
}

/** What follows the path of a request's URL; null when nothing does. */
export function queryOf(url: string): URLSearchParams | null {
  const start = url.indexOf("?");
  return start === -1 ? null : new URLSearchParams(url.slice(start));
}
