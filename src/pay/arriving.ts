import type { Deposit } from "../domain/payment/deposit.ts";
import * as Usdc from "../domain/usdc.ts";
import { createAtOnce } from "../http/access/limits.ts";
import { queryOf } from "../http/answer/html.ts";
import type { AppDeps } from "../http/deps.ts";
import { problem } from "../http/problem/problem.ts";

/** Below what browsers, proxies and programs give up after. */
const holdMs = 8_000;
/** Requests that wait: of one address, if it is known, and in all. */
const waitingMax = { perClient: 20, ofAll: 1_000 };

/**
 * Answers what arrives before its block, and what came, to a waiting `till invoice`; with `shown`, to a page, with the
 * `section` as it is once that is something else. It is not part of the API, whose answers programs act on.
 */
export function arrivingAnswer({ arriving, clientOf }: AppDeps, stopping: AbortSignal) {
  const begin = createAtOnce(waitingMax.perClient, waitingMax.ofAll);
  return async (request: Request, of: { deposit: Deposit } | null, section: () => MaybePromise<Response>) => {
    const told = arriving();
    const shown = queryOf(request.url)?.get("shown") ?? null;
    if (of !== null && shown === null)
      return Response.json({
        arriving: told?.amountOf(of.deposit.index) ?? "0.00",
        came: Usdc.formatExact(Usdc.sum([of.deposit.received, of.deposit.pending])),
      });
    if (of === null || shown === null) return section();
    const end = told && begin(clientOf(request) ?? crypto.randomUUID());
    if (!end) return problem("rate_limited", "Too many wait.", { headers: { "retry-after": "5" } });
    const over = AbortSignal.any([request.signal, stopping, AbortSignal.timeout(holdMs)]);
    await told.change(of.deposit.index, shown, over).finally(end);
    return section();
  };
}

type MaybePromise<T> = T | Promise<T>;
