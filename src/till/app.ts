import { Elysia } from "elysia";
import { deskRoutes } from "../desk/desk.ts";
import { type AccessRequest, createAccess, isPdf } from "../http/access/access.ts";
import { createClientFinder, guard, isRead, type Kind } from "../http/access/guard.ts";
import { createRouteFinder, pathOf } from "../http/access/path.ts";
import { harden, htmlMessage, securityHeaders, wantsHtml } from "../http/answer/html.ts";
import { docsRoutes } from "../http/docs/docs.ts";
import { translated } from "../http/greenfield/answers.ts";
import { paymentStatusOf, paymentStatusRoute } from "../http/links/links.ts";
import { mcpRoute } from "../http/mcp/mcp.ts";
import { problem } from "../http/problem/problem.ts";
import { crossingPaths, crossingRoutesOf } from "../http/relay/crossing.ts";
import { relayRoutesOf, signaturePaths } from "../http/relay/relay.ts";
import { openHeaders } from "../http/relay/x402/answer.ts";
import { isForProgram, x402Route } from "../http/relay/x402/routes.ts";
import { createX402 } from "../http/relay/x402/x402.ts";
import type { AppDeps } from "../http/route/app-deps.ts";
import { BodyRefused } from "../http/route/body.ts";
import type { HttpDeps } from "../http/route/deps.ts";
import { serve } from "../http/route/route.ts";
import { routes } from "../http/routes.ts";
import { createHttpMetrics, createRequestLog, failureAnswer } from "../http/system/request-log.ts";
import { world } from "../lib/world.ts";
import { createOpenings } from "../pay/openings.ts";
import { checkoutPageRoute, createPayPages, invoicePageRoute, pageRoutes } from "../pay/pages.ts";
import { paymentFormRoutes } from "../pay/payment/form.ts";
import { lookRoute, lookRoutes } from "../pay/payment/look.tsx";
import { payerDetailsRoute, payerDetailsRoutes } from "../pay/payment/payer-details.tsx";
import { receiptRoute, receiptRoutes } from "../pay/receipt.tsx";
import { refundAskRoute, refundAskRoutes } from "../pay/refund/refund-ask.tsx";
import { refundPageRoute, refundPageRoutes } from "../pay/refund/refund-page.tsx";

/** Maximum size of a request. Beyond it the connection ends with a bare 413. */
const receivedBytesMax = 1024 * 1024;

/** Drops a request that has not arrived completely by then, even one that drips in byte by byte. */
const idleSecondsDefault = 10;

/**
 * More than a PDF and a mail can take together. Anything that may hang has its own, shorter limit with a proper answer.
 */
const answerSecondsMax = 120;

export type App = {
  /** Binds the address. Throws if that fails, for example because the port is in use. */
  listen(): void;
  /** Ends connections whose last request is answered. */
  closeIdle(): void;
  /** Stops accepting, lets running requests finish, and resolves when they have. */
  stop(): Promise<void>;
};

/** The address to listen on; `idleSecondsMax` is how long a connection may be silent, by default 10 s. */
type Address = { host: string; port: number; idleSecondsMax?: number | undefined };

/** Everything Till serves over HTTP. */
export function createApp(deps: HttpDeps, address: Address): App {
  const { idleSecondsMax = idleSecondsDefault } = address;
  const { limits } = deps;
  const httpMetrics = createHttpMetrics();
  const openings = createOpenings(deps);
  const payPages = createPayPages(deps, openings);
  const noteAnswer = createRequestLog(deps);
  /** The client that a form, a signature, a payment or a wait counts against. */
  const clients = new WeakMap<Request, string>();
  const stopping = new AbortController();
  const x402 = createX402({ ...deps, stopping: stopping.signal });
  const appDeps: AppDeps = {
    ...deps,
    x402,
    httpMetrics,
    clientOf: (request) => clients.get(request) ?? null,
    stopping: stopping.signal,
    callApi,
  };
  const rows = [...routes, mcpRoute];
  // With the default setting a short Host header shifts where the path begins, bypassing the check for a key.
  const app = new Elysia({ handler: { standardHostname: false } })
    .onError(({ code, error, request, path }) => {
      // Elysia wraps errors of parsers.
      const refused = error instanceof Error && error.cause instanceof BodyRefused ? error.cause : error;
      if (refused instanceof BodyRefused) return problem(refused.code, refused.message);
      if (code !== "NOT_FOUND") return failureAnswer(error, deps, request, path);
      if (wantsHtml(request)) return htmlMessage("pageNotFound", request, deps.config);
      return problem("not_found", "No such endpoint.");
    })
    .use(docsRoutes(deps))
    .use(serve(rows, appDeps))
    .use(receiptRoutes(deps))
    .use(payerDetailsRoutes(deps))
    .use(refundAskRoutes(deps))
    .use(lookRoutes(deps))
    .use(refundPageRoutes(deps))
    .use(pageRoutes(appDeps, payPages))
    .use(deskRoutes(deps, appDeps.clientOf))
    .use(paymentFormRoutes(appDeps))
    .use(relayRoutesOf(appDeps))
    .use(crossingRoutesOf(appDeps));
  refuseOtherMethods(app);

  const findRoute = createRouteFinder(app.routes.map(({ path }) => path));
  const everyAnswerHas = Object.entries(securityHeaders(deps.baseUrl));
  const openAnswerHas = [...Object.entries(openHeaders), ...everyAnswerHas];
  const { isPublic, openApi } = deps.config;
  const guardRules = { baseUrl: deps.baseUrl, isPublic, openApi };

  const clientOf = createClientFinder(deps.config, deps.proxyWatch, (proxy) =>
    deps.log.warn(
      "proxy.client_unknown",
      "a proxy that TILL_TRUST_PROXY names sends no usable X-Forwarded-For: no limit per address applies to its " +
        "requests. In nginx, set proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; in Caddy, reverse_proxy " +
        "sets it unless a header_up removes it",
      { proxy },
    ),
  );
  const paymentStatus = paymentStatusOf(deps);

  const access = createAccess(rows, deps);
  const pdfPaths = new Set(routes.filter(isPdf).map(({ path }) => path));
  const refusal = (request: Request, target: AccessRequest) =>
    guard(request, guardRules, target.kind) ?? access(request, target);

  /** Reads are served while the database is still being checked. */
  let isWorking = false;
  deps.working.then(
    () => {
      isWorking = true;
    },
    () => {},
  );

  function answer(request: Request, asked: Omit<AccessRequest, "kind">): MaybePromise<Response> {
    const target = { ...asked, kind: kindOf(asked.route) };
    const refused = refusal(request, target);
    if (refused) return refused;
    const isCounted = target.kind !== "json" || target.route.endsWith("/told");
    if (target.client !== null && isCounted) clients.set(request, target.client);
    // A program paying at a page's URL: the x402 router answers it.
    if (target.kind === "payment" && !target.path.startsWith("/x402/")) return payPage(request, target);
    if (!isWorking && !isRead(request)) return deps.working.then(() => app.fetch(request));
    return pdfPaths.has(target.route) ? answerPdf(request, target) : app.fetch(request);
  }

  const payPage = (request: Request, { path, client }: Pick<AccessRequest, "path" | "client">) =>
    x402(request, { by: "slug", name: decodeURIComponent(path.split("/")[2] ?? ""), path, client });

  async function answerPdf(request: Request, { path, client }: AccessRequest): Promise<Response> {
    const end = limits.beginPdf(client);
    if (typeof end !== "function") return limits.refusal(end, request, path);
    try {
      return await app.fetch(request);
    } finally {
      end();
    }
  }

  /** A tool call by an agent: goes through everything that an external call does. */
  async function callApi(request: Request, of: Request): Promise<Response> {
    const startedAt = world.uptime();
    const path = pathOf(request.url) ?? "other";
    const route = findRoute(path);
    try {
      const answered = await answer(request, { path, route, client: clients.get(of) ?? null });
      return noted(request, route, answered, startedAt);
    } catch (thrown) {
      return noted(request, route, failureAnswer(thrown, deps, request, path), startedAt);
    }
  }

  function noted(request: Request, route: string, answered: Response, startedAt: number): Response {
    const ms = world.uptime() - startedAt;
    httpMetrics.observe(route, request.method, answered.status, ms);
    noteAnswer(request, route, answered, ms);
    return answered;
  }

  /** Bun counts time spent on an answer as idle, unless the request had a body. */
  function patient(request: Request, bound: Bun.Server<undefined>, answer: Promise<Response>) {
    bound.timeout(request, answerSecondsMax);
    return answer.finally(() => bound.timeout(request, idleSecondsMax));
  }

  /** Not async: a ready answer is sent at once, without the cost of a promise. */
  function respond(
    request: Request,
    bound: Bun.Server<undefined>,
    route: string,
    make: (client: string | null) => MaybePromise<Response>,
  ): MaybePromise<Response> {
    const startedAt = world.uptime();
    const finish = (answered: Response) =>
      harden(
        noted(request, route, answered, startedAt),
        kindOf(route) === "payment" ? openAnswerHas : everyAnswerHas,
      );
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

  /** The most frequent calls bypass Elysia: Bun routes them itself. */
  function direct(route: string, make: (request: Request, slug: string) => MaybePromise<Response>) {
    return {
      GET(request: Bun.BunRequest<"/:slug">, bound: Bun.Server<undefined>) {
        const meant = meantRoute(request, route);
        return respond(request, bound, meant, (client) => {
          const path = pathOf(request.url);
          if (path === null) return malformed();
          if (meant !== route) return answer(request, { path, route: meant, client });
          return (
            refusal(request, { path: route, route, kind: "json", client }) ??
            make(request, request.params.slug)
          );
        });
      },
    };
  }

  /** Programs may also pay at a page's own URL. */
  function meantRoute(request: Request, route: string): string {
    const isPage = route === checkoutPageRoute || route === invoicePageRoute;
    return isPage && isForProgram(request, deps.config.relay.mode) ? x402Route.slug : route;
  }

  let server: Bun.Server<undefined> | null = null;
  return {
    listen() {
      server = world.serve({
        hostname: address.host,
        port: address.port,
        reusePort: false,
        // Bun's development pages show the stack.
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
          const route = path === null ? "other" : meantRoute(request, findRoute(path));
          return respond(request, bound, route, (client) => {
            if (path === null) return malformed();
            const answered = answer(request, { path, route, client });
            return path.startsWith("/api/v1/") ? Promise.resolve(answered).then(translated) : answered;
          });
        },
      });
    },
    closeIdle: () => void server?.closeIdleConnections(),
    async stop() {
      stopping.abort();
      await server?.stop();
      await openings.finish();
    },
  };
}

function malformed(): Response {
  return problem("malformed_request", "Invalid Host header or path.");
}

type MaybePromise<T> = T | Promise<T>;

function kindOf(route: string): Kind {
  if (route === "/desk" || route.startsWith("/desk/")) return "desk";
  if (route === x402Route.slug || route === x402Route.id) return "payment";
  if (signaturePaths.has(route) || crossingPaths.has(route)) return "signature";
  if (route === receiptRoute || route === refundAskRoute) return "receipt";
  if (route === mcpRoute.path) return "agent";
  const forms = [checkoutPageRoute, payerDetailsRoute, refundPageRoute, lookRoute];
  return forms.includes(route) ? "form" : "json";
}

/** Answers 405, with the allowed methods, to a known path with another method. */
function refuseOtherMethods(app: {
  routes: { path: string; method: string }[];
  all: (path: string, handler: () => Response) => unknown;
}) {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) methods.set(path, (methods.get(path) ?? new Set()).add(method));
  for (const [path, allowed] of methods) {
    if (allowed.has("GET")) allowed.add("HEAD");
    const allow = [...allowed].sort().join(", ");
    app.all(path, () => problem("method_not_allowed", `Allowed methods: ${allow}.`, { headers: { allow } }));
  }
}
