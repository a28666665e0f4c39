import type { Code } from "../domain/bill/currency.ts";
import type { QuoteRefusal } from "../domain/bill/rate/quoting.ts";
import type { ReminderRefusal } from "../domain/bill/reminder.ts";
import type { ClosingRefusal } from "../domain/receivable/closing.ts";
import type { Fault } from "../language/faults.ts";

/** Why a use case did nothing. `name` is what people call the invoice or link. */
export type Refusal =
  | { kind: "invalid"; faults: readonly Fault[] }
  /** A malformed idempotency key, or one that was used for another request. */
  | { kind: "invalid_key" }
  | { kind: "key_used" }
  | { kind: "closing"; why: ClosingRefusal; name: string }
  | { kind: "quote"; why: QuoteRefusal; name: string }
  | { kind: "credit"; why: "void" | "in_flight" | "nothing"; name: string }
  | { kind: "correction"; why: "void" | "settled"; name: string }
  | { kind: "refund"; why: RefundRefusal; name: string }
  /** The sum is no longer the one that was confirmed. */
  | { kind: "changed" }
  | { kind: "reminder"; why: ReminderRefusal; name: string }
  | { kind: "too_many_mails"; reached: MailLimit }
  | { kind: "rate_unavailable"; code: Code }
  | { kind: "too_many_endpoints" }
  | { kind: "no_secret" }
  | { kind: "endpoint_gone" };

/**
 * Why nothing was done with a refund, or with its invoice or link; `credit_first`: received money must be credited
 * first; `in_flight`: money is on its way.
 */
export type RefundRefusal = "nothing" | "credit_first" | "in_flight" | "not_open" | "no_address" | "gone";

/** A limit on mails, with the time until there is room, in ms. */
export type MailLimit = { name: "MAILS_MERCHANT" | "MAILS_INVOICE"; waitMs: number };

export type Refused = { ok: false; refusal: Refusal };

/** `isAgain`: the result is from an earlier call with the same key. */
export type Outcome<T> = { ok: true; value: T; isAgain: boolean } | Refused;

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value, isAgain: false });

export const refused = (refusal: Refusal): Refused => ({ ok: false, refusal });

export const invalid = (faults: readonly Fault[]): Refused => refused({ kind: "invalid", faults });

/** Returns what a use case stored: apart from webhook endpoints it is never deleted, so its absence is a bug here. */
export function existing<T>(stored: T | null): T {
  if (stored === null) throw new Error("What an earlier request created is gone");
  return stored;
}
