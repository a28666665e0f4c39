/** Error answers as RFC 9457 problem details. */

export type Fault = { field: string; message: string };

const titles = {
  validation_failed: [400, "Invalid fields"],
  malformed_request: [400, "Malformed request"],
  malformed_json: [400, "Invalid JSON"],
  invalid_idempotency_key: [400, "Invalid Idempotency-Key"],
  not_paid: [409, "Not paid"],
  idempotency_conflict: [409, "Idempotency-Key already used"],
  not_remindable: [409, "Nothing to be reminded of"],
  is_void: [409, "Void"],
  void_refused: [409, "Cannot be voided"],
  mark_refused: [409, "Cannot be marked"],
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
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemCode = keyof typeof titles;
export const problemCodes = Object.keys(titles) as ProblemCode[];

export type ProblemBody = {
  type: "about:blank";
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  errors?: Fault[];
};

export function problemBody(code: ProblemCode, detail: string, errors?: Fault[]): ProblemBody {
  const [status, title] = titles[code];
  return { type: "about:blank", title, status, detail, code, ...(errors ? { errors } : {}) };
}

export function problem(
  code: ProblemCode,
  detail: string,
  extra: { errors?: Fault[]; headers?: Record<string, string> } = {},
): Response {
  const body = problemBody(code, detail, extra.errors);
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...extra.headers },
  });
}

/** 400 with every fault of a request at once. */
export function validationProblem(faults: Fault[]): Response {
  const count = faults.length === 1 ? "1 field is" : `${faults.length} fields are`;
  return problem("validation_failed", `${count} invalid. See errors.`, { errors: faults });
}
