import { type LanguageCode, languageCodes } from "../../lib/language.ts";
import type { MessageKey } from "./en.ts";
import { language } from "./languages.ts";

/** The texts that stand in the shop's page, around the frame. */
const widgetKeys = [
  "payWithUsdc",
  "formMissing",
  "openPayment",
  "slugMissing",
] as const satisfies readonly MessageKey[];

export type WidgetWords = Readonly<Record<(typeof widgetKeys)[number], string>>;

/** In every language. To be imported as a macro: the script then carries these texts and not the dictionaries. */
export function widgetWords(): Record<LanguageCode, WidgetWords> {
  return Object.fromEntries(
    languageCodes.map((code) => {
      const { messages } = language(code);
      return [code, Object.fromEntries(widgetKeys.map((key) => [key, messages[key]]))];
    }),
  ) as Record<LanguageCode, WidgetWords>;
}
