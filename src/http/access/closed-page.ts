import type { Receivable } from "../../domain/receivable/receivable.ts";
import { isPageClosed } from "../../store/reports/closed-page.ts";
import { problem } from "../problem/problem.ts";
import type { HttpDeps } from "../route/deps.ts";
import { isMerchant, sessionIn } from "./access.ts";
import { keyOf, useApiKey } from "./api-key.ts";

/** The answer to a stranger who asks for a document of what has closed; null for others: people at the desk, programs. */
export function closedAnswer(
  request: Request,
  deps: Pick<HttpDeps, "config" | "db" | "baseUrl" | "now">,
  receivable: Receivable,
): Response | null {
  if (!isPageClosed(deps, receivable)) return null;
  const key = keyOf(request);
  // Not every call refuses whatever else is sent as a key.
  const isKnown = key === null ? isMerchant(request, deps) : useApiKey(deps.db, key, deps.now()) !== null;
  if (isKnown || sessionIn(request, deps) !== null) return null;
  return problem("not_found", "It ended some time ago: only its merchant can still see it.");
}
