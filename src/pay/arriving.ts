import type { Deposit } from "../domain/payment/deposit.ts";
import { createAtOnce } from "../http/access/limits.ts";
import { queryOf } from "../http/answer/html.ts";
import type { AppDeps } from "../http/deps.ts";

/** Below what browsers, proxies and programs give up after. */
const holdMs = 8_000;
/** Requests that wait; those beyond are answered at once, and ask again later. */
const waitingMax = { perClient: 20, ofAll: 1_000 };

/**
 * Answers what arrives before its block, and the `section` that shows it, to pages and a waiting `till invoice`. It is
 * not part of the API, whose answers programs act on. With `shown` the answer waits until it is something else.
 */
export function arrivingAnswer({ arriving, clientOf }: AppDeps, stopping: AbortSignal) {
  const begin = createAtOnce(waitingMax.perClient, waitingMax.ofAll);
  return async (request: Request, of: { deposit: Deposit } | null, section: () => MaybePromise<Response>) => {
    const told = arriving();
    if (of === null || told === null) return section();
    const { index } = of.deposit;
    const shown = queryOf(request.url)?.get("shown") ?? null;
    const end = shown === null ? null : begin(clientOf(request) ?? "");
    const over = AbortSignal.any([request.signal, stopping, AbortSignal.timeout(holdMs)]);
    if (end !== null) await told.change(index, shown ?? "", over).finally(end);
    return Response.json({ arriving: told.amountOf(index), section: await (await section()).text() });
  };
}

type MaybePromise<T> = T | Promise<T>;
