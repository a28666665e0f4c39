import { Elysia } from "elysia";
import type { Deposit } from "../domain/payment/deposit.ts";
import { createAtOnce } from "../http/access/limits.ts";
import { queryOf } from "../http/answer/html.ts";
import type { AppDeps } from "../http/deps.ts";
import { problem } from "../http/problem/problem.ts";
import * as InvoiceStore from "../store/tables/invoicing/invoice.ts";
import * as LinkStore from "../store/tables/invoicing/link.ts";

/** Below what browsers, proxies and programs give up after. */
const holdMs = 8_000;
/** Requests that wait, of all and of one address; those beyond are answered at once, and ask again later. */
const waitingMax = 1_000;
const waitingPerClientMax = 20;

/**
 * What arrives before its block, for pages and a waiting `till invoice`. Not part of the API, whose answers are what
 * programs act on. With `shown` the answer waits until it is something else.
 */
export function arrivingRoutes(
  { db, arriving, clientOf }: Pick<AppDeps, "db" | "arriving" | "clientOf">,
  stopping: AbortSignal,
) {
  const [ofAll, ofClient] = [createAtOnce(waitingMax), createAtOnce(waitingPerClientMax)];

  /** Takes a place among those that wait; null when there is none. */
  function begin(request: Request): (() => void) | null {
    const client = clientOf(request);
    const ends = [ofAll(""), client === null ? () => {} : ofClient(client)];
    const end = () => {
      for (const each of ends) each?.();
    };
    if (ends.every((each) => each !== null)) return end;
    end();
    return null;
  }

  async function answer(request: Request, of: { deposit: Deposit } | null): Promise<Response> {
    if (of === null) return problem("not_found", "There is no such page.");
    const { index } = of.deposit;
    const told = arriving();
    const shown = queryOf(request.url)?.get("shown") ?? null;
    const end = shown === null || told === null ? null : begin(request);
    if (end) {
      const over = [request.signal, stopping, AbortSignal.timeout(holdMs)];
      await told?.change(index, shown || null, AbortSignal.any(over)).finally(end);
    }
    return Response.json({ arriving: told?.amountOf(index) ?? null });
  }

  return new Elysia()
    .get("/i/:slug/arriving", ({ params, request }) => answer(request, InvoiceStore.bySlug(db, params.slug)))
    .get("/pay/:slug/arriving", ({ params, request }) => answer(request, LinkStore.bySlug(db, params.slug)));
}
