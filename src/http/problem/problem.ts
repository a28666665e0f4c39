/** Error answers as RFC 9457 problem details. */

import type { Fault } from "../../invoicing/outcome.ts";
import type { RefusalCode } from "../../settle/relay/refusal.ts";

const titles = {
  validation_failed: [400, "Invalid fields"],
  malformed_request: [400, "Malformed request"],
  malformed_json: [400, "Invalid JSON"],
  invalid_idempotency_key: [400, "Invalid Idempotency-Key"],
  invalid_payment: [400, "Invalid payment"],
  not_paid: [409, "Not paid"],
  idempotency_conflict: [409, "Idempotency-Key already used"],
  not_remindable: [409, "Nothing to be reminded of"],
  e_invoice_incomplete: [409, "Not an e-invoice"],
  is_void: [409, "Void"],
  void_refused: [409, "Cannot be voided"],
  mark_refused: [409, "Cannot be marked"],
  quote_refused: [409, "Cannot be quoted again"],
  credit_refused: [409, "Cannot be credited"],
  gone: [410, "Nothing to be paid"],
  key_required: [401, "API key required"],
  foreign_host: [403, "Unexpected host name"],
  foreign_origin: [403, "Cross-site request refused"],
  not_found: [404, "Not found"],
  method_not_allowed: [405, "Method not allowed"],
  body_too_large: [413, "Request body too large"],
  not_json: [415, "Unsupported content type"],
  rate_limited: [429, "Too many requests"],
  internal_error: [500, "Internal error"],
  wallet_unavailable: [500, "Wallet unavailable"],
  storage_failed: [500, "Storage failed"],
  pdf_failed: [500, "PDF failed"],
  rate_unavailable: [503, "No exchange rate"],
  node_unreachable: [503, "Network unreachable"],
} as const satisfies Record<string, readonly [status: number, title: string]>;

const notRelayed = "Not paid by a signature";

/** Why a signed payment is rejected: the payer, others, or the network may change it. */
const refusalTitles = {
  off: [409, notRelayed],
  closed: [409, notRelayed],
  busy: [409, notRelayed],
  amount: [409, notRelayed],
  queue: [429, notRelayed],
  used: [409, notRelayed],
  identifier: [409, notRelayed],
  receiver: [422, notRelayed],
  early: [422, notRelayed],
  late: [422, notRelayed],
  long: [422, notRelayed],
  form: [422, notRelayed],
  undeployed: [422, notRelayed],
  signature: [422, notRelayed],
  balance: [422, notRelayed],
  blocked: [422, notRelayed],
  rejected: [422, notRelayed],
  gas: [422, notRelayed],
  minimum: [422, notRelayed],
  failures: [429, notRelayed],
  paused: [503, notRelayed],
  fees: [503, notRelayed],
  reserve: [503, notRelayed],
  budget: [503, notRelayed],
} as const satisfies Record<RefusalCode, readonly [status: number, title: string]>;

const titlesOfAll = { ...titles, ...refusalTitles };

export type ProblemCode = keyof typeof titlesOfAll;
export const problemCodes = Object.keys(titlesOfAll) as ProblemCode[];

export type ProblemBody = {
  type: "about:blank";
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  errors?: readonly Fault[];
  /** For a payer, in their language. */
  message?: string;
};

export function problemBody(
  code: ProblemCode,
  detail: string,
  more: Pick<ProblemBody, "errors" | "message">,
): ProblemBody {
  const [status, title] = titlesOfAll[code];
  return { type: "about:blank", title, status, detail, code, ...more };
}

export function problem(
  code: ProblemCode,
  detail: string,
  {
    headers,
    retryAfterSec = null,
    ...more
  }: Pick<ProblemBody, "errors" | "message"> & {
    headers?: Record<string, string>;
    retryAfterSec?: number | null;
  } = {},
): Response {
  const body = problemBody(code, detail, more);
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      ...(retryAfterSec === null ? {} : { "retry-after": String(retryAfterSec) }),
      ...headers,
    },
  });
}

/** 400 with every fault of a request. */
export function validationProblem(faults: readonly Fault[]): Response {
  const count = faults.length === 1 ? "1 field is" : `${faults.length} fields are`;
  return problem("validation_failed", `${count} invalid. See errors.`, { errors: faults });
}
