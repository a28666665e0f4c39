import { fill, type Values } from "../../lib/text/english.ts";
import { type ClientKey, clientKeys } from "../text.ts";

/** A text in the language of the page, with its values filled in. The server writes them beside the payment. */
export function textOf(key: ClientKey, values: Values = {}): string {
  const texts = document.getElementById("payment")?.dataset["texts"]?.split("\n");
  return fill(texts?.[clientKeys.indexOf(key)] ?? "", values);
}

/** Says a sentence to a screen reader, after what it is just saying. The page has the region. */
export function announce(sentence: string): void {
  const region = document.getElementById("announcement");
  if (region && region.textContent !== sentence) region.textContent = sentence;
}

/**
 * Tells until when a link can be paid in the reader's time zone, by name. The server, which does not know it, tells it in
 * UTC, as it does when payments were made.
 */
export function tellEndHere(container: Element): void {
  const time = container.querySelector<HTMLTimeElement>(".due time");
  if (time)
    time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, {
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZoneName: "short",
    });
}
