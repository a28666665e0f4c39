import { Elysia } from "elysia";
import type { HttpDeps } from "../deps.ts";

/** Addresses and hashes: by those of the gas account all that a merchant was ever paid can be found on the chain. */
const onChain = /0x[0-9a-f]{40,64}/gi;

/**
 * For process supervisors and load balancers: alive at all, and fit to be sent requests. A public Till tells everybody,
 * so it leaves out who is who on the chain: the log and the command line say that.
 */
export function healthRoutes({
  config,
  problems,
  warnings,
}: Pick<HttpDeps, "config" | "problems" | "warnings">) {
  const told = (sentences: string[]) =>
    config.isPublic ? sentences.map((sentence) => sentence.replace(onChain, "0x…")) : sentences;
  return new Elysia()
    .get("/health/live", () => ({ status: "ok" }))
    .get("/health/ready", ({ set }) => {
      const reasons = told(problems());
      const noted = told(warnings());
      const also = noted.length > 0 ? { warnings: noted } : {};
      if (reasons.length === 0) return { status: "ok", ...also };
      set.status = 503;
      return { status: "not ready", reasons, ...also };
    });
}
