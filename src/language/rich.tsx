import { type Child, htmlOf, rawHtml } from "../lib/jsx/jsx-runtime.ts";
import type { Locale, TextKey, TextValues } from "./locale.ts";

type RichProps<K extends TextKey> = {
  locale: Locale;
  text: K;
  /** The target of `[…]`. */
  href?: string;
} & (TextValues<K, Child> extends [infer Values]
  ? {
      values: Values;
    }
  : unknown);

/** Renders a text as markup: its words are escaped, `**…**` is bold, `[…]` a link, `{name}` the given value. */
export function Rich<K extends TextKey>({ locale, text, href = "", ...props }: RichProps<K>) {
  const values: Readonly<Record<string, Child>> = "values" in props ? Object(props.values) : {};
  const html = htmlOf(locale.texts[text])
    // An amount and its unit stay on one line.
    .replaceAll("} USDC", "}&nbsp;USDC")
    .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
    .replace(/\[([^[\]]+)\]/g, (_, label: string) => `<a href="${htmlOf(href)}">${label}</a>`)
    .replace(/\{(\w+)\}/g, (placeholder, name: string) => htmlOf(values[name] ?? placeholder));
  return rawHtml(html);
}
