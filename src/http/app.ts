import { Elysia } from "elysia";
import { checkAccess, pdfRoute } from "./access.ts";
import { createClientFinder } from "./client.ts";
import type { HttpDeps } from "./deps.ts";
import { failureAnswer } from "./failure.ts";
import { bodyBytesMax, guard, tooLarge } from "./guard.ts";
import { htmlMessage, wantsHtml } from "./html.ts";
import { createHttpMetrics } from "./http-metrics.ts";
import { createLimits } from "./limits.ts";
import { createRouteFinder, pathOf } from "./path.ts";
import { problem } from "./problem.ts";
import { createRequestLog } from "./request-log.ts";
import { docsRoutes } from "./routes/docs.ts";
import { healthRoutes } from "./routes/health.ts";
import { invoiceRoutes } from "./routes/invoices.ts";
import { linkRoutes } from "./routes/links.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { pageRoutes } from "./routes/pages.ts";
import { harden, securityHeaders } from "./security-headers.ts";

/** What the server takes off the wire at all. Above it the connection ends with a bare 413. */
const receivedBytesMax = 16 * bodyBytesMax;

/** A request that has not come in whole by then is dropped, also when it drips in byte by byte. */
const idleSecondsMax = 10;

export type App = {
  /** Binds the address. Throws when it cannot, for example because the port is taken. */
  listen(): void;
  /** Stops accepting, lets running requests finish, and returns when they have. */
  stop(): Promise<void>;
};

/** Everything that Till answers over HTTP. */
export function createApp(deps: HttpDeps, address: { host: string; port: number }): App {
  const { brand } = deps.config;
  const limits = createLimits(deps.config);
  const httpMetrics = createHttpMetrics();
  const noteAnswer = createRequestLog(deps);
  // Otherwise a short Host header moves where a path begins, past the question for a key.
  const app = new Elysia({ handler: { standardHostname: false } })
    .onParse(async ({ request }) => readJson(request))
    .onError(({ code, error, request, path }) => {
      // Elysia wraps what a parser throws.
      const refused = error instanceof Error && error.cause instanceof BodyRefused ? error.cause : error;
      if (refused instanceof BodyRefused) return problem(refused.code, refused.message);
      if (code !== "NOT_FOUND") return failureAnswer(error, deps, request, path);
      if (wantsHtml(request))
        return htmlMessage(404, "Page not found", "There is nothing at this address.", { brand });
      return problem("not_found", "There is nothing at this address.");
    })
    .use(healthRoutes(deps))
    .use(docsRoutes(deps))
    .use(metricsRoutes(deps, httpMetrics))
    .use(invoiceRoutes(deps, limits))
    .use(linkRoutes(deps))
    .use(pageRoutes(deps));
  refuseOtherMethods(app);

  const findRoute = createRouteFinder(app.routes.map(({ path }) => path));
  const everyAnswerHas = Object.entries(securityHeaders(deps.baseUrl));
  const guardRules = { baseUrl: deps.baseUrl, isPublic: deps.config.isPublic };

  const accessDeps = { ...deps, limits };
  const clientOf = createClientFinder(deps.config);

  async function answer(request: Request, path: string, route: string, peer: string): Promise<Response> {
    const client = clientOf(peer, request.headers);
    const refused = guard(request, guardRules) ?? checkAccess(request, { path, route, client }, accessDeps);
    if (refused) return refused;
    if (route !== pdfRoute) return app.fetch(request);
    const end = limits.beginPdf(client);
    if (typeof end !== "function") return limits.refusal(end, request, path);
    try {
      return await app.fetch(request);
    } finally {
      end();
    }
  }

  let server: Bun.Server<undefined> | null = null;
  return {
    listen() {
      server = Bun.serve({
        hostname: address.host,
        port: address.port,
        reusePort: false,
        // Its pages for developers show the stack.
        development: false,
        idleTimeout: idleSecondsMax,
        maxRequestBodySize: receivedBytesMax,
        async fetch(request, bound) {
          const startedAt = performance.now();
          const path = pathOf(request.url);
          const route = path === null ? "other" : findRoute(path);
          const answered = await (path === null
            ? problem("malformed_request", "The Host header or the path is not valid.")
            : answer(request, path, route, bound.requestIP(request)?.address ?? "").catch((thrown) =>
                failureAnswer(thrown, deps, request, path),
              ));
          const ms = performance.now() - startedAt;
          httpMetrics.observe(route, request.method, answered.status, ms);
          noteAnswer(request, route, answered, ms);
          return harden(answered, everyAnswerHas);
        },
      });
    },
    async stop() {
      await server?.stop();
    },
  };
}

/** Reads the body as JSON, whatever its media type: the guard has let only JSON pass. No body is undefined. */
async function readJson(request: Request): Promise<unknown> {
  const bytes = await request.bytes();
  if (bytes.byteLength > bodyBytesMax) throw new BodyRefused("body_too_large", tooLarge);
  if (bytes.byteLength === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // What the parser says repeats what was sent.
    throw new BodyRefused("malformed_json", "The body is not valid JSON in UTF-8.");
  }
}

/** A known path with another method is 405 and says which methods there are. */
function refuseOtherMethods(app: {
  routes: { path: string; method: string }[];
  all: (path: string, handler: () => Response) => unknown;
}) {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) methods.set(path, (methods.get(path) ?? new Set()).add(method));
  for (const [path, known] of methods) {
    if (known.has("GET")) known.add("HEAD");
    const allow = [...known].sort().join(", ");
    app.all(path, () =>
      problem("method_not_allowed", `Only ${allow} can be used here.`, { headers: { allow } }),
    );
  }
}

class BodyRefused extends Error {
  override readonly name = "BodyRefused";
  constructor(
    readonly code: "malformed_json" | "body_too_large",
    message: string,
  ) {
    super(message);
  }
}
