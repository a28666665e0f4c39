import { Html } from "@elysiajs/html";
import type { Locale, TextKey, ValuesOf } from "./locale.ts";

type RichProps<K extends TextKey> = {
  locale: Locale;
  text: K;
  /** Where `[…]` leads to. */
  href?: string;
} & (ValuesOf<K, JSX.Element> extends [infer Values]
  ? {
      /** Trusted markup for the `{names}` of the text: made by components, never a person's text as it is. */
      values: Values;
    }
  : unknown);

/** A text as markup: its own words are escaped, `**…**` is bold, `[…]` a link, `{name}` the markup given for it. */
export function Rich<K extends TextKey>({ locale, text, href = "", ...props }: RichProps<K>) {
  const values: Readonly<Record<string, JSX.Element>> = "values" in props ? Object(props.values) : {};
  const safeMarkup = Html.escapeHtml(locale.texts[text])
    // An amount and its unit stay on one line.
    .replaceAll("} USDC", "}&nbsp;USDC")
    .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
    .replace(/\[(.+?)\]/g, (_, label: string) => `<a href="${Html.escapeHtml(href)}">${label}</a>`)
    .replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
  return <>{safeMarkup}</>;
}
