import { Elysia } from "elysia";
import type { Config } from "../../../config/config.ts";
import { x402Route } from "../../access/access.ts";
import { headersOf } from "./payment.ts";
import type { ResourceQuery, X402 } from "./x402.ts";

/** A program may send the body that another site would expect. Nobody reads it. */
const unread = { parse: "none" } as const;

/** Where programs pay; `clientOf` is the client a request counts against. */
export function x402Routes(x402: X402, clientOf: (request: Request) => string | null) {
  const answer =
    (by: ResourceQuery["by"]) =>
    ({ params, request, path }: { params: Record<string, string>; request: Request; path: string }) =>
      x402(request, { by, name: params["slug"] ?? params["id"] ?? "", path, client: clientOf(request) });
  const [bySlug, byId] = [answer("slug"), answer("id")];
  return new Elysia()
    .get(x402Route.slug, bySlug)
    .post(x402Route.slug, bySlug, unread)
    .options(x402Route.slug, bySlug, unread)
    .get(x402Route.id, byId)
    .post(x402Route.id, byId, unread)
    .options(x402Route.id, byId, unread);
}

const isPaymentHeader = new RegExp(`${headersOf[1].payment}|${headersOf[2].payment}`, "i");

/**
 * Whether a paying program requests a page: it sends a payment, or wants JSON and no page. Clients that accept anything
 * get the page, as link previews do. A Till without x402 accepts no payment here either, and says so.
 */
export function isForProgram(
  { method, headers }: Pick<Request, "method" | "headers">,
  mode: Config["relay"]["mode"],
): boolean {
  if (headers.has(headersOf[2].payment) || headers.has(headersOf[1].payment)) return true;
  if (mode === "off") return false;
  if (method === "OPTIONS") return isPaymentHeader.test(headers.get("access-control-request-headers") ?? "");
  const accepted = headers.get("accept") ?? "";
  const isRead = method === "GET" || method === "HEAD";
  return isRead && accepted.includes("application/json") && !accepted.includes("text/html");
}
