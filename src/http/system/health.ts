import { Elysia } from "elysia";
import * as HealthPass from "../../doctor/health-pass.ts";
import { keyOf } from "../access/access.ts";
import { useApiKey } from "../access/api-key.ts";
import type { HttpDeps } from "../deps.ts";
import { type Remark, toEverybody } from "./remark.ts";

/**
 * For process supervisors and load balancers: alive at all, and fit to be sent requests. A public Till tells everybody,
 * so it says what is concerned and no more: everything is for who has an API key or the wallet, and in the log.
 */
export function healthRoutes({
  config,
  db,
  now,
  problems,
  warnings,
  vault,
}: Pick<HttpDeps, "config" | "db" | "now" | "problems" | "warnings" | "vault">) {
  async function isOurs(request: Request): Promise<boolean> {
    if (!config.isPublic) return true;
    const key = keyOf(request);
    if (key === null) return false;
    return HealthPass.looksLike(key)
      ? HealthPass.isValid(await vault(), key, now())
      : useApiKey(db, key, now()) !== null;
  }
  return new Elysia()
    .get("/health/live", () => ({ status: "ok" }))
    .get("/health/ready", async ({ request, set }) => {
      const inFull = await isOurs(request);
      const told = (all: Remark[]) => (inFull ? all.map(({ text }) => text) : toEverybody(all));
      const wrong = problems();
      const reasons = told(wrong);
      // A database that is lost, damaged or not checked yet may not even give its warnings.
      const isSound = !wrong.some(({ about }) => about === "storage" || about === "check");
      const noted = isSound ? told(warnings()) : [];
      const also = noted.length > 0 ? { warnings: noted } : {};
      if (reasons.length === 0) return { status: "ok", ...also };
      set.status = 503;
      return { status: "not ready", reasons, ...also };
    });
}
