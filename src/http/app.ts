import { Elysia } from "elysia";
import { RenderError } from "../document/render-error.ts";
import { messageOf } from "../lib/error.ts";
import { StorageFailed, WalletUnavailable } from "../service/create-invoice.ts";
import type { HttpDeps } from "./deps.ts";
import { bodyBytesMax, guard } from "./guard.ts";
import { htmlMessage, wantsHtml } from "./html.ts";
import { problem } from "./problem.ts";
import { healthRoutes } from "./routes/health.ts";
import { invoiceRoutes } from "./routes/invoices.ts";
import { pageRoutes } from "./routes/pages.ts";

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
  const app = new Elysia({ serve: { maxRequestBodySize: bodyBytesMax, reusePort: false } })
    .onRequest(({ request }) => guard(request, rules) ?? undefined)
    .onParse(async ({ request }) => readJson(request))
    .onError(({ code, error, request }) => {
      if (error instanceof MalformedJson) return problem("malformed_json", error.message);
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
    .use(invoiceRoutes(deps))
    .use(pageRoutes(deps));
  refuseOtherMethods(app);

  return {
    listen() {
      app.listen({
        hostname: address.host,
        port: address.port,
        reusePort: false,
        maxRequestBodySize: bodyBytesMax,
      });
    },
    async stop() {
      await app.stop();
    },
  };
}

/** Elysia would take other media types too; the guard has let only JSON pass. */
async function readJson(request: Request): Promise<unknown> {
  const text = await request.text();
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new MalformedJson(thrown instanceof Error ? thrown.message : "");
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

class MalformedJson extends Error {
  override readonly name = "MalformedJson";
  constructor(parserSays: string) {
    super(`The body is not valid JSON${parserSays ? `: ${parserSays.slice(0, 200)}` : "."}`);
  }
}
