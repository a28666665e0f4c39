/**
 * Shows when a link expires, and until when its amount holds, in the reader's time zone, with its name. The server,
 * which does not know the zone, renders it in UTC, like the times of payments.
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
