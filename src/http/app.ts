import { Elysia } from "elysia";
import { RenderError } from "../document/render-error.ts";
import { messageOf } from "../lib/error.ts";
import { StorageFailed, WalletUnavailable } from "../service/make-deposit.ts";
import { isStorageFault } from "../store/database.ts";
import { checkAccess } from "./access.ts";
import type { HttpDeps } from "./deps.ts";
import { bodyBytesMax, guard, tooLarge } from "./guard.ts";
import { htmlMessage, wantsHtml } from "./html.ts";
import { problem } from "./problem.ts";
import { docsRoutes } from "./routes/docs.ts";
import { healthRoutes } from "./routes/health.ts";
import { invoiceRoutes } from "./routes/invoices.ts";
import { linkRoutes } from "./routes/links.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { pageRoutes } from "./routes/pages.ts";

/** What the server takes off the wire at all. Above it the connection ends with a bare 413. */
const receivedBytesMax = 16 * bodyBytesMax;

export type App = {
  /** Binds the address. Throws when it cannot, for example because the port is taken. */
  listen(): void;
  /** Stops accepting, lets running requests finish, and returns when they have. */
  stop(): Promise<void>;
};

/** Everything that Till answers over HTTP. */
export function createApp(deps: HttpDeps, address: { host: string; port: number }): App {
  const { log } = deps;
  const rules = { baseUrl: deps.baseUrl, isPublic: deps.config.isPublic };
  const app = new Elysia()
    .onRequest(({ request }) => guard(request, rules) ?? checkAccess(request, deps) ?? undefined)
    .onParse(async ({ request }) => readJson(request))
    .onError(({ code, error, request }) => {
      // Elysia wraps what a parser throws.
      const refused = error instanceof Error && error.cause instanceof BodyRefused ? error.cause : error;
      if (refused instanceof BodyRefused) return problem(refused.code, refused.message);
      if (code === "NOT_FOUND") {
        if (wantsHtml(request))
          return htmlMessage(404, "Page not found", "There is nothing at this address.");
        return problem("not_found", "There is nothing at this address.");
      }
      if (error instanceof WalletUnavailable || error instanceof StorageFailed) {
        log.error(messageOf(error));
        return problem(
          error instanceof WalletUnavailable ? "wallet_unavailable" : "storage_failed",
          error.message,
        );
      }
      if (isStorageFault(error)) {
        log.error(`the database failed: ${messageOf(error)}`);
        return problem("storage_failed", "The database could not be used. The server's log says why.");
      }
      if (error instanceof RenderError) {
        log.error(messageOf(error));
        return problem(
          "pdf_failed",
          "The PDF could not be made. The server's log says why; try again in a minute.",
        );
      }
      const { pathname } = new URL(request.url);
      log.error(`a request failed: ${messageOf(error)}`, { method: request.method, path: pathname });
      if (wantsHtml(request))
        return htmlMessage(500, "Something went wrong", "Please try again in a minute.");
      return problem("internal_error", "The request could not be answered. The server's log says why.");
    })
    .use(healthRoutes(deps))
    .use(docsRoutes(deps))
    .use(metricsRoutes(deps))
    .use(invoiceRoutes(deps))
    .use(linkRoutes(deps))
    .use(pageRoutes(deps));
  refuseOtherMethods(app);

  return {
    listen() {
      app.listen({
        hostname: address.host,
        port: address.port,
        reusePort: false,
        maxRequestBodySize: receivedBytesMax,
      });
    },
    async stop() {
      await app.stop();
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
  } catch (thrown) {
    throw new BodyRefused(
      "malformed_json",
      `The body is not valid JSON: ${messageOf(thrown).slice(0, 200)}.`,
    );
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
