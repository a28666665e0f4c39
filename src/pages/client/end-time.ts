/**
 * Tells until when a link can be paid, and until when its amount holds, in the reader's time zone, by name. The server,
 * which does not know it, tells it in UTC, as it does when payments were made.
 */
export function tellEndHere(container: Element): void {
  for (const time of container.querySelectorAll<HTMLTimeElement>(".due time"))
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
