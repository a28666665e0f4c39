import * as HealthPass from "../../doctor/health-pass.ts";
import { relayFigures } from "../../doctor/relay-state.ts";
import { type Finding, inFull, inPublic } from "../../domain/finding.ts";
import { allows } from "../../domain/party/api-key.ts";
import type { Relayer } from "../../settle/relay/relayer.ts";
import { keyOf, useApiKey } from "../access/api-key.ts";
import { Health } from "../fields/health-schema.ts";
import type { HttpDeps } from "../route/deps.ts";
import { type Route, route } from "../route/route.ts";

/** True if a request may see details, which need an API key or the wallet if Till is public. Others get a summary. */
async function isOurs({ config, db, now, vault }: HttpDeps, request: Request): Promise<boolean> {
  if (!config.isPublic) return true;
  const key = keyOf(request);
  if (key === null) return false;
  if (HealthPass.looksLike(key)) return HealthPass.isValid(await vault(), key, now());
  const used = useApiKey(db, key, now());
  // The details name invoices of all merchants.
  return used !== null && used.merchant === null && allows(used.scope, "read");
}

/** The current availability of signed payments, and their limits. */
function signedPayments({ config, db, now }: HttpDeps, running: Relayer) {
  const obstacle = running.glance();
  return { offered: obstacle === null, obstacle, ...relayFigures(db, config, now()) };
}

/** All findings. Warnings are null for a lost, damaged or unchecked database, which must not even be read for them. */
export function findingsOf({ problems, warnings }: Pick<HttpDeps, "problems" | "warnings">) {
  const known = problems();
  const isSound = !known.some(({ about }) => about === "storage" || about === "check");
  return { problems: known, warnings: isSound ? warnings() : null };
}

/** For process supervisors and load balancers: alive at all, and ready for requests? */
export const healthRoutes: readonly Route[] = [
  route({
    method: "get",
    path: "/health/live",
    scope: "open",
    summary: "Check whether Till is running",
    gives: Health,
    does: () => () => ({ status: "ok" }),
  }),
  route({
    method: "get",
    path: "/health/ready",
    scope: "open",
    summary: "Check whether Till is healthy; 503 with the reasons if not",
    gives: Health,
    does:
      (deps) =>
      async ({ request }) => {
        const isFull = await isOurs(deps, request);
        const say = (all: Finding[]) => (isFull ? all.map(inFull) : inPublic(all));
        const { problems, warnings } = findingsOf(deps);
        const reasons = say(problems);
        const noted = say(warnings ?? []);
        const running = isFull && warnings !== null ? deps.relayer() : null;
        const also = {
          ...(noted.length > 0 ? { warnings: noted } : {}),
          ...(running === null ? {} : { signed_payments: signedPayments(deps, running) }),
        };
        if (reasons.length === 0) return { status: "ok", ...also };
        const body = JSON.stringify({ status: "not ready", reasons, ...also });
        return new Response(body, { status: 503, headers: { "content-type": "application/json" } });
      },
  }),
];
