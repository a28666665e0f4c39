import { fill, type Values } from "../../lib/text/english.ts";
import { type ClientKey, clientKeys } from "../text.ts";

/** A text in the language of the page, with its values filled in. The server writes them beside the payment. */
export function textOf(key: ClientKey, values: Values = {}): string {
  const texts = document.getElementById("payment")?.dataset["texts"]?.split("\n");
  return fill(texts?.[clientKeys.indexOf(key)] ?? "", values);
}

/** Where the server answers something else about the payment than its section. */
export function urlOf(what: string): string {
  const url = document.getElementById("payment")?.dataset["url"] ?? "";
  return url.replace(/\/payment(?=\?|$)/, `/${what}`);
}

/** Says a sentence to a screen reader, after what it is just saying. The page has the region. */
export function announce(sentence: string): void {
  const region = document.getElementById("announcement");
  if (region && region.textContent !== sentence) region.textContent = sentence;
}
