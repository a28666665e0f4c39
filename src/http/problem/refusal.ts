import type { QuoteRefusal } from "../../domain/bill/rate/quoting.ts";
import type { ReminderRefusal } from "../../domain/bill/reminder.ts";
import type { ClosingRefusal } from "../../domain/closing.ts";
import type { Refusal } from "../../invoicing/outcome.ts";
import { RateUnavailable } from "../../invoicing/price.ts";
import type { Limits } from "../access/limits.ts";
import { type ProblemCode, problem, validationProblem } from "./problem.ts";

/** Why a use case did nothing, as programs are told, and what to do instead. */

const ofClosing = {
  received: [
    "void_refused",
    "has received money, so it cannot be voided. Settle the difference with the payer, then mark it as paid if nothing more is owed.",
  ],
  marked: ["void_refused", "is marked as paid. If it was not paid, mark it as unpaid first, then void it."],
  void: ["is_void", "is void, which is final. Create a new one if something is owed after all."],
  paid: ["mark_refused", "is paid: all of the money has arrived. There is nothing to mark."],
  credited: ["mark_refused", "is credited in full: nothing is left to pay, so it stays as it is."],
  unchanged: ["mark_refused", "is marked so already. There is nothing to do."],
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

/** The code and sentence of a refusal that has nothing else to it; `name` is what people call the invoice or link. */
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
    case "changed":
      return ["credit_refused", "The total is no longer the one that was confirmed. Check it again."];
    case "rate_unavailable":
      return ["rate_unavailable", new RateUnavailable(refusal.code).message];
  }
}

const again: readonly ProblemCode[] = ["node_unreachable", "rate_unavailable"];

/** The answer to a request that a use case refused. */
export function refusalAnswer(refusal: Refusal, request: Request, limits: Pick<Limits, "refusal">): Response {
  if (refusal.kind === "invalid") return validationProblem(refusal.faults);
  if (refusal.kind === "too_many_mails") return limits.refusal(refusal.reached, request, "/api/invoices");
  const [code, detail] = refusalText(refusal);
  return problem(code, detail, again.includes(code) ? { retryAfterSec: 60 } : {});
}
