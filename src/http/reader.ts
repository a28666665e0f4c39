import { chooseLanguage, type LanguageCode } from "../lib/language.ts";
import { type Reader, readerOf } from "../pages/language/reader.ts";

/** Who reads the answer, in the language that `?lang=` or else the browser asks for, else in `otherwise`. */
export function readerOfRequest({ url, headers }: Request, otherwise: LanguageCode): Reader {
  const query = url.indexOf("?");
  const asked = query === -1 ? null : new URLSearchParams(url.slice(query)).get("lang");
  return readerOf(chooseLanguage(asked, headers.get("accept-language"), otherwise));
}
