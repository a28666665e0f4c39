import { type LanguageCode, languages, type Speech } from "../../lib/language.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en, type Messages } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { pt } from "./pt.ts";
import { zh } from "./zh.ts";

export type Language = Speech & { readonly messages: Messages };

const messages: Readonly<Record<LanguageCode, Messages>> = { en, de, es, fr, pt, ja, zh, ar };

export function language(code: LanguageCode): Language {
  return { ...languages[code], messages: messages[code] };
}
