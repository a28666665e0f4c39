import type { Static } from "@sinclair/typebox";
import type { Network } from "../../../domain/wallet/network.ts";
import { type RelayRefusal, refusals } from "../../../settle/relay/refusal.ts";
import type { X402Payment } from "../../fields/x402-schemas.ts";
import { problem } from "../../problem/problem.ts";
import { type Challenge, challengeHeader } from "../mpp/challenge.ts";
import { mppProblem } from "../mpp/problem.ts";
import { networkOf, networkOfV1, paymentRequired, paymentRequiredV1, type Terms } from "./offer.ts";
import { headersOf, type Version } from "./payment.ts";
import type { SettlementResponse } from "./result.ts";
import type { Resource } from "./subject.ts";

/** On every response: programs in browsers pay from other sites' pages, and nothing may be cached. */
export const openHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, WWW-Authenticate, Payment-Receipt, Retry-After",
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": "no-store",
};

/** Responds to the preflight that a browser sends before a payment header from another site's page. */
export function preflight(): Response {
  const headers = {
    "access-control-allow-methods": "GET, HEAD, POST",
    // The official clients send the last one with a payment, although it belongs to responses.
    "access-control-allow-headers":
      "Accept, Content-Type, PAYMENT-SIGNATURE, X-PAYMENT, Authorization, Accept-Payment, Access-Control-Expose-Headers",
    "access-control-max-age": "600",
  };
  return new Response(null, { status: 204, headers });
}

/** Returns the header with a payment's outcome, in the payment's version. */
export function resultHeader(
  result: SettlementResponse | null,
  version: Version,
  network: Pick<Network, "name" | "chainId">,
) {
  if (result === null) return {};
  const { reason, message, payer, transaction, amount } = result;
  const content = {
    success: reason === null,
    ...(reason === null ? {} : { errorReason: reason }),
    ...(message === null ? {} : { errorMessage: message }),
    ...(payer === null ? {} : { payer }),
    transaction: transaction ?? "",
    network: version === 1 ? networkOfV1(network) : networkOf(network),
    ...(amount === null || version === 1 ? {} : { amount: amount.toString() }),
  };
  return { [headersOf[version].result]: encode(content) };
}

/** Responds 402 with the amount due, for all protocols. `result` is the outcome of the payment; `isMpp`: it was MPP. */
export function askPayment(
  terms: Terms,
  subject: Pick<Resource, "url" | "description">,
  challenge: Challenge,
  result: SettlementResponse | null,
  { isMpp, headers }: { isMpp: boolean; headers: Record<string, string> },
): Response {
  const error = result?.reason ?? "PAYMENT-SIGNATURE or X-PAYMENT is required";
  const allHeaders = {
    "payment-required": encode(paymentRequired(terms, subject, error)),
    "www-authenticate": challengeHeader(challenge),
    ...headers,
  };
  return isMpp && result !== null
    ? saysProblem(mppProblem(result, 402, challenge.id), allHeaders)
    : json(402, paymentRequiredV1(terms, subject, error), allHeaders);
}

export const saysProblem = (body: ReturnType<typeof mppProblem>, headers: Record<string, string> = {}) =>
  json(body.status, body, { ...headers, "content-type": "application/problem+json" });

/** Responds 200: nothing is due. `transaction` is the latest payment's; null if it was paid in another way. */
export function saysPaid(
  { pageUrl, receiptUrl }: Resource,
  { status, transaction }: { status: "confirming" | "confirmed"; transaction: string | null },
  headers: Record<string, string>,
): Response {
  const body: Static<typeof X402Payment> = {
    status,
    transaction,
    page_url: pageUrl,
    receipt_url: receiptUrl,
  };
  return json(200, body, headers);
}

/** Responds that it cannot be paid like this now, or at all. */
export function cannot(
  { pageUrl }: Resource,
  { code, retryAfterSec }: RelayRefusal,
  headers: Record<string, string> = {},
): Response {
  const detail = `${refusals[code]} See ${pageUrl}`;
  return problem(code === "off" ? "not_found" : code, detail, { retryAfterSec, headers });
}

function json(status: number, body: object, headers: Record<string, string>): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** Encodes an x402 header: Base64 of JSON in UTF-8. */
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64");
