import { Elysia } from "elysia";
import { useApiKey } from "../../service/api-key.ts";
import { keyOf } from "../access.ts";
import type { HttpDeps } from "../deps.ts";
import { type Remark, toEverybody } from "../remark.ts";

/**
 * For process supervisors and load balancers: alive at all, and fit to be sent requests. A public Till tells everybody,
 * so it says what is concerned and no more: everything is for who has an API key, and in the log.
 */
export function healthRoutes({
  config,
  db,
  now,
  problems,
  warnings,
}: Pick<HttpDeps, "config" | "db" | "now" | "problems" | "warnings">) {
  const isOurs = (request: Request) => {
    const key = keyOf(request);
    return !config.isPublic || (key !== null && useApiKey(db, key, now()) !== null);
  };
  return new Elysia()
    .get("/health/live", () => ({ status: "ok" }))
    .get("/health/ready", ({ request, set }) => {
      const inFull = isOurs(request);
      const told = (all: Remark[]) => (inFull ? all.map(({ text }) => text) : toEverybody(all));
      const reasons = told(problems());
      const noted = told(warnings());
      const also = noted.length > 0 ? { warnings: noted } : {};
      if (reasons.length === 0) return { status: "ok", ...also };
      set.status = 503;
      return { status: "not ready", reasons, ...also };
    });
}
