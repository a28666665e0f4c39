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
  const { closePages: months, timeZone } = config;
  const at = now();
  if (months === null || !Ending.hasEnded(receivable, at)) return false;
  const endedAt = Ending.endedAt(EventStore.listDeciding(db, receivable.deposit.index));
  return endedAt !== null && Ending.isOver(endedAt, { months, timeZone, now: at });
}
