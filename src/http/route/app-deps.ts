import type { X402 } from "../relay/x402/x402.ts";
import type { HttpMetrics } from "../system/request-log.ts";
import type { HttpDeps } from "./deps.ts";

/** Dependencies that the app adds for its routes. */
export type AppDeps = HttpDeps & {
  x402: X402;
  httpMetrics: HttpMetrics;
  /** The client that a request counts against; only the connection knows it. */
  clientOf: (request: Request) => string | null;
  /** Makes an API call on behalf of the client of the second request, with all checks. Never rejects. */
  callApi: (call: Request, of: Request) => Promise<Response>;
  /** Aborts everything that would keep a request open. */
  stopping: AbortSignal;
};
