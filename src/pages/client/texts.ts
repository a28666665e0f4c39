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

/** Shows and says while the server cannot be reached; `again` is what it says when it can be. */
export function tellConnection(isConnected: boolean, again?: () => string): void {
  const connection = document.getElementById("connection");
  if (connection === null || connection.hidden === isConnected) return;
  connection.hidden = isConnected;
  if (!isConnected) announce(connection.textContent ?? "");
  else if (again) announce(again());
}

/** Calls `look` whenever the reader comes back to the page. */
export function whenShown(look: () => void): void {
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) look();
  });
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
