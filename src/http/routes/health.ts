import { Elysia } from "elysia";
import type { HttpDeps } from "../deps.ts";

/** For process supervisors and load balancers: alive at all, and fit to be sent requests. */
export function healthRoutes({ problems }: HttpDeps) {
  return new Elysia()
    .get("/health/live", () => ({ status: "ok" }))
    .get("/health/ready", ({ set }) => {
      const reasons = problems();
      if (reasons.length === 0) return { status: "ok" };
      set.status = 503;
      return { status: "not ready", reasons };
    });
}
