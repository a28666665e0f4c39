import { fill, type Values } from "../../lib/text/english.ts";
import { type ClientKey, clientKeys, networkKeys } from "../text.ts";

/** See `wallets.ts`. */
declare const HAS_NETWORKS: boolean;

const keys: readonly ClientKey[] = HAS_NETWORKS ? [...clientKeys, ...networkKeys] : clientKeys;

/** Returns a text in the page's language, with its values filled in. The server writes these beside the payment. */
export function textOf(key: ClientKey, values: Values = {}): string {
  const texts = document.getElementById("payment")?.dataset["texts"]?.split("\n");
  return fill(texts?.[keys.indexOf(key)] ?? "", values);
}

/** Returns the URL of another response about the payment than its section. */
export function urlOf(what: string): string {
  const url = document.getElementById("payment")?.dataset["url"] ?? "";
  return url.replace(/\/payment(?=\?|$)/, `/${what}`);
}

/** Announces a sentence to screen readers, after the one being read. The page has the live region. */
export function announce(sentence: string): void {
  const region = document.getElementById("announcement");
  if (region && region.textContent !== sentence) region.textContent = sentence;
}
