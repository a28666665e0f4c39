import { Html } from "@elysiajs/html";
import type { MessageKey } from "./en.ts";
import type { Reader } from "./reader.ts";

type RichProps = {
  reader: Reader;
  text: MessageKey;
  /** Markup for the `{names}` of the text. Trusted: made by components, never a person's text as it is. */
  values?: Readonly<Record<string, string>>;
  /** Where `[…]` leads to. */
  href?: string;
};

/** A text as markup: its own words are escaped, `**…**` is bold, `[…]` a link, `{name}` the markup given for it. */
export function Rich({ reader, text, values = {}, href = "" }: RichProps) {
  const safeMarkup = Html.escapeHtml(reader.language.messages[text])
    // An amount and its unit stay on one line.
    .replaceAll("} USDC", "}&nbsp;USDC")
    .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
    .replace(/\[(.+?)\]/g, (_, words: string) => `<a href="${Html.escapeHtml(href)}">${words}</a>`)
    .replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
  return <>{safeMarkup}</>;
}
