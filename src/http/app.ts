import { Elysia } from "elysia";
import { type Asked, checkAccess, paymentStatusRoute, pdfRoute } from "./access.ts";
import { BodyRefused } from "./body.ts";
import { createClientFinder } from "./client.ts";
import type { HttpDeps } from "./deps.ts";
import { failureAnswer } from "./failure.ts";
import { guard } from "./guard.ts";
import { htmlMessage, wantsHtml } from "./html.ts";
import { createHttpMetrics } from "./http-metrics.ts";
import { createLimits } from "./limits.ts";
import { createRouteFinder, pathOf } from "./path.ts";
import { problem } from "./problem.ts";
import { createRequestLog } from "./request-log.ts";
import { docsRoutes } from "./routes/docs.ts";
import { healthRoutes } from "./routes/health.ts";
import { invoiceRoutes } from "./routes/invoices.ts";
import { linkRoutes, paymentStatusOf } from "./routes/links.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { checkoutPageRoute, createPayPages, invoicePageRoute, pageRoutes } from "./routes/pages.ts";
import { harden, securityHeaders } from "./security-headers.ts";

/** What the server takes off the wire at all. Above it the connection ends with a bare 413. */
const receivedBytesMax = 1024 * 1024;

/** A request that has not come in whole by then is dropped, also when it drips in byte by byte. */
const idleSecondsMax = 10;

/** More than a PDF and a mail may take together. What hangs has a limit of its own, and is told with an answer. */
const answerSecondsMax = 120;

export type App = {
  /** Binds the address. Throws when it cannot, for example because the port is taken. */
  listen(): void;
  /** Stops accepting, lets running requests finish, and returns when they have. */
  stop(): Promise<void>;
};

/** Everything that Till answers over HTTP. */
export function createApp(deps: HttpDeps, address: { host: string; port: number }): App {
  const limits = createLimits(deps.config);
  const httpMetrics = createHttpMetrics();
  const payPages = createPayPages(deps);
  const noteAnswer = createRequestLog(deps);
  // Otherwise a short Host header moves where a path begins, past the question for a key.
  const app = new Elysia({ handler: { standardHostname: false } })
    .onError(({ code, error, request, path }) => {
      // Elysia wraps what a parser throws.
      const refused = error instanceof Error && error.cause instanceof BodyRefused ? error.cause : error;
      if (refused instanceof BodyRefused) return problem(refused.code, refused.message);
      if (code !== "NOT_FOUND") return failureAnswer(error, deps, request, path);
      if (wantsHtml(request)) return htmlMessage(404, request, deps.config);
      return problem("not_found", "No such endpoint.");
    })
    .use(healthRoutes(deps))
    .use(docsRoutes(deps))
    .use(metricsRoutes(deps, httpMetrics))
    .use(invoiceRoutes(deps, limits))
    .use(linkRoutes(deps))
    .use(pageRoutes(deps, payPages));
  refuseOtherMethods(app);

  const findRoute = createRouteFinder(app.routes.map(({ path }) => path));
  const everyAnswerHas = Object.entries(securityHeaders(deps.baseUrl));
  const { isPublic, openApi } = deps.config;
  const guardRules = { baseUrl: deps.baseUrl, isPublic, openApi };

  const accessDeps = { ...deps, limits };
  const clientOf = createClientFinder(deps.config);
  const paymentStatus = paymentStatusOf(deps);

  const refusal = (request: Request, asked: Asked) =>
    guard(request, guardRules) ?? checkAccess(request, asked, accessDeps);

  function answer(request: Request, asked: Asked): MaybePromise<Response> {
    const refused = refusal(request, asked);
    if (refused) return refused;
    return asked.route === pdfRoute ? answerPdf(request, asked) : app.fetch(request);
  }

  async function answerPdf(request: Request, { path, client }: Asked): Promise<Response> {
    const end = limits.beginPdf(client);
    if (typeof end !== "function") return limits.refusal(end, request, path);
    try {
      return await app.fetch(request);
    } finally {
      end();
    }
  }

  /** Bun counts the time in which an answer is made as idle, unless a body came before. */
  function patient(request: Request, bound: Bun.Server<undefined>, answer: Promise<Response>) {
    bound.timeout(request, answerSecondsMax);
    return answer.finally(() => bound.timeout(request, idleSecondsMax));
  }

  /** Not async: an answer that has nothing to wait for goes out at once, without the cost of a promise. */
  function respond(
    request: Request,
    bound: Bun.Server<undefined>,
    route: string,
    make: (client: string | null) => MaybePromise<Response>,
  ): MaybePromise<Response> {
    const startedAt = performance.now();
    const finish = (answered: Response) => {
      const ms = performance.now() - startedAt;
      httpMetrics.observe(route, request.method, answered.status, ms);
      noteAnswer(request, route, answered, ms);
      return harden(answered, everyAnswerHas);
    };
    const fail = (thrown: unknown) =>
      finish(failureAnswer(thrown, deps, request, pathOf(request.url) ?? "other"));
    try {
      const answered = make(clientOf(bound.requestIP(request)?.address ?? "", request));
      if (!(answered instanceof Promise)) return finish(answered);
      const finished = answered.then(finish, fail);
      return request.body === null ? patient(request, bound, finished) : finished;
    } catch (thrown) {
      return fail(thrown);
    }
  }

  /** What is asked for most goes around Elysia: Bun finds its route by itself. */
  function direct(route: string, make: (request: Request, slug: string) => MaybePromise<Response>) {
    return {
      GET: (request: Bun.BunRequest<"/:slug">, bound: Bun.Server<undefined>) =>
        respond(request, bound, route, (client) => {
          if (pathOf(request.url) === null) return malformed();
          return refusal(request, { path: route, route, client }) ?? make(request, request.params.slug);
        }),
    };
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
        routes: {
          [paymentStatusRoute]: direct(paymentStatusRoute, (_, slug) => paymentStatus(slug)),
          [invoicePageRoute]: direct(invoicePageRoute, payPages.invoice),
          [checkoutPageRoute]: direct(checkoutPageRoute, payPages.checkout),
        },
        fetch(request, bound) {
          const path = pathOf(request.url);
          const route = path === null ? "other" : findRoute(path);
          return respond(request, bound, route, (client) =>
            path === null ? malformed() : answer(request, { path, route, client }),
          );
        },
      });
    },
    async stop() {
      await server?.stop();
    },
  };
}

function malformed(): Response {
  return problem("malformed_request", "Invalid Host header or path.");
}

type MaybePromise<T> = T | Promise<T>;

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
    app.all(path, () => problem("method_not_allowed", `Allowed methods: ${allow}.`, { headers: { allow } }));
  }
}
