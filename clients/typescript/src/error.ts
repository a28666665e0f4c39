import type { Fault, Problem, ProblemCode } from "./schema.ts";

/** A code of Till's, of which a newer one has more; `no_answer`; or `unreadable`: what came is a proxy's page, say. */
export type TillErrorCode = ProblemCode | "no_answer" | "unreadable" | (string & {});

type More = { status: number; errors: readonly Fault[]; retryAfterSec: number | null; cause: unknown };

/** Why a call did not succeed. */
export class TillError extends Error {
  override readonly name = "TillError";
  /** Of HTTP; null when no answer came. */
  readonly status: number | null;
  /** Every field of the request that is wrong, with `validation_failed`. */
  readonly errors: readonly Fault[];
  /** After how long Till would be asked again. */
  readonly retryAfterSec: number | null;
  /** What the call was sent with: repeated with this key and the same body, it is done once. */
  idempotencyKey: string | null = null;
  /** Whether the change may have been made all the same: an answer was lost, or did not say. */
  mayBeDone = false;

  /** `call` is such as `POST /api/invoices`; `detail` says what is wrong and what to do, for a person. */
  constructor(
    call: string,
    readonly code: TillErrorCode,
    readonly detail: string,
    { status, errors = [], retryAfterSec = null, cause }: Partial<More> = {},
  ) {
    const fields = errors.map(({ field, message }) => `\n  ${field} ${message}`).join("");
    super(`${call}: ${detail} (${code})${fields}`, { cause });
    this.status = status ?? null;
    this.errors = errors;
    this.retryAfterSec = retryAfterSec;
  }
}

/** The error that an answer tells of: a problem document of Till's (RFC 9457), or what something else answered. */
export function errorOf(call: string, { status, headers }: Response, text: string): TillError {
  const more = { status, retryAfterSec: secondsOf(headers.get("retry-after")) };
  const found = parsed(text) as Partial<Problem> | null | undefined;
  const isFault = (each: Fault | null) => typeof each?.field === "string";
  const errors = Array.isArray(found?.errors) ? found.errors.filter(isFault) : [];
  if (typeof found?.code === "string" && typeof found.detail === "string")
    return new TillError(call, found.code, found.detail, { ...more, errors });
  const what = status < 400 ? "a redirect" : `HTTP status ${status} and nothing of Till's`;
  const detail = `The answer is ${what}. Check that baseUrl is exactly that of Till, and that Till is running.`;
  return new TillError(call, "unreadable", detail, more);
}

/** Undefined when it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Proxies name a time, Till a number of seconds. */
function secondsOf(retryAfter: string | null): number | null {
  const seconds = /^\d+$/.test(retryAfter ?? "")
    ? Number(retryAfter)
    : (Date.parse(retryAfter ?? "") - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
