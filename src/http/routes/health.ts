import { Elysia } from "elysia";
import type { HttpDeps } from "../deps.ts";

/** For process supervisors and load balancers: alive at all, and fit to be sent requests. */
export function healthRoutes({ problems, warnings }: HttpDeps) {
  return new Elysia()
    .get("/health/live", () => ({ status: "ok" }))
    .get("/health/ready", ({ set }) => {
      const reasons = problems();
      const noted = warnings();
      if (reasons.length === 0) return { status: "ok", ...(noted.length > 0 ? { warnings: noted } : {}) };
      set.status = 503;
      return { status: "not ready", reasons };
    });
}
