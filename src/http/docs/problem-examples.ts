import * as Quantity from "../../domain/bill/quantity.ts";
import { type SaidFault, sayFault, why } from "../../language/faults.ts";
import { isRefusal, type RefusalCode, refusals } from "../../settle/relay/refusal.ts";
import { bodyBytesMax, tooLarge } from "../access/guard.ts";
import { codeMissing, codesMissing } from "../money/money.ts";
import {
  type ProblemBody,
  type ProblemCode,
  problemBody,
  problemCodes,
  refusalText,
} from "../problem/problem.ts";
import type { Route } from "../route/route.ts";

/** Every error's meaning and appearance, for /docs and /openapi.json. */

type Described = {
  /** When it occurs, and what to do. */
  meaning: string;
  /** The detail of an example. */
  detail: string;
  errors?: SaidFault[];
};

const noKey = "Send an API key: Authorization: Bearer till_…. Create one with: till key create";
const quantity = why("quantity", { max: Quantity.max, decimals: Quantity.decimalsMax });
const faults = [
  sayFault({ field: "due_date", ...why("required") }),
  sayFault({ field: "line_items[0].quantity", ...quantity }),
];

const lacks = [
  sayFault({ field: "vendor_details.country", ...why("no_buyer_country", { term: "BT-55" }) }),
  sayFault({ field: "line_items", ...why("no_tax", { term: "BT-151" }) }),
];

const detailOf = (refusal: Parameters<typeof refusalText>[0]) => refusalText(refusal)[1];

// biome-ignore format: one entry for each code reads as a table
const described: Record<Exclude<ProblemCode, RefusalCode>, Described> = {
  validation_failed: { meaning: "Fields or query parameters are wrong: errors names all of them at once.", detail: "2 fields are invalid. See errors.", errors: faults },
  malformed_json: { meaning: "The body is not JSON in UTF-8.", detail: "The body is not valid JSON in UTF-8." },
  invalid_idempotency_key: { meaning: "The Idempotency-Key has a form that is not taken.", detail: detailOf({ kind: "invalid_key" }) },
  malformed_request: { meaning: "The path or the Host header cannot be read.", detail: "Invalid Host header or path." },
  key_required: { meaning: "There is no API key, or it is unknown, revoked or expired.", detail: noKey },
  key_scope: { meaning: "The API key is valid, and this call is beyond its scope or its merchant.", detail: "This call needs a key of the scope shop or full, and this one has the scope read. Make one with: till key create --name NAME --scope shop" },
  foreign_host: { meaning: "A Till on loopback was called by another host name.", detail: "This server only accepts requests for http://127.0.0.1:3000. To use another host name, set TILL_BASE_URL." },
  foreign_origin: { meaning: "A page of another site tried to write.", detail: "Cross-origin write requests are not allowed." },
  not_found: { meaning: "Nothing has this id, number or slug, or the path is wrong.", detail: "There is no invoice with this id or number." },
  method_not_allowed: { meaning: "The path is right, the method is not: see the Allow header.", detail: "Allowed methods: GET, HEAD, POST." },
  invalid_payment: { meaning: "What PAYMENT-SIGNATURE or X-PAYMENT holds is no payment of x402.", detail: "The payment is none of x402, version 1 or 2, of the scheme exact on EVM chains." },
  gone: { meaning: "It is void, or its time is over: nothing is to be paid.", detail: "It is void. See https://till.example/pay/p4x9c2rm6wd8kv3z" },
  not_paid: { meaning: "It is not paid, or void: there is no receipt.", detail: "This invoice is not paid. There is a receipt once the payment has arrived and is confirmed." },
  idempotency_conflict: { meaning: "The Idempotency-Key came with another request before.", detail: detailOf({ kind: "key_used" }) },
  not_remindable: { meaning: "Nothing is owed of the invoice, it was never mailed, or a payment is on its way.", detail: detailOf({ kind: "reminder", why: "settled", name: "INV-0042" }) },
  is_void: { meaning: "It is void, which is final.", detail: detailOf({ kind: "closing", why: "void", name: "INV-0042" }) },
  void_refused: { meaning: "It cannot be voided: something was paid, or it is marked as paid.", detail: detailOf({ kind: "closing", why: "received", name: "INV-0042" }) },
  mark_refused: { meaning: "It is marked so already, or money has paid all of it.", detail: detailOf({ kind: "closing", why: "paid", name: "INV-0042" }) },
  quote_refused: { meaning: "It is not overdue, not in a currency, void, paid or being paid.", detail: detailOf({ kind: "quote", why: "due", name: "INV-0042" }) },
  credit_refused: { meaning: "Nothing is left to credit, or a payment is on its way.", detail: detailOf({ kind: "credit", why: "nothing", name: "INV-0042" }) },
  correction_refused: { meaning: "It is paid, so its due date and its reminders stay.", detail: detailOf({ kind: "correction", why: "settled", name: "INV-0042" }) },
  refund_refused: { meaning: "Nothing of it is to be given back, or a credit note is needed first, or the refund has gone on.", detail: detailOf({ kind: "refund", why: "credit_first", name: "INV-0042" }) },
  too_many_endpoints: { meaning: "There are as many webhook endpoints as there may be.", detail: detailOf({ kind: "too_many_endpoints" }) },
  no_secret: { meaning: "It is a chat, whose address is all that there is to change.", detail: detailOf({ kind: "no_secret" }) },
  body_too_large: { meaning: "The body is larger than any request has to be.", detail: tooLarge(bodyBytesMax) },
  not_json: { meaning: "The Content-Type is not application/json.", detail: "Send the body as JSON, with Content-Type: application/json." },
  rate_limited: { meaning: "Too many requests: wait for as many seconds as Retry-After says.", detail: "Rate limit reached: 600 reads per minute per IP address without an API key (TILL_LIMIT_READS). Try again in 2 seconds." },
  wallet_unavailable: { meaning: "The wallet that derives addresses cannot be opened. Nothing was made.", detail: "The wallet could not be opened, so no deposit address can be created. See the server log." },
  storage_failed: { meaning: "The database cannot be used, for example on a full disk. Nothing was made.", detail: "Nothing was saved. See the server log." },
  e_invoice_incomplete: { meaning: "The invoice lacks what an e-invoice has to have: errors names all of it at once, by the fields of a creation and the terms of EN 16931.", detail: "The invoice says too little to be an e-invoice. See errors, and issue another one.", errors: lacks },
  codes_missing: { meaning: "It is not known what your books call an account or a tax: errors names all of them.", detail: codesMissing, errors: [{ field: "account", message: codeMissing }, { field: "standard 19.00", message: codeMissing }] },
  pdf_failed: { meaning: "The PDF could not be made just now.", detail: "The PDF could not be created. See the server log, or try again in a minute." },
  rate_unavailable: {
    meaning: "none of the sources has a current rate for the currency of the invoice",
    detail: detailOf({ kind: "rate_unavailable", code: "EUR" }),
  },
  node_unreachable: { meaning: "The network cannot be asked just now, or is not read up to now. Nothing was done.", detail: "The network cannot be asked just now. Try again in a minute." },
  internal_error: { meaning: "Something else failed: the log has an entry with the answer's X-Request-Id.", detail: "The server could not complete the request. See the server log." },
};

type ProblemExample = { code: ProblemCode; meaning: string; body: ProblemBody };

/** Every error of the API, by code. */
export const problemExamples: readonly ProblemExample[] = problemCodes.map((code) => {
  if (isRefusal(code)) {
    const detail = refusals[code];
    return {
      code,
      meaning: detail,
      body: problemBody(code, detail, { message: "As the payer is told it." }),
    };
  }
  const { meaning, detail, errors } = described[code];
  return { code, meaning, body: problemBody(code, detail, errors ? { errors } : {}) };
});

/** Lists a call's errors with this status: those that any call may have, and those that follow from its input. */
export function problemsOf(status: number, call: Call): readonly ProblemExample[] {
  const codes = codesOf(call);
  return problemExamples.filter(({ code, body }) => body.status === status && codes.has(code));
}

/** Lists the statuses of a call's errors, in order. */
export function statusesOf(call: Call): number[] {
  const codes = codesOf(call);
  const statuses = problemExamples.flatMap(({ code, body }) => (codes.has(code) ? [body.status] : []));
  return [
    ...new Set([...statuses, ...(call.isPaid ? [402] : []), ...(call.path === readyPath ? [503] : [])]),
  ].sort();
}

export const readyPath = "/health/ready";

type Call = Pick<
  Route,
  "method" | "path" | "scope" | "keyShowsMore" | "body" | "query" | "gives" | "once" | "isPaid" | "fails"
>;

/** Responses, besides 402, to a program that pays by x402. */
const paying: readonly ProblemCode[] = [
  "invalid_payment",
  "gone",
  "not_found",
  "node_unreachable",
  "busy",
  "used",
  "identifier",
  "minimum",
  "queue",
  "failures",
  "paused",
  "fees",
  "reserve",
  "budget",
];

function codesOf({
  method,
  path,
  scope,
  keyShowsMore,
  body,
  query,
  gives,
  once,
  isPaid,
  fails = [],
}: Call): Set<ProblemCode> {
  const always: ProblemCode[] = ["foreign_host", "rate_limited"];
  if (isPaid) return new Set([...always, ...paying]);
  const failing = (codes: readonly ProblemCode[], when: boolean) => (when ? codes : []);
  return new Set([
    ...always,
    ...failing(["key_required", "key_scope"], scope !== "open" || keyShowsMore === true),
    ...failing(["not_found"], path.includes("{") && method !== "put"),
    ...failing(["validation_failed"], body !== undefined || query !== undefined),
    ...failing(["internal_error", "storage_failed", "pdf_failed"], gives === "application/pdf"),
    ...failing(writing, method !== "get"),
    ...failing(["invalid_idempotency_key", "idempotency_conflict"], once === true),
    ...fails,
  ]);
}

const writing: readonly ProblemCode[] = [
  "malformed_json",
  "foreign_origin",
  "body_too_large",
  "not_json",
  "internal_error",
  "storage_failed",
];
