import { type LanguageCode, languageCodes } from "../language/languages.ts";
import { speak, type TextKey } from "../language/locale.ts";

/** The texts that stand in the shop's page, around the frame. */
const widgetKeys = [
  "payWithUsdc",
  "formMissing",
  "openPayment",
  "slugMissing",
] as const satisfies readonly TextKey[];

/** In every language. */
export type WidgetTexts = Record<LanguageCode, Record<(typeof widgetKeys)[number], string>>;

export function widgetTexts(): WidgetTexts {
  return Object.fromEntries(
    languageCodes.map((code) => {
      const { texts } = speak(code);
      return [code, Object.fromEntries(widgetKeys.map((key) => [key, texts[key]]))];
    }),
  ) as WidgetTexts;
}
