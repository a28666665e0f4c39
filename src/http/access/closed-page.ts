import * as Ending from "../../domain/receivable/ending.ts";
import type { Receivable } from "../../domain/receivable/receivable.ts";
import * as EventStore from "../../store/tables/outbox/event.ts";
import { problem } from "../problem/problem.ts";
import type { HttpDeps } from "../route/deps.ts";
import { isMerchant, sessionIn } from "./access.ts";

type Deps = Pick<HttpDeps, "config" | "db" | "baseUrl" | "now">;

/**
 * Returns whether the page of an invoice or a link has closed: it ended as long ago as TILL_CLOSE_PAGES says. Then
 * whoever has no more than its link learns no names, lines and amounts from anything that the link leads to.
 */
export function isPageClosed(
  { config, db, now }: Pick<Deps, "config" | "db" | "now">,
  receivable: Receivable,
): boolean {
  const { closePages: months, timeZone } = config;
  const at = now();
  if (months === null || !Ending.hasEnded(receivable, at)) return false;
  const endedAt = Ending.endedAt(EventStore.listDeciding(db, receivable.deposit.index));
  return endedAt !== null && Ending.isOver(endedAt, { months, timeZone, now: at });
}

/** The answer to a stranger who asks for a document of what has closed; null for others: people at the desk, programs. */
export function closedAnswer(request: Request, deps: Deps, receivable: Receivable): Response | null {
  if (!isPageClosed(deps, receivable)) return null;
  if (isMerchant(request, deps) || sessionIn(request, deps) !== null) return null;
  return problem("page_closed", "It ended some time ago: only its merchant can still see it.");
}
