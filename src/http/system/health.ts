import { Elysia } from "elysia";
import * as HealthPass from "../../doctor/health-pass.ts";
import { relayFigures, relaySums } from "../../doctor/relay-state.ts";
import type { Relayer } from "../../settle/relay/relayer.ts";
import { keyOf } from "../access/access.ts";
import { useApiKey } from "../access/api-key.ts";
import type { HttpDeps } from "../deps.ts";
import { type Remark, toEverybody } from "./remark.ts";

/**
 * For process supervisors and load balancers: alive at all, and ready for requests? A public Till answers anybody, so
 * it only says what is concerned; details need an API key or the wallet, or are in the log.
 */
export function healthRoutes({
  config,
  db,
  now,
  problems,
  warnings,
  vault,
  relayer,
}: Pick<HttpDeps, "config" | "db" | "now" | "problems" | "warnings" | "vault" | "relayer">) {
  async function isOurs(request: Request): Promise<boolean> {
    if (!config.isPublic) return true;
    const key = keyOf(request);
    if (key === null) return false;
    return HealthPass.looksLike(key)
      ? HealthPass.isValid(await vault(), key, now())
      : useApiKey(db, key, now()) !== null;
  }
  /** Whether they are currently offered, and their limits. */
  function signedPayments(running: Relayer) {
    const obstacle = running.glance();
    const sums = relaySums(db, config.network.chainId, now());
    return {
      offered: obstacle === null,
      obstacle,
      ...relayFigures(config.relay, sums),
    };
  }

  return new Elysia()
    .get("/health/live", () => ({ status: "ok" }))
    .get("/health/ready", async ({ request, set }) => {
      const inFull = await isOurs(request);
      const textsOf = (all: Remark[]) => (inFull ? all.map(({ text }) => text) : toEverybody(all));
      const wrong = problems();
      const reasons = textsOf(wrong);
      // A lost, damaged or unchecked database must not even be asked for its warnings.
      const isSound = !wrong.some(({ about }) => about === "storage" || about === "check");
      const noted = isSound ? textsOf(warnings()) : [];
      const running = inFull && isSound ? relayer() : null;
      const also = {
        ...(noted.length > 0 ? { warnings: noted } : {}),
        ...(running === null ? {} : { signed_payments: signedPayments(running) }),
      };
      if (reasons.length === 0) return { status: "ok", ...also };
      set.status = 503;
      return { status: "not ready", reasons, ...also };
    });
}
