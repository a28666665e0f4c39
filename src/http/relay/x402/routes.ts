import type { Config } from "../../../config/config.ts";
import { wantsJson } from "../../answer/html.ts";
import { X402Payment } from "../../fields/x402-schemas.ts";
import { type Route, route } from "../../route/route.ts";
import { hasCredential } from "../mpp/credential.ts";
import { headersOf } from "./payment.ts";
import type { ResourceQuery } from "./x402.ts";

/** By slug: of a link or an invoice. */
export const x402Route = { slug: "/x402/:slug", id: "/x402/invoices/:id" } as const;

/** Returns the routes for one way to name the payable, with GET and with POST. */
const paying = (by: ResourceQuery["by"], [get, post]: readonly [string, string]): Route[] =>
  (["get", "post"] as const).map((method) =>
    route({
      method,
      path: x402Route[by],
      scope: "open",
      isPaid: true,
      summary: method === "get" ? get : post,
      gives: X402Payment,
      does:
        ({ x402, clientOf }) =>
        ({ params, request, path }) =>
          x402(request, {
            by,
            name: Object.values<string>(params)[0] ?? "",
            path,
            client: clientOf(request),
          }),
    }),
  );

/** Routes where programs pay. */
export const x402Routes: readonly Route[] = [
  ...paying("slug", [
    "Pay a link or an invoice by x402 or MPP; without a payment 402 with what is due",
    "Pay a link or an invoice by x402 or MPP with POST, whose body is not read",
  ]),
  ...paying("id", [
    "Pay an invoice by x402 or MPP, by its id",
    "Pay an invoice by x402 or MPP, by its id, with POST",
  ]),
];

const isPaymentHeader = new RegExp(
  `${headersOf[1].payment}|${headersOf[2].payment}|authorization|accept-payment`,
  "i",
);

/** The only methods that ask for a payment, or carry one. */
const payingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "OPTIONS"]);

/**
 * True if a paying program requests a page: it sends a payment, says how it can pay, or accepts JSON but no page.
 * Clients that accept anything get the page, like link previews. A Till without x402 accepts no payment here either,
 * and says so.
 */
export function isForProgram(
  { method, headers }: Pick<Request, "method" | "headers">,
  mode: Config["relay"]["mode"],
): boolean {
  if (!payingMethods.has(method)) return false;
  if (headers.has(headersOf[2].payment) || headers.has(headersOf[1].payment)) return true;
  if (hasCredential(headers)) return true;
  if (mode === "off") return false;
  if (method === "OPTIONS") return isPaymentHeader.test(headers.get("access-control-request-headers") ?? "");
  return headers.has("accept-payment") || (method !== "POST" && wantsJson({ headers }));
}
