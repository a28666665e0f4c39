/** Error responses as RFC 9457 problem details. */

import { RenderError } from "../../document/worker/renderer.ts";
import type { QuoteRefusal } from "../../domain/bill/rate/quoting.ts";
import type { ReminderRefusal } from "../../domain/bill/reminder.ts";
import { countMax as endpointsMax } from "../../domain/event/endpoint.ts";
import type { ClosingRefusal } from "../../domain/receivable/closing.ts";
import { WalletUnavailable } from "../../invoicing/next-deposit.ts";
import type { RefundRefusal, Refusal } from "../../invoicing/outcome.ts";
import { RateUnavailable } from "../../invoicing/price.ts";
import { type Fault, type SaidFault, sayFault } from "../../language/faults.ts";
import type { RefusalCode } from "../../settle/relay/refusal.ts";
import { isNodeFailure } from "../../settle/relay/refusal.ts";
import { isLocked, isStorageFailure } from "../../store/database.ts";
import { DatabaseReplaced } from "../../store/files/in-place.ts";
import { StorageFailed } from "../../store/group-commit.ts";
import { SyncFailed } from "../../store/log.ts";

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
  codes_missing: [409, "Codes of the books missing"],
  is_void: [409, "Void"],
  void_refused: [409, "Cannot be voided"],
  mark_refused: [409, "Cannot be marked"],
  quote_refused: [409, "Cannot be quoted again"],
  credit_refused: [409, "Cannot be credited"],
  correction_refused: [409, "Cannot be corrected"],
  refund_refused: [409, "Cannot be refunded"],
  too_many_endpoints: [409, "Too many webhook endpoints"],
  no_secret: [409, "No secret"],
  gone: [410, "Nothing to be paid"],
  key_required: [401, "API key required"],
  key_scope: [403, "Not allowed to this API key"],
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
  unpriced: [503, notRelayed],
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
  errors?: readonly SaidFault[];
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

/** Responds 400 with every fault of a request. */
export function validationProblem(faults: readonly Fault[]): Response {
  const count = faults.length === 1 ? "1 field is" : `${faults.length} fields are`;
  return problem("validation_failed", `${count} invalid. See errors.`, { errors: faults.map(sayFault) });
}

/** Reasons why a use case did nothing, for programs, and what to do instead. */

const ofClosing = {
  received: [
    "void_refused",
    "has received money, so it cannot be voided. Settle the difference with the payer, then mark it as paid if nothing more is owed.",
  ],
  marked: ["void_refused", "is marked as paid. If it was not paid, mark it as unpaid first, then void it."],
  void: ["is_void", "is void, which is final. Create a new one if something is owed after all."],
  paid: ["mark_refused", "is paid: all of the money has arrived. There is nothing to mark."],
  credited: ["mark_refused", "is credited in full: nothing is left to pay, so it stays as it is."],
  refunded: [
    "mark_refused",
    "was marked as paid when money for it was given back, so the mark stays. Create a new one if something is owed after all.",
  ],
  unchanged: ["mark_refused", "is marked so already. There is nothing to do."],
  closed: ["void_refused", "is in books that are closed. Credit it: a credit note is dated today."],
  closed_mark: [
    "mark_refused",
    "is in books that are closed, and would count there no longer, or again. An owner can open them at the desk.",
  ],
} as const satisfies Record<ClosingRefusal, readonly [ProblemCode, string]>;

const ofQuote: Record<QuoteRefusal, string> = {
  usdc: "is in USDC, so it has no rate.",
  void: "is void, which is final. Create a new one if something is owed after all.",
  settled: "is paid, or marked as paid: nothing more is owed.",
  due: "is not overdue. Its rate holds until the end of the day on which it is due.",
  paying:
    "has been paid in part, or a payment is on its way or has just left the chain. What was asked for then holds.",
  credited: "has a credit note, at the rate that it had then.",
  unread:
    "was not quoted again: the chain is not read up to now, so a payment may not be known yet. Try again in a minute.",
};

const ofReminder: Record<ReminderRefusal, string> = {
  settled: "nothing is owed any more",
  unsent: "it was never mailed. Send it first: POST /api/invoices/{id}/send",
  in_flight: "a payment is on its way. Wait until it is confirmed",
};

const ofCredit = {
  void: (name) => ["is_void", `${name} is void, which is final: there is nothing to credit.`],
  in_flight: (name) => [
    "credit_refused",
    `A payment of ${name} is on its way. Wait until it is confirmed, then credit it.`,
  ],
  nothing: (name) => ["credit_refused", `Nothing is left to credit of ${name}.`],
} as const satisfies Record<
  Extract<Refusal, { kind: "credit" }>["why"],
  (name: string) => readonly [ProblemCode, string]
>;

const ofRefund: Record<RefundRefusal, string> = {
  nothing: "has nothing to be given back.",
  credit_first: "asks for what came. Issue a credit note first: it says how much of that is given back.",
  in_flight: "has a payment on its way. Wait until it is confirmed.",
  not_open: "was approved, sent, given back or cancelled meanwhile. Look at it again.",
  no_address: "has nobody to mail, or no address to go to.",
  gone: "was asked for by a newer link, or this one was used or has ended.",
};

/** Returns the code and sentence of a refusal without more details; `name` is what people call the subject. */
export function refusalText(
  refusal: Exclude<Refusal, { kind: "invalid" | "too_many_mails" }>,
): readonly [ProblemCode, string] {
  switch (refusal.kind) {
    case "invalid_key":
      return [
        "invalid_idempotency_key",
        "Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.",
      ];
    case "key_used":
      return [
        "idempotency_conflict",
        "This Idempotency-Key was already used with a different request. Use a new key.",
      ];
    case "closing":
      return [ofClosing[refusal.why][0], `${refusal.name} ${ofClosing[refusal.why][1]}`];
    case "quote": {
      const code = refusal.why === "unread" ? "node_unreachable" : "quote_refused";
      return [code, `${refusal.name} ${ofQuote[refusal.why]}`];
    }
    case "reminder":
      return ["not_remindable", `No reminder was sent of ${refusal.name}: ${ofReminder[refusal.why]}.`];
    case "credit":
      return ofCredit[refusal.why](refusal.name);
    case "correction":
      return refusal.why === "void"
        ? ["is_void", `${refusal.name} is void, which is final: there is nothing to correct.`]
        : ["correction_refused", `${refusal.name} is paid: neither its due date nor its reminders change.`];
    case "refund":
      return ["refund_refused", `${refusal.name} ${ofRefund[refusal.why]}`];
    case "changed":
      return ["credit_refused", "The total is no longer the one that was confirmed. Check it again."];
    case "too_many_endpoints":
      return ["too_many_endpoints", `There are ${endpointsMax} webhook endpoints. Delete one first.`];
    case "no_secret":
      return ["no_secret", "A chat has no secret but its address: change its url instead."];
    case "endpoint_gone":
      return ["not_found", "There is no webhook endpoint with this id."];
    case "rate_unavailable":
      return ["rate_unavailable", new RateUnavailable(refusal.code).message];
  }
}

const again: readonly ProblemCode[] = ["node_unreachable", "rate_unavailable"];

type Reached = Extract<Refusal, { kind: "too_many_mails" }>["reached"];

/** Responds to a request that a use case refused. */
export function refusalAnswer(
  refusal: Refusal,
  request: Request,
  limits: { refusal(reached: Reached, request: Request, path: string): Response },
): Response {
  if (refusal.kind === "invalid") return validationProblem(refusal.faults);
  if (refusal.kind === "too_many_mails") return limits.refusal(refusal.reached, request, "/api/invoices");
  const [code, detail] = refusalText(refusal);
  return problem(code, detail, again.includes(code) ? { retryAfterSec: 60 } : {});
}

export const wasLocked = (thrown: unknown) =>
  isLocked(thrown instanceof StorageFailed ? thrown.cause : thrown);

/** Responds to an error on this side with what failed. */
export function problemOf(thrown: unknown): Response {
  if (thrown instanceof WalletUnavailable) return problem("wallet_unavailable", thrown.message);
  if (wasLocked(thrown))
    return problem("storage_failed", "Nothing was saved: the database is locked. Try again in a minute.", {
      retryAfterSec: 60,
    });
  if (thrown instanceof StorageFailed || thrown instanceof SyncFailed || thrown instanceof DatabaseReplaced)
    return problem("storage_failed", thrown.message);
  if (isStorageFailure(thrown)) {
    return problem("storage_failed", "The database could not be read or written. See the server log.");
  }
  if (thrown instanceof RateUnavailable)
    return problem("rate_unavailable", thrown.message, { retryAfterSec: 60 });
  if (isNodeFailure(thrown))
    return problem("node_unreachable", "The network cannot be asked just now. Try again in a minute.", {
      retryAfterSec: 60,
    });
  if (thrown instanceof RenderError) {
    return problem(
      "pdf_failed",
      "The PDF could not be created. See the server log, or try again in a minute.",
    );
  }
  return problem("internal_error", "The server could not complete the request. See the server log.");
}
