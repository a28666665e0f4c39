import * as Ending from "../../domain/receivable/ending.ts";
import type { Receivable } from "../../domain/receivable/receivable.ts";
import type { Db } from "../database.ts";
import * as EventStore from "../tables/outbox/event.ts";

export type ClosingDeps = {
  db: Db;
  now: () => number;
  /** Months until a page closes, null for never, in days of the time zone. */
  config: { readonly closePages: number | null; readonly timeZone: string };
};

/**
 * Returns whether the page of an invoice or a link has closed: it ended as long ago as TILL_CLOSE_PAGES says. Then
 * whoever has no more than its link learns no names, lines and amounts from anything that the link leads to.
 */
export function isPageClosed({ db, now, config }: ClosingDeps, receivable: Receivable): boolean {
  if (config.closePages === null || !Ending.hasEnded(receivable, now())) return false;
  // No event tells of a reusable link's payment that expired to make room for another.
  const expiredAt = receivable.kind === "link" ? receivable.expiresAt : null;
  const endedAt = Ending.endedAt(EventStore.listDeciding(db, receivable.deposit.index)) ?? expiredAt;
  return hasClosed({ now, config }, endedAt);
}

/** Returns whether the page of what ended then (Unix ms; null for not at all) has closed. */
export function hasClosed(
  { now, config: { closePages: months, timeZone } }: Pick<ClosingDeps, "now" | "config">,
  endedAt: number | null,
): boolean {
  return months !== null && endedAt !== null && Ending.isOver(endedAt, { months, timeZone, now: now() });
}
