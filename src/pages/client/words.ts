import { fill, type Values } from "../../lib/fill.ts";
import type { ClientKey } from "../language/client-words.ts";

let words: Partial<Record<ClientKey, string>> | undefined;

/** A text in the reader's language, with its values filled in. The server writes them beside the payment. */
export function word(key: ClientKey, values: Values = {}): string {
  words ??= JSON.parse(document.getElementById("payment")?.dataset["words"] ?? "{}") as typeof words;
  return fill(words?.[key] ?? "", values);
}
