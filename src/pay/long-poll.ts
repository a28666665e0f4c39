import * as LiveState from "../domain/payment/live-state.ts";
import { createAtOnce } from "../http/access/limits.ts";
import { queryOf } from "../http/answer/html.ts";
import { problem } from "../http/problem/problem.ts";
import type { AppDeps } from "../http/route/app-deps.ts";
import { world } from "../lib/world.ts";
import { isPageClosed } from "../store/reports/closed-page.ts";
import { receivableAt } from "../store/reports/receivable.ts";
import * as ReceivableStore from "../store/tables/invoicing/receivable.ts";

/** Shorter than the timeouts of browsers, proxies and programs. */
const holdMsDefault = 8_000;
/** Maximum waiting requests: per client address, if known, and in total. */
const waitingMax = { perClient: 20, ofAll: 1_000 };

/**
 * Responds with the amounts received for an invoice or a link as soon as they differ from `shown` (long polling): a
 * page, the counter or a terminal then fetches what it displays. Not part of the API, whose responses programs act on.
 */
export function createLongPoll(deps: AppDeps) {
  const { db, clientOf, paymentTo, stopping, longPollHoldMs = holdMsDefault } = deps;
  const begin = createAtOnce(waitingMax.perClient, waitingMax.ofAll);
  return async (request: Request, owner: "invoice" | "link", slug: string): Promise<Response> => {
    const find = () => ReceivableStore.liveStateBySlug(db, owner, slug);
    const found = find();
    // This is asked often, and most Tills close no page.
    const mayClose = deps.config.closePages !== null;
    if (found === null || (mayClose && isPageClosed(deps, receivableAt(db, found.index))))
      return problem("not_found", "Nothing can be paid here.");
    const line = LiveState.line(found);
    if (line !== queryOf(request.url)?.get("shown")) return new Response(line);
    const end = begin(clientOf(request) ?? world.randomUUID());
    if (!end) return problem("rate_limited", "Too many wait.", { headers: { "retry-after": "5" } });
    const over = AbortSignal.any([request.signal, stopping, world.timeout(longPollHoldMs)]);
    await paymentTo(found.index, over).finally(end);
    return new Response(LiveState.line(find() ?? found));
  };
}
